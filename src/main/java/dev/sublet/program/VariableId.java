package dev.sublet.program;

import static java.util.Objects.requireNonNull;

/**
 * A variable's identity: the block that declares it and its name there. Two blocks may declare the
 * same name; the two are different variables.
 *
 * @param block the index of the declaring block
 * @param name the name, as {@link Names} decodes it
 */
public record VariableId(int block, String name) implements Comparable<VariableId> {

  public VariableId {
    requireNonNull(name, "name");
  }

  /** Orders by block, then by name. */
  @Override
  public int compareTo(VariableId other) {
    return block != other.block ? Integer.compare(block, other.block) : name.compareTo(other.name);
  }

  /** Returns, for example, {@code 0:conv2d_0.tmp_0}. */
  @Override
  public String toString() {
    return block + ":" + Names.display(name);
  }
}
