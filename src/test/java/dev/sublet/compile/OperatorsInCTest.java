package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import dev.sublet.compile.trace.BoundProgram;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.Tiling;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.MissingElementsException;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.c.CCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each operator with a lowering as a C function, on the calls of {@code testdata/operators} and
 * {@code testdata/onnx_operators}: it computes the bits of the kernel, also in the memory of an
 * input where {@link InPlaceProof} allows it.
 *
 * <p>The usual form tests a third of the calls; {@code -Dsublet.long=true} tests all, with vector
 * code, too.
 */
final class OperatorsInCTest {

  /** The functions in one file. */
  private static final int BATCH = 250;

  /** One of so many calls is tested. */
  private static final int CALLS_FOR_ONE = LongForm.isOn() ? 1 : 3;

  private static final Tiling TILING = new Tiling(/* strip= */ 32, /* threads= */ 1);

  @TempDir private Path folder = Path.of("");

  /**
   * A call of a C function.
   *
   * @param text the operator's call
   * @param program the nests
   * @param tensors the inputs
   * @param expected the outputs
   * @param shared an input whose memory is that of an output, and this output; empty for none
   */
  private record Call(
      String text,
      MicroProgram program,
      ImmutableMap<String, Tensor> tensors,
      ImmutableMap<String, Tensor> expected,
      ImmutableMap<String, String> shared) {}

  @Test
  void paddlesOperators_haveTheBitsOfTheirKernels() throws Exception {
    CCompiler compiler = compiler();
    List<Call> calls = new ArrayList<>();
    OperatorCases.forEachOfPaddle(Kernel::isLowered, taker(calls));
    assertThat(calls.size()).isAtLeast(7000 / CALLS_FOR_ONE);
    check(calls, compiler);
  }

  @Test
  void operatorsOfOnnx_haveTheBitsOfTheirKernels() throws Exception {
    CCompiler compiler = compiler();
    List<Call> calls = new ArrayList<>();
    OperatorCases.forEachOfOnnx(Kernel::isLowered, taker(calls));
    assertThat(calls.size()).isAtLeast(900 / CALLS_FOR_ONE);
    check(calls, compiler);
  }

  /** Takes one call of so many, each time at the next place: a line has three draws of extents. */
  private static OperatorCases.Taker taker(List<Call> calls) {
    AtomicInteger numbers = new AtomicInteger();
    return (text, kernel, call) -> {
      int number = numbers.getAndIncrement();
      if (number % CALLS_FOR_ONE == number / CALLS_FOR_ONE % CALLS_FOR_ONE) {
        add(text, kernel, call, calls);
      }
    };
  }

  private static CCompiler compiler() {
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the path: not tested");
    return compiler;
  }

