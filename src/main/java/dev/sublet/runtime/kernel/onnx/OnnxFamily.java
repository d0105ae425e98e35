package dev.sublet.runtime.kernel.onnx;

import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Registers kernels for ONNX's operator types, for all element types. The kernels themselves are
 * given tensors of the element types of micro programs only.
 *
 * <pre>{@code
 * family.numbers("Exp", lowering);                    // the output has the type of input 0
 * family.numbers("Less", OutputTypes.asComputed(), …);    // the output is BOOL
 * }</pre>
 */
public final class OnnxFamily {

  private final KernelRegistry.Builder kernels;

  /** Creates a family that registers its kernels in a builder. */
  public OnnxFamily(KernelRegistry.Builder kernels) {
    this.kernels = kernels;
  }

  /** Adds a lowering that computes with numbers; outputs have the type of input 0. */
  public OnnxFamily numbers(String type, Lowering lowering) {
    return lowered(type, Use.NUMBERS, OutputTypes.like(0), lowering);
  }

  /** Adds a lowering that computes with numbers. */
  public OnnxFamily numbers(String type, OutputTypes outputs, Lowering lowering) {
    return lowered(type, Use.NUMBERS, outputs, lowering);
  }

  /** Adds a lowering that only moves elements; outputs have the type of input 0. */
  public OnnxFamily moves(String type, Lowering lowering) {
    return lowered(type, Use.MOVES, OutputTypes.like(0), lowering);
  }

  /** Adds a lowering that only moves elements, with a check of the elements of its inputs. */
  public OnnxFamily checked(String type, Consumer<OperatorCall> check, Lowering lowering) {
    kernels.lowered(
        type,
        kernel ->
            new CarriedKernel(new CheckedKernel(kernel, check), Use.MOVES, OutputTypes.like(0)),
        lowering);
    return this;
  }

  /** Adds a lowering. */
  public OnnxFamily lowered(String type, Use use, OutputTypes outputs, Lowering lowering) {
    kernels.lowered(type, kernel -> new CarriedKernel(kernel, use, outputs), lowering);
    return this;
  }

  /** Adds a lowering with another kernel around it, which converts element types itself. */
  public OnnxFamily around(String type, UnaryOperator<Kernel> around, Lowering lowering) {
    kernels.lowered(type, around, lowering);
    return this;
  }

  /** Adds a kernel in Java code of its own that takes the tensors of all types as they are. */
  public OnnxFamily kernel(String type, Kernel kernel) {
    return kernel(type, Use.ANY, OutputTypes.asComputed(), kernel);
  }

  /** Adds a kernel in Java code of its own. */
  public OnnxFamily kernel(String type, Use use, OutputTypes outputs, Kernel kernel) {
    kernels.kernel(type, new CarriedKernel(kernel, use, outputs));
    return this;
  }
}
