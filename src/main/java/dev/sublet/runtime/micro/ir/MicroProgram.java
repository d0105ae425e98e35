package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;

/**
 * A program of loop nests over declared tensors.
 *
 * @param name what the program computes
 * @param parameters the scalars that the caller passes
 * @param tensors inputs, outputs and temporaries; a shape may refer only to tensors declared
 *     earlier
 * @param requirements equalities of extents that must hold in every run
 * @param functions the functions, in the order in which they run
 */
public record MicroProgram(
    String name,
    ImmutableList<ScalarDeclaration> parameters,
    ImmutableList<TensorDeclaration> tensors,
    ImmutableList<Requirement> requirements,
    ImmutableList<MicroFunction> functions) {

  /**
   * Returns the tensor with a name. O(tensors).
   *
   * @throws IllegalArgumentException if no tensor has the name
   */
  public TensorDeclaration tensor(String tensorName) {
    for (TensorDeclaration tensor : tensors) {
      if (tensor.name().equals(tensorName)) {
        return tensor;
      }
    }
    throw new IllegalArgumentException("no tensor " + tensorName + " in " + name);
  }

  /** The text that {@code MicroProgramText} reads. */
  @Override
  public String toString() {
    return MicroProgramPrinter.print(this);
  }
}
