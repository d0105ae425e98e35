package dev.sublet.operator.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.onnx.OnnxCase;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The shape rules and element types of ONNX's operators against ONNX Runtime, which runs each line
 * of {@code testdata/onnx_operators/cases.txt}; {@link OnnxCase} says how to read them.
 *
 * <p>Each line is inferred four times: with the shapes declared, with open extents that are bound
 * for the run, with all inputs' elements unknown, and with all known. Wherever an extent is said to
 * be exact it must be that of the runtime, and a bound must not be below it.
 */
final class OnnxOperatorsAgainstRuntimeTest {

  private static final Path CASES = Path.of("testdata/onnx_operators/cases.txt");

  /** Operators that the runtime does not have, with the shapes that specifications say. */
  private static final Path STATED = Path.of("testdata/onnx_operators/stated.txt");

  static ImmutableList<OnnxCase> cases() throws IOException {
    return read(CASES);
  }

  static ImmutableList<OnnxCase> statedCases() throws IOException {
    return read(STATED);
  }

  private static ImmutableList<OnnxCase> read(Path file) throws IOException {
    ImmutableList.Builder<OnnxCase> cases = ImmutableList.builder();
    for (String line : Files.readAllLines(file)) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        cases.add(OnnxCase.parse(line));
      }
    }
    return cases.build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void inferredShapes_areTheRuntimes(OnnxCase one) throws OrtException {
    ModelProto constant = one.constant();
    ImmutableList<RuntimeTensor> expected = RuntimeTensor.run(constant, ImmutableMap.of());
    assertThat(expected).hasSize(one.outputs());
    ModelProto declared = one.fed(/* open= */ false, /* all= */ false);
    ModelProto open = one.fed(/* open= */ true, /* all= */ false);
    compare(one, "declared", infer(declared, ImmutableMap.of(), one), expected);
    compare(one, "open", infer(open, one.shapes(open), one), expected);
    checkBounds(one, expected);
  }

  /** Elements that are followed, of constants, are those that the runtime computes. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void followedElements_areTheRuntimes(OnnxCase one) throws OrtException {
    Inferred inferred = infer(one.constant(), ImmutableMap.of(), one);
    ImmutableList<byte[]> computed = RuntimeTensor.bytes(one.constant());
    for (int i = 0; i < one.outputs(); i++) {
      AbstractShape tensor = inferred.dims(i);
      for (int k = 0; tensor.hasElements() && k < tensor.elements().size(); k++) {
        SymbolicExtent element = tensor.elements().get(k);
        if (element.isExact()) {
          DataType type = inferred.sizes().dataType(inferred.operation().output(i));
          assertWithMessage("output %s of %s, element %s", i, tensor, k)
              .that(element.value())
              .isEqualTo(number(ByteBuffer.wrap(computed.get(i)), type, k));
        }
      }
    }
  }

  private static double number(ByteBuffer elements, DataType type, int i) {
    elements.order(ByteOrder.nativeOrder());
    return switch (type) {
      case FP32 -> elements.getFloat(4 * i);
      case FP64 -> elements.getDouble(8 * i);
      case INT64 -> (double) elements.getLong(8 * i);
      case INT32 -> elements.getInt(4 * i);
      case INT16 -> elements.getShort(2 * i);
      case INT8 -> elements.get(i);
      case BOOL, UINT8 -> elements.get(i) & 0xff;
      case FP16 -> half(elements.getShort(2 * i));
      default -> throw new IllegalArgumentException("elements of " + type);
    };
  }

  /** A number of 16 bits: sign, five bits of exponent, ten of mantissa; no subnormal one. */
  private static double half(short bits) {
    int exponent = bits >> 10 & 31;
    double magnitude = exponent == 0 ? 0 : Math.scalb(1 + (bits & 1023) / 1024.0, exponent - 15);
    return bits < 0 ? -magnitude : magnitude;
  }

  /** Shapes that no runtime tells, as they are stated behind an arrow. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("statedCases")
  void inferredShapes_areTheStated(OnnxCase one) {
    ModelProto declared = one.fed(/* open= */ false, /* all= */ false);
    Inferred inferred = infer(declared, ImmutableMap.of(), one);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < one.outputs(); i++) {
      AbstractShape tensor = inferred.dims(i);
      found.add(tensor.hasRank() ? tensor.toString().replace(" ", "") : "?");
    }
    assertThat(String.join(" ", found)).isEqualTo(one.stated());
  }

  private static void checkBounds(OnnxCase one, ImmutableList<RuntimeTensor> expected) {
    ModelProto unfollowed = one.fed(/* open= */ false, /* all= */ true);
    bound("all fed", infer(unfollowed, ImmutableMap.of(), one), expected);
    bound("all constant", infer(one.constant(), ImmutableMap.of(), one), expected);
  }

  private record Inferred(Program program, Sizes sizes, Operation operation) {

    AbstractShape dims(int output) {
      AbstractShape written = sizes.written(operation, output);
      return written == null ? AbstractShape.unknown("nothing is written") : written;
    }
  }

  private static Inferred infer(
      ModelProto model, ImmutableMap<String, ImmutableLongArray> shapes, OnnxCase one) {
    Program program = OnnxModel.of(model).program();
    OperatorCatalog catalog = OperatorCatalog.standard();
    Sizes sizes =
        ShapeInference.infer(
            program,
            catalog,
            LodCarriers.find(program, catalog),
            new ShapeOptions(1, shapes, ImmutableMap.of()));
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals(one.type())) {
        return new Inferred(program, sizes, operation);
      }
    }
    throw new AssertionError("there is no " + one.type());
  }

  /** Each output has the type, the rank and, as precisely as the line says, the extents. */
  private static void compare(
      OnnxCase one, String how, Inferred inferred, ImmutableList<RuntimeTensor> expected) {
    bound(how, inferred, expected);
    SymbolicExtent.Precision worst = SymbolicExtent.Precision.EXACT;
    for (int i = 0; i < expected.size(); i++) {
      AbstractShape tensor = inferred.dims(i);
      assertWithMessage("%s: output %s: %s", how, i, tensor).that(tensor.hasRank()).isTrue();
      for (SymbolicExtent extent : tensor.dims()) {
        worst = worst.compareTo(extent.precision()) < 0 ? extent.precision() : worst;
      }
    }
    SymbolicExtent.Precision told =
        switch (one.precision()) {
          case "atmost" -> SymbolicExtent.Precision.AT_MOST;
          case "unknown" -> SymbolicExtent.Precision.UNKNOWN;
          default -> SymbolicExtent.Precision.EXACT;
        };
    assertWithMessage(how).that(worst).isEqualTo(told);
  }

  /** What is said of each output is true. */
  private static void bound(String how, Inferred inferred, ImmutableList<RuntimeTensor> expected) {
    for (int i = 0; i < expected.size(); i++) {
      RuntimeTensor there = expected.get(i);
      AbstractShape tensor = inferred.dims(i);
      String what = how + ": output " + i + " is " + there + ", inferred: " + tensor;
      int variable = inferred.operation().output(i);
      assertWithMessage(what).that(inferred.sizes().dataType(variable)).isEqualTo(there.type());
      if (!tensor.hasRank()) {
        continue;
      }
      assertWithMessage(what).that(tensor.rank()).isEqualTo(there.dims().length());
      for (int axis = 0; axis < tensor.rank(); axis++) {
        SymbolicExtent extent = tensor.dim(axis);
        boolean holds =
            switch (extent.precision()) {
              case EXACT -> extent.is((double) there.dims().get(axis));
              case AT_MOST -> extent.value() >= there.dims().get(axis);
              case UNKNOWN -> true;
            };
        assertWithMessage(what).that(holds).isTrue();
      }
    }
  }

  @Test
  void everyRule_hasACase() throws IOException {
    Set<String> covered = new TreeSet<>();
    cases().forEach(one -> covered.add(one.type()));
    statedCases().forEach(one -> covered.add(one.type()));
    List<String> missing = new ArrayList<>();
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      boolean isNode = spec.isOnnx() && !spec.type().startsWith("onnx.");
      if (isNode && spec.shapeRule() != null && !covered.contains(spec.type())) {
        missing.add(spec.type());
      }
    }
    assertThat(missing).isEmpty();
  }
}
