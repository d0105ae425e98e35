package dev.sublet.golden;

import static java.util.Objects.requireNonNull;

/**
 * The way in which files are compared.
 *
 * @param updateSwitch the system property that causes expected files to be written
 * @param renamings whether variables may have different names
 * @param exact whether programs and plans must also be equal byte for byte, as other files must
 */
record Comparison(String updateSwitch, boolean renamings, boolean exact) {

  Comparison {
    requireNonNull(updateSwitch, "updateSwitch");
  }

  Comparison withUpdateSwitch(String property) {
    return new Comparison(property, renamings, exact);
  }

  Comparison withRenamings() {
    return new Comparison(updateSwitch, true, exact);
  }

  Comparison byteForByte() {
    return new Comparison(updateSwitch, renamings, true);
  }

  /** Whether expected files are to be written now. */
  boolean isUpdating() {
    return Boolean.getBoolean(updateSwitch);
  }
}
