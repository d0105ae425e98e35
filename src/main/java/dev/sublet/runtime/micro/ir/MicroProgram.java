package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * Loop nests over declared tensors.
 *
 * @param name what it computes
 * @param parameters the scalars that the caller gives
 * @param tensors inputs, outputs and temporaries; a shape mentions only tensors in front of it
 * @param requirements what must hold of the extents
 * @param functions run one after the other
 */
public record MicroProgram(
    String name,
    ImmutableList<ScalarDeclaration> parameters,
    ImmutableList<TensorDeclaration> tensors,
    ImmutableList<Requirement> requirements,
    ImmutableList<MicroFunction> functions) {

  public MicroProgram {
    requireNonNull(name, "name");
    requireNonNull(parameters, "parameters");
    requireNonNull(tensors, "tensors");
    requireNonNull(requirements, "requirements");
    requireNonNull(functions, "functions");
  }

  /**
   * The tensor of a name. O(tensors).
   *
   * @throws IllegalArgumentException if there is none
   */
  public TensorDeclaration tensor(String tensorName) {
    for (TensorDeclaration tensor : tensors) {
      if (tensor.name().equals(tensorName)) {
        return tensor;
      }
    }
    throw new IllegalArgumentException("no tensor " + tensorName + " in " + name);
  }

  /** The text that {@link MicroProgramText} reads. */
  @Override
  public String toString() {
    return MicroProgramText.print(this);
  }
}
