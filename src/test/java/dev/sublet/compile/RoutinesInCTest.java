package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.compile.kernel.CRoutines;
import dev.sublet.compile.kernel.UncompiledException;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.machine.Kernels;
import dev.sublet.runtime.tensor.MissingElementsException;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import dev.sublet.testing.onnx.OnnxCase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each operator with a C kernel, on the calls of {@code testdata/operators} and {@code
 * testdata/onnx_operators}: it computes the bits of the kernel in Java, with all outputs and
 * without each of them, and under the sanitizers of the C compiler. Other compilers build each file
 * in turn, without optimization; with {@code -Dsublet.long=true} all of them do, with it.
 */
final class RoutinesInCTest {

  /** The calls in one file. */
  private static final int BATCH = 300;

  @TempDir private Path folder = Path.of("");

  /**
   * A call of C functions.
   *
   * @param text the operator's call
   * @param inputs the inputs by name
   * @param expected the elements of the outputs' memory by name; only outputs that are read
   */
  private record Call(
      String text,
      CRoutine routine,
      Map<String, Tensor> inputs,
      ImmutableMap<String, Tensor> expected) {}

  @Test
  void cKernels_haveTheBitsOfTheKernels() throws Exception {
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
    List<Call> calls = new ArrayList<>();
    TreeSet<String> tested = new TreeSet<>();
    OperatorCases.Taker taker =
        (text, kernel, call) -> {
          int before = calls.size();
          add(text, kernel, call, calls);
          if (calls.size() > before) {
            tested.add(call.type());
          }
        };
    Kernel setValue = Kernels.all().find("set_value").orElseThrow(); // lowered in part
    OperatorCases.forEachOfPaddle(kernel -> !kernel.isLowered() || kernel.equals(setValue), taker);
    OperatorCases.forEachOfOnnx(kernel -> !kernel.isLowered(), taker);
    assertThat(tested).isEqualTo(new TreeSet<>(CRoutines.types()));
    check(calls, compiler);
  }

