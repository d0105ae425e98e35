package dev.sublet.diag;

import static java.util.Objects.requireNonNull;

/**
 * A location in the input: file, block, operator, variable. Each part may be unknown; only the
 * known parts are printed.
 *
 * @param file the file's name, or empty
 * @param block the block's index, or -1
 * @param operation the operator's index in its block, or -1
 * @param operationType the operator's type, or empty
 * @param variable the variable's name, or empty
 */
public record Location(
    String file, int block, int operation, String operationType, String variable) {

  private static final Location NOWHERE = new Location("", -1, -1, "", "");

  public Location {
    requireNonNull(file, "file");
    requireNonNull(operationType, "operationType");
    requireNonNull(variable, "variable");
  }

  /** The location of a message that concerns the whole run. */
  public static Location nowhere() {
    return NOWHERE;
  }

  /** The location of a whole file. */
  public static Location file(String file) {
    return new Location(file, -1, -1, "", "");
  }

  /** The location of a whole block. */
  public static Location block(int block) {
    return new Location("", block, -1, "", "");
  }

  /** The location of an operator in a block. */
  public static Location operation(int block, int operation, String type) {
    return new Location("", block, operation, type, "");
  }

  /** The location of a variable of a block. */
  public static Location variable(int block, String name) {
    return new Location("", block, -1, "", name);
  }

  /** Returns the same location in the given file. */
  public Location in(String newFile) {
    return new Location(newFile, block, operation, operationType, variable);
  }

  /** Returns the same location, narrowed to a variable. */
  public Location at(String newVariable) {
    return new Location(file, block, operation, operationType, newVariable);
  }

  /** Returns the known parts, for example {@code m.pdmodel: block 1, op 3 (relu), variable 'x'}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(file);
    String separator = file.isEmpty() ? "" : ": ";
    if (block >= 0) {
      text.append(separator).append("block ").append(block);
      separator = ", ";
    }
    if (operation >= 0) {
      text.append(separator).append("op ").append(operation);
      if (!operationType.isEmpty()) {
        text.append(" (").append(operationType).append(')');
      }
      separator = ", ";
    }
    if (!variable.isEmpty()) {
      text.append(separator).append("variable '").append(variable).append('\'');
    }
    return text.toString();
  }
}
