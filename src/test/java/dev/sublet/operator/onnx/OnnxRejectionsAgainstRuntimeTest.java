package dev.sublet.operator.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.onnx.ChangedCases;
import dev.sublet.testing.onnx.OnnxCase;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever a shape rule rejects, ONNX Runtime rejects, too: lines of {@code cases.txt} with other
 * numbers, which the runtime gets without shapes, as in a branch whose shapes are known only when
 * it runs.
 *
 * <p>A rule that is stricter than the runtime would call a tensor never made that is made.
 */
final class OnnxRejectionsAgainstRuntimeTest {

  private static final Path CASES = Path.of("testdata/onnx_operators/cases.txt");

  /** How many changed lines are made of each line, by whether the type rejects surely. */
  private static final int SURE_TRIES = 40;

  private static final int TRIES = 12;

  /** How many lines of a type the runtime gets, unless the type rejects surely. */
  private static final int JUDGED = 6;

  /** How many lines the runtime gets of a type that rejects surely, at most and at least. */
  private static final int SURE_JUDGED = 40;

  private static final int CONFIRMED = 20;

  /**
   * Operators with which the runtime ends the process for some wrong shapes or numbers, or divides
   * by zero, instead of returning an error.
   */
  private static final ImmutableSet<String> ENDS_THE_PROCESS =
      ImmutableSet.of(
          "AveragePool",
          "Col2Im",
          "ConvTranspose",
          "Einsum",
          "GRU",
          "GatherND",
          "LpPool",
          "MaxUnpool",
          "Multinomial",
          "RNN",
          "Resize",
          "STFT",
          "com.microsoft.ExpandDims",
          "com.microsoft.NhwcMaxPool",
          "com.microsoft.QLinearAveragePool");

  private final OperatorCatalog catalog = OperatorCatalog.standard();

  /** How many rejected lines the runtime has judged, by type. */
  private final Map<String, Integer> judged = new TreeMap<>();

  /** The lines that a rule rejects and the runtime accepts. */
  private final List<String> accepted = new ArrayList<>();

  @Test
  void whatARuleRejects_theRuntimeRejects() throws IOException {
    for (String line : Files.readAllLines(CASES)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        judgeChangesOf(line);
      }
    }
    assertWithMessage("accepted lines").that(accepted).isEmpty();
    assertThat(judged.size()).isAtLeast(60);
    for (OperatorSpec spec : catalog.all()) {
      if (spec.rejectsSurely()) {
        assertWithMessage("rejected lines of " + spec.type())
            .that(judged.getOrDefault(spec.type(), 0))
            .isAtLeast(CONFIRMED);
      }
    }
  }

  private void judgeChangesOf(String line) {
    String type = OnnxCase.parse(line).type();
    boolean isSure = catalog.lookup(type).rejectsSurely();
    int most = isSure ? SURE_JUDGED : JUDGED;
    int tries = isSure ? SURE_TRIES : TRIES;
    SplittableRandom random = new SplittableRandom(line.hashCode());
    for (int i = 0; i < tries && !ENDS_THE_PROCESS.contains(type); i++) {
      OnnxCase one = OnnxCase.parse(ChangedCases.line(line, random));
      if (judged.getOrDefault(type, 0) < most && isFeedable(one)) {
        judge(one);
      }
    }
  }

  private void judge(OnnxCase one) {
    String reason = rejection(one);
    if (!reason.isEmpty()) {
      judged.merge(one.type(), 1, Integer::sum);
      ModelProto lists = one.fed(/* open= */ true, /* all= */ false);
      ModelProto fed = one.fed(/* open= */ true, /* all= */ true);
      if (accepts(one, fed) || (!fed.equals(lists) && accepts(one, lists))) {
        accepted.add(one.line() + ": " + reason);
      }
    }
  }

  /** The reason why the rule of the only operator rejects its inputs; empty if it does not. */
  private String rejection(OnnxCase one) {
    Program program;
    try {
      program = OnnxModel.of(one.constant()).program();
    } catch (ProgramException e) {
      return ""; // it is the reader that refuses the model
    }
    Sizes sizes =
        ShapeInference.inferLeniently(
            program, catalog, LodCarriers.find(program, catalog), ShapeOptions.defaults());
    for (Operation operation : program.block(0).operations()) {
      AbstractShape made = operation.outputCount() == 0 ? null : sizes.written(operation, 0);
      if (made != null && made.reason().contains("contradict op '" + one.type() + "'")) {
        return made.reason();
      }
    }
    return "";
  }

  private static boolean isFeedable(OnnxCase one) {
    return one.inputs().stream()
        .allMatch(input -> input.getDataType() == 0 || javaType(input) != OnnxJavaType.UNKNOWN);
  }

  private static OnnxJavaType javaType(TensorProto tensor) {
    return switch (tensor.getDataType()) {
      case 1 -> OnnxJavaType.FLOAT;
      case 2 -> OnnxJavaType.UINT8;
      case 3 -> OnnxJavaType.INT8;
      case 6 -> OnnxJavaType.INT32;
      case 7 -> OnnxJavaType.INT64;
      case 9 -> OnnxJavaType.BOOL;
      default -> OnnxJavaType.UNKNOWN;
    };
  }

  /** Whether the runtime loads and runs the model, of which it knows no shape before. */
  private static boolean accepts(OnnxCase one, ModelProto model) {
    GraphProto.Builder graph = model.getGraph().toBuilder().clearInput();
    ImmutableMap.Builder<String, OnnxTensor> feeds = ImmutableMap.builder();
    try {
      for (ValueInfoProto input : model.getGraph().getInputList()) {
        ValueInfoProto.Builder unranked = input.toBuilder();
        unranked.getTypeBuilder().getTensorTypeBuilder().clearShape();
        graph.addInput(unranked);
        feeds.put(input.getName(), feed(one, input.getName()));
      }
      RuntimeTensor.run(model.toBuilder().setGraph(graph).build(), feeds.buildOrThrow());
      return true;
    } catch (OrtException e) {
      return false;
    }
  }

  private static OnnxTensor feed(OnnxCase one, String name) throws OrtException {
    int input = 0;
    while (!one.inputs().get(input).getName().equals(name)) {
      input++;
    }
    byte[] elements = one.bytes(input);
    ByteBuffer bytes = ByteBuffer.allocateDirect(elements.length).order(ByteOrder.nativeOrder());
    bytes.put(elements).rewind();
    TensorProto tensor = one.inputs().get(input);
    long[] dims = tensor.getDimsList().stream().mapToLong(Long::longValue).toArray();
    return OnnxTensor.createTensor(RuntimeTensor.environment(), bytes, dims, javaType(tensor));
  }
}