  /**
   * Random calls with few different elements: ties, zeros of both signs, NaN and infinities, and
   * results without any row.
   */
  @Test
  void tiesAndSpecialNumbers_areOrderedAsByTheKernels() throws Exception {
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
    Random random = new Random(20_26);
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      String line = randomLine(random, i % 6);
      OperatorCall call = OracleText.cases(line).get(0).call();
      ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
      call.inputs()
          .forEach(
              (slot, tensor) ->
                  inputs.put(
                      slot, LodTensor.of(few(random, tensor.tensor(), slot.equals("BBoxes")))));
      ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
      call.operation().outputSlots().forEach(slot -> wanted.add(slot.name()));
      add(
          line,
          Kernels.all().find(call.type()).orElseThrow(),
          new OperatorCall(call.operation(), inputs.build(), wanted.build()),
          calls);
    }
    assertThat(calls.size()).isAtLeast(300);
    check(calls, compiler);
  }

  /**
   * Regions, proposals with equal scores, slices whose limits are known only at run time, and bits.
   */
  @Test
  void randomRegionsAndSlices_areThoseOfTheKernels() throws Exception {
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
    Random random = new Random(11_28);
    RandomRoutines routines = new RandomRoutines(Long.getLong("sublet.first", 0));
    List<Call> calls = new ArrayList<>();
    TreeMap<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 40 * Integer.getInteger("sublet.rounds", 10); i++) {
      int form = i % 4;
      String line =
          form == 0 ? routines.regions() : form == 1 ? routines.proposals() : routines.slice();
      OperatorCall call = OracleText.cases(line).get(0).call();
      ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
      call.inputs()
          .forEach(
              (slot, tensor) ->
                  inputs.put(
                      slot,
                      slot.equals("Scores")
                          ? LodTensor.of(few(random, tensor.tensor(), /* isBoxes= */ false))
                          : tensor));
      ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
      call.operation().outputSlots().forEach(slot -> wanted.add(slot.name()));
      int before = calls.size();
      add(
          line,
          Kernels.all().find(call.type()).orElseThrow(),
          new OperatorCall(call.operation(), inputs.build(), wanted.build()),
          calls);
      counts.merge(call.type(), calls.size() > before ? 1 : 0, Integer::sum);
    }
    for (int i = 0; i < 20 * Integer.getInteger("sublet.rounds", 10); i++) {
      OperatorCases.take(
          OnnxCase.parse(i % 2 == 0 ? routines.onnxBits() : routines.onnxRegions()),
          kernel -> true,
          (text, kernel, call) -> {
            int before = calls.size();
            add(text, kernel, call, calls);
            counts.merge(call.type(), calls.size() > before ? 1 : 0, Integer::sum);
          });
    }
    for (String type : List.of("RoiAlign", "MaxRoiPool", "com.microsoft.CropAndResize")) {
      assertWithMessage("%s", counts).that(counts.get(type)).isAtLeast(20);
    }
    assertWithMessage("%s", counts).that(counts.get("roi_align")).isAtLeast(50);
    assertWithMessage("%s", counts).that(counts.get("set_value")).isAtLeast(100);
    assertWithMessage("%s", counts).that(counts.get("generate_proposals")).isAtLeast(20);
    assertWithMessage("%s", counts).that(counts.get("generate_proposals_v2")).isAtLeast(20);
    check(calls, compiler);
  }

  private static String randomLine(Random random, int form) {
    int n = 1 + random.nextInt(9);
    int m = 1 + random.nextInt(4);
    int k = random.nextInt(n + 1);
    String type = List.of("fp32", "fp64", "int32", "int64").get(random.nextInt(4));
    boolean flag = random.nextBoolean();
    int limit = random.nextInt(2 * n) - 1;
    String detection =
        String.format(
            "(BBoxes: fp32[%d,%d,4], Scores: fp32[%d,%d,%d]) {background_label: %d,"
                + " score_threshold: %s, nms_top_k: %d, keep_top_k: %d, nms_threshold: %s,"
                + " nms_eta: %s, normalized: %s}",
            m,
            n,
            m,
            m,
            n,
            random.nextInt(3) - 1,
            List.of("-1.0", "0.4", "3.0").get(random.nextInt(3)),
            limit,
            random.nextInt(12) - 1,
            List.of("0.3", "0.7", "1.0").get(random.nextInt(3)),
            List.of("1.0", "0.9").get(random.nextInt(2)),
            flag);
    return switch (form) {
      case 0 ->
          String.format(
              "(Out, Indices) = top_k_v2(X: %s[%d,%d,%d]) {k: %d, axis: 1, largest: %s, sorted:"
                  + " true}",
              type, m, n, m, k, flag);
      case 1 ->
          String.format(
              "(Out, Indices) = argsort(X: %s[%d,%d]) {axis: -1, descending: %s}",
              type, m, n, flag);
      case 2 -> "(Out, Index, NmsRoisNum) = multiclass_nms3" + detection;
      case 3 -> "(Out) = multiclass_nms" + detection;
      case 4 -> String.format("(Out) = where_index(Condition: %s[%d,%d])", type, n, m);
      default ->
          String.format(
              "(Out) = cumsum(X: %s[%d,%d]) {axis: %d, exclusive: %s, reverse: %s}",
              type, n, m, random.nextInt(2), flag, random.nextBoolean());
    };
  }

  /** Returns a tensor of the same type and shape with few different elements. */
  private static Tensor few(Random random, Tensor like, boolean isBoxes) {
    double[] numbers = {0, -0.0, 0.5, 0.5, 1, -1, 2, Double.NaN, Double.POSITIVE_INFINITY};
    Tensor tensor = Tensor.zeros(like.type(), like.shape());
    for (int i = 0; i < tensor.length(); i++) {
      if (isBoxes) {
        double corner = random.nextInt(3) + (i % 4 < 2 ? 0 : random.nextInt(4));
        ElementWriter.put(tensor, i, random.nextInt(30) == 0 ? Double.NaN : corner);
      } else if (like.type().isFloating()) {
        ElementWriter.put(tensor, i, numbers[random.nextInt(numbers.length)]);
      } else {
        ElementWriter.put(tensor, i, (long) random.nextInt(4) - 2);
      }
    }
    return tensor;
  }

  /** Adds a call, if it has C for tensors without elements, or with those of integers. */
  static void add(String text, Kernel kernel, OperatorCall call, List<Call> calls) {
    Optional<CRoutine> routine = Optional.empty();
    for (boolean keepsIntegers : new boolean[] {false, true}) {
      try {
        routine = CRoutines.find(OperatorCases.withoutElements(call, keepsIntegers));
        break;
      } catch (MissingElementsException e) {
        // Perhaps it depends on integers only.
      } catch (UncompiledException e) {
        return;
      }
    }
    if (routine.isEmpty()) {
      return;
    }
    OperatorResult result;
    try {
      result = kernel.run(call);
    } catch (OperatorException e) {
      return; // The elements are wrong, which C code does not see.
    }
    Map<String, Tensor> inputs = OperatorCases.arguments(call);
    ImmutableMap<String, Tensor> expected = expected(call, result, routine.get());
    calls.add(new Call(text, routine.get(), inputs, expected));
    for (String dead : routine.get().outputs().keySet()) {
      if (!dead.endsWith(CRoutine.SHAPE)) {
        Map<String, Tensor> others = new LinkedHashMap<>(expected);
        others.remove(dead);
        others.remove(dead + CRoutine.SHAPE);
        if (!others.isEmpty()) {
          String without = text + " without " + dead;
          calls.add(new Call(without, routine.get(), inputs, ImmutableMap.copyOf(others)));
        }
      }
    }
  }

  private static ImmutableMap<String, Tensor> expected(
      OperatorCall call, OperatorResult result, CRoutine routine) {
    ImmutableMap.Builder<String, Tensor> expected = ImmutableMap.builder();
    for (Slot slot : call.operation().outputSlots()) {
      int i = 0;
      for (OperatorResult.Output output : result.outputs().get(slot.name())) {
        String name = LoweringCall.outputName(slot.name(), i++);
        Tensor declared = routine.outputs().get(name);
        if (declared == null) {
          continue;
        }
        Tensor tensor = output.tensor();
        if (routine.dynamic().contains(name)) {
          Tensor padded = Tensor.zeros(tensor.type(), declared.shape());
          ElementWriter.copy(tensor, 0, padded, 0, tensor.length());
          expected.put(name, padded);
          long[] extents = tensor.shape().toArray();
          expected.put(
              name + CRoutine.SHAPE, Tensor.of(ImmutableLongArray.of(extents.length), extents));
        } else {
          assertWithMessage("%s %s", call.operation(), name)
              .that(declared.type() + " " + declared.shape())
              .isEqualTo(tensor.type() + " " + tensor.shape());
          expected.put(name, tensor);
        }
      }
    }
    return expected.buildOrThrow();
  }

  private void check(List<Call> calls, CCompiler compiler) throws Exception {
    int batch = 0;
    for (List<Call> some : Iterables.partition(calls, BATCH)) {
      Path own = Files.createDirectory(folder.resolve("batch" + batch++));
      ByteArrayOutputStream in = new ByteArrayOutputStream();
      Files.writeString(own.resolve("calls.c"), source(some, in));
      Files.write(own.resolve("in.bin"), in.toByteArray());
      compiler.build(own, "calls.c", "-fsanitize=address,undefined", "-fno-sanitize-recover=all");
      compiler.run(own, List.of("env", "ASAN_OPTIONS=detect_leaks=0", "./program"));
      compare(some, Files.readAllBytes(own.resolve("out.bin")));
      for (CCompiler other : others(batch)) {
        other.build(own, "calls.c", LongForm.isOn() ? "-O1" : "-O0");
        other.run(own, List.of("./program"));
        compare(some, Files.readAllBytes(own.resolve("out.bin")));
      }
      if (LongForm.isOn()) {
        // Vector code takes compilers long.
        compiler.build(own, "calls.c", "-O3", "-march=native");
        compiler.run(own, List.of("./program"));
        compare(some, Files.readAllBytes(own.resolve("out.bin")));
      }
    }
  }

  /** Returns the other compilers for a batch: one of them in turn, or all in the long form. */
  private static List<CCompiler> others(int batch) {
    List<CCompiler> present = CCompiler.others().stream().filter(CCompiler::isPresent).toList();
    return present.isEmpty() || LongForm.isOn()
        ? present
        : List.of(present.get(batch % present.size()));
  }

  private static void compare(List<Call> calls, byte[] out) {
    Map<String, String> wrong = new TreeMap<>();
    int position = 0;
    for (Call call : calls) {
      for (Map.Entry<String, Tensor> output : call.expected().entrySet()) {
        Tensor wanted = output.getValue();
        Tensor computed = TensorBytes.get(wanted.type(), wanted.shape(), out, position);
        position += (int) TensorBytes.size(wanted.type(), wanted.shape());
        if (!computed.equals(wanted)) {
          wrong.put(call.text() + " " + output.getKey(), computed + " instead of " + wanted);
        }
      }
    }
    assertThat(position).isEqualTo(out.length);
    assertWithMessage("%s of %s", wrong.size(), calls.size()).that(wrong).isEmpty();
  }

  /** Returns the functions of calls, and a main function that runs them from in.bin to out.bin. */
  private static String source(List<Call> calls, ByteArrayOutputStream in) throws IOException {
    FunctionTable functions = new FunctionTable("m", MathMode.STRICT);
    StringBuilder main = new StringBuilder();
    for (Call call : calls) {
      Map<String, String> variables = new LinkedHashMap<>();
      StringBuilder after = new StringBuilder();
      main.append("  {\n");
      for (Map.Entry<String, Tensor> input : call.inputs().entrySet()) {
        String variable = "a" + variables.size();
        variables.put("INPUT " + input.getKey(), variable);
        byte[] bytes = TensorBytes.of(input.getValue());
        in.write(bytes);
        main.append("    unsigned char *").append(variable).append(" = take(in, ");
        main.append(bytes.length).append(");\n    (void)").append(variable).append(";\n");
        after.append("    free(").append(variable).append(");\n");
      }
      for (Map.Entry<String, Tensor> output : call.expected().entrySet()) {
        String variable = "a" + variables.size();
        variables.put("OUTPUT " + output.getKey(), variable);
        long bytes = TensorBytes.of(output.getValue()).length;
        main.append("    unsigned char *").append(variable).append(" = poisoned(");
        main.append(bytes).append(");\n");
        after.append("    give(to, ").append(variable).append(", ").append(bytes).append(");\n");
      }
      if (call.routine().scratchBytes() > 0) {
        variables.put("SCRATCH ", "w");
        main.append("    unsigned char *w = poisoned(").append(call.routine().scratchBytes());
        main.append(");\n");
        after.append("    free(w);\n");
      }
      main.append(
          functions.use(
              call.routine(),
              place -> {
                String variable = variables.get(place.kind() + " " + place.name());
                return variable == null ? "NULL" : variable + " + " + place.offset();
              }));
      main.append(after).append("  }\n");
    }
    return HEAD.replace("@functions@", requireNonNull(functions.text()))
        + main
        + "  fclose(in);\n  return fclose(to);\n}\n";
  }

  private static final String HEAD =
      """
      #include <math.h>
      #include <stddef.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>

      @functions@
      static inline void *poisoned(size_t bytes) {
        void *data = malloc(bytes);
        if (data == NULL) exit(2);
        memset(data, 0xff, bytes);
        return data;
      }

      static inline void *take(FILE *in, size_t bytes) {
        void *data = poisoned(bytes);
        if (fread(data, 1, bytes, in) != bytes) exit(1);
        return data;
      }

      static inline void give(FILE *to, void *data, size_t bytes) {
        fwrite(data, 1, bytes, to);
        free(data);
      }

      int main(void) {
        FILE *in = fopen("in.bin", "rb");
        FILE *to = fopen("out.bin", "wb");
        if (in == NULL || to == NULL) return 1;
      """;
}
