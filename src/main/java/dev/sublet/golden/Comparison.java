package dev.sublet.golden;

import static java.util.Objects.requireNonNull;

/**
 * How files are compared.
 *
 * @param updateSwitch the system property under which expected files are written
 * @param renamings whether variables may have other names
 * @param exact whether programs and plans are compared byte for byte, as other files are
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
