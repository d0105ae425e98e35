package dev.sublet.runtime.kernel.onnx;

import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.MissingElementsException;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A kernel before which the elements of inputs are checked. A lowering must not read them, because
 * its program is kept for other elements.
 *
 * @param inner the kernel
 * @param check throws an {@link OperatorException} if an element is bad
 */
public record CheckedKernel(Kernel inner, Consumer<OperatorCall> check) implements Kernel {

  @Override
  public boolean isLowered() {
    return inner.isLowered();
  }

  @Override
  public boolean takes(ElementType type) {
    return inner.takes(type);
  }

  /** Returns the translation, with a check of the elements that are known. */
  @Override
  public Optional<Translation> translate(OperatorCall call) {
    try {
      check.accept(call);
    } catch (MissingElementsException e) {
      // The elements are computed when the program runs, where nothing can be refused.
    }
    return inner.translate(call);
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    check.accept(call);
    return inner.run(call);
  }

  /**
   * Refuses an index outside of its axis; a negative index counts from the end. O(indices).
   *
   * @param extents the extent for each position in the last axis of the index; a single extent
   *     holds for all indices
   */
  public static void requireInside(Tensor index, long... extents) {
    for (int i = 0; i < index.length(); i++) {
      long place = index.getLong(i);
      long extent = extents[i % extents.length];
      if (place < -extent || place >= extent) {
        throw new OperatorException("index " + place + " outside of an axis of " + extent);
      }
    }
  }
}
