package dev.sublet.compile;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.machine.Kernels;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.onnx.OnnxCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The calls of {@code testdata/operators} and {@code testdata/onnx_operators}. */
final class OperatorCases {

  private OperatorCases() {}

  /** Takes a call with its kernel and a text that names it. */
  interface Taker {
    void take(String text, Kernel kernel, OperatorCall call);
  }

  /** Gives all calls of Paddle's operators with a kernel that matches. */
  static void forEachOfPaddle(Predicate<Kernel> matches, Taker taker) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("testdata", "operators"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".txt")).sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          if (!line.isBlank() && !line.startsWith("#")) {
            for (OracleCase one : OracleText.cases(line)) {
              take(one, matches, taker);
            }
          }
        }
      }
    }
  }

  private static void take(OracleCase one, Predicate<Kernel> matches, Taker taker) {
    Optional<Kernel> kernel = Kernels.all().find(one.type());
    if (kernel.isEmpty() || !matches.test(kernel.get())) {
      return;
    }
    try {
      OracleCase completed =
          one.completed(call -> Kernels.all().find(call.type()).orElseThrow().run(call));
      taker.take(one.text(), kernel.get(), completed.call());
    } catch (OperatorException e) {
      // A case that the kernel refuses.
    }
  }

  /** Gives all calls of ONNX's operators with a kernel that matches. */
  static void forEachOfOnnx(Predicate<Kernel> matches, Taker taker) throws IOException {
    for (String name : List.of("cases", "runs", "runs_layers", "runs_reductions", "runs_shapes")) {
      Path file = Path.of("testdata", "onnx_operators", name + ".txt");
      for (String line : Files.readAllLines(file)) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          take(OnnxCase.parse(line), matches, taker);
        }
      }
    }
  }

  /** Gives the calls of a case of ONNX with a kernel that matches. */
  static void take(OnnxCase one, Predicate<Kernel> matches, Taker taker) {
    OnnxModel model = OnnxModel.of(one.constant());
    ImmutableMap<String, Tensor> parameters;
    try {
      parameters = ModelParameters.read(model);
    } catch (ProgramException e) {
      return; // texts, for example
    }
    Program program = model.program();
    for (Operation operation : program.block(0).operations()) {
      Optional<Kernel> kernel = Kernels.all().find(operation.type());
      if (!operation.type().equals(one.type()) || kernel.isEmpty() || !matches.test(kernel.get())) {
        continue;
      }
      ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
      boolean isWhole = true;
      for (Slot slot : operation.inputSlots()) {
        for (int i = 0; i < slot.size(); i++) {
          Tensor tensor = parameters.get(slot.argument(i));
          isWhole &= tensor != null || slot.variable(i) == Program.NO_VARIABLE;
          if (tensor != null) {
            inputs.put(slot.name(), LodTensor.of(tensor));
          }
        }
      }
      ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
      operation.outputSlots().forEach(slot -> wanted.add(slot.name()));
      if (isWhole) {
        taker.take(
            one.line(), kernel.get(), new OperatorCall(operation, inputs.build(), wanted.build()));
      }
    }
  }

  /** Returns a call with tensors of which only type and shape are known. */
  static OperatorCall withoutElements(OperatorCall call, boolean keepsIntegers) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    call.inputs()
        .forEach(
            (slot, value) -> {
              Tensor tensor = value.tensor();
              boolean isKept = keepsIntegers && !tensor.type().isFloating();
              Tensor known =
                  isKept ? tensor : Tensor.withoutElements(tensor.type(), tensor.shape());
              inputs.put(slot, new LodTensor(known, value.lod()));
            });
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    call.operation()
        .outputSlots()
        .forEach(
            slot -> {
              if (call.wants(slot.name())) {
                wanted.add(slot.name());
              }
            });
    return new OperatorCall(call.operation(), inputs.build(), wanted.build());
  }

  /** Returns the inputs of a call by {@link LoweringCall#argumentName}. */
  static Map<String, Tensor> arguments(OperatorCall call) {
    Map<String, Tensor> arguments = new LinkedHashMap<>();
    for (String slot : call.inputs().keySet()) {
      for (int i = 0; i < call.arguments(slot).size(); i++) {
        arguments.put(LoweringCall.argumentName(slot, i), call.arguments(slot).get(i).tensor());
      }
    }
    return arguments;
  }
}