  /** Adds a call, if it can be translated without elements, or with those of integers. */
  private static void add(String text, Kernel kernel, OperatorCall call, List<Call> calls) {
    Translation translation = null;
    for (boolean keepsIntegers : new boolean[] {false, true}) {
      try {
        translation =
            kernel.translate(OperatorCases.withoutElements(call, keepsIntegers)).orElse(null);
        break;
      } catch (MissingElementsException e) {
        // Perhaps it depends on integers only.
      }
    }
    if (translation == null || !isOfC(translation.program())) {
      return;
    }
    OperatorResult result = kernel.run(call);
    MicroProgram program =
        BoundProgram.of(
            SimplifyProgram.simplify(translation.program(), /* dropUnusedInputs= */ true)
                .program());
    Map<String, Tensor> arguments = OperatorCases.arguments(call);
    ImmutableMap.Builder<String, Tensor> tensors = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.INPUT) {
        String argument = requireNonNull(translation.inputs().get(tensor.name()));
        tensors.put(tensor.name(), requireNonNull(arguments.get(argument)));
      }
    }
    ImmutableMap<String, Tensor> expected = expected(call, result, translation);
    ImmutableMap<String, Tensor> inputs = tensors.buildOrThrow();
    calls.add(new Call(text, program, inputs, expected, ImmutableMap.of()));
    for (String input : inputs.keySet()) {
      for (String output : expected.keySet()) {
        if (InPlaceProof.holds(program, input, output)) {
          MicroProgram united = InPlaceProof.united(program, input, output);
          calls.add(new Call(text, united, inputs, expected, ImmutableMap.of(input, output)));
        }
      }
    }
  }

  private static boolean isOfC(MicroProgram program) {
    return program.tensors().stream().allMatch(tensor -> tensor.type().carrier() == tensor.type());
  }

  private static ImmutableMap<String, Tensor> expected(
      OperatorCall call, OperatorResult result, Translation translation) {
    ImmutableMap.Builder<String, Tensor> expected = ImmutableMap.builder();
    for (Slot slot : call.operation().outputSlots()) {
      ImmutableList<OperatorResult.Output> values = result.outputs().get(slot.name());
      for (int i = 0; i < values.size(); i++) {
        String computed = translation.outputs().get(LoweringCall.outputName(slot.name(), i));
        if (computed != null) {
          expected.put(computed, values.get(i).tensor());
        }
      }
    }
    return expected.buildKeepingLast();
  }

  private void check(List<Call> calls, CCompiler compiler) throws Exception {
    int batch = 0;
    for (List<Call> some : Iterables.partition(calls, BATCH)) {
      Path own = Files.createDirectory(folder.resolve("batch" + batch++));
      ByteArrayOutputStream in = new ByteArrayOutputStream();
      Files.writeString(own.resolve("calls.c"), source(some, in));
      Files.write(own.resolve("in.bin"), in.toByteArray());
      build(compiler, own, batch);
      compiler.run(own, List.of("./program"));
      compare(some, Files.readAllBytes(own.resolve("out.bin")));
    }
  }

  /**
   * Builds a file of calls. One file in four is optimized, because optimizing takes most of the
   * time; all are on request, with vector code.
   */
  private static void build(CCompiler compiler, Path own, int batch) throws Exception {
    if (LongForm.isOn()) {
      compiler.build(own, "calls.c", "-O3", "-march=native");
    } else {
      compiler.build(own, "calls.c", batch % 4 == 0 ? "-O1" : "-O0");
    }
  }

  private static void compare(List<Call> calls, byte[] out) {
    Map<String, String> wrong = new TreeMap<>();
    int position = 0;
    for (Call call : calls) {
      for (TensorDeclaration declared : outputs(call)) {
        Tensor wanted = requireNonNull(call.expected().get(declared.name()));
        Tensor computed = TensorBytes.get(wanted.type(), wanted.shape(), out, position);
        position += (int) TensorBytes.size(wanted.type(), wanted.shape());
        if (!computed.equals(wanted)) {
          wrong.put(call.text() + " " + call.shared(), computed + " instead of " + wanted);
        }
      }
    }
    assertThat(position).isEqualTo(out.length);
    assertWithMessage("%s of %s", wrong.size(), calls.size()).that(wrong).isEmpty();
  }

  private static List<TensorDeclaration> outputs(Call call) {
    return CFunctions.parameters(call.program()).stream()
        .filter(tensor -> tensor.role() == Role.OUTPUT)
        .filter(tensor -> call.expected().containsKey(tensor.name()))
        .toList();
  }

  /** Returns the functions of calls, and a main function that runs them from in.bin to out.bin. */
  private static String source(List<Call> calls, ByteArrayOutputStream in) throws IOException {
    FunctionTable functions = new FunctionTable("m", MathMode.STRICT);
    StringBuilder main = new StringBuilder();
    for (Call call : calls) {
      String name =
          functions.use(call.program(), ImmutableSet.copyOf(call.shared().values()), TILING);
      List<String> arguments = new ArrayList<>();
      StringBuilder after = new StringBuilder();
      main.append("  {\n");
      for (TensorDeclaration tensor : CFunctions.parameters(call.program())) {
        String variable = "a" + arguments.size();
        arguments.add(variable);
        Tensor input = call.tensors().get(tensor.name());
        if (call.shared().containsValue(tensor.name())) {
          String shared = Iterables.getOnlyElement(call.shared().keySet());
          input = requireNonNull(call.tensors().get(shared));
        }
        long bytes = bytes(tensor);
        if (input != null) {
          in.write(TensorBytes.of(input));
        }
        main.append("    void *").append(variable);
        main.append(input != null ? " = take(in, " : " = poisoned(").append(bytes).append(");\n");
        boolean isGiven = call.expected().containsKey(tensor.name());
        after.append(isGiven ? "    give(to, " : "    drop(").append(variable);
        after.append(isGiven ? ", " + bytes : "").append(");\n");
      }
      long workspace = CFunctions.workspaceBytes(call.program(), TILING);
      if (workspace > 0) {
        main.append("    void *w = poisoned(").append(workspace).append(");\n");
        arguments.add("w");
        after.append("    drop(w);\n");
      }
      main.append("    ").append(name).append('(').append(String.join(", ", arguments));
      main.append(");\n").append(after).append("  }\n");
    }
    return """
        #include <math.h>
        #include <stddef.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>

        """
        + functions.text()
        + """
        static inline void *poisoned(size_t bytes) {
          void *data = malloc(bytes + 1);
          if (data == NULL) exit(2);
          memset(data, 0xff, bytes + 1);
          return data;
        }

        static inline void *take(FILE *in, size_t bytes) {
          void *data = poisoned(bytes);
          if (fread(data, 1, bytes, in) != bytes) exit(1);
          return data;
        }

        static inline void drop(void *data) { free(data); }

        static inline void give(FILE *to, void *data, size_t bytes) {
          fwrite(data, 1, bytes, to);
          free(data);
        }

        int main(void) {
          FILE *in = fopen("in.bin", "rb");
          FILE *to = fopen("out.bin", "wb");
          if (in == NULL || to == NULL) return 1;
        """
        + main
        + "  fclose(in);\n  return fclose(to);\n}\n";
  }

  private static long bytes(TensorDeclaration tensor) {
    return TensorBytes.size(
        tensor.type(), requireNonNull(BoundProgram.shapes(alone(tensor)).get(tensor.name())));
  }

  private static MicroProgram alone(TensorDeclaration tensor) {
    return new MicroProgram(
        "", ImmutableList.of(), ImmutableList.of(tensor), ImmutableList.of(), ImmutableList.of());
  }
}
