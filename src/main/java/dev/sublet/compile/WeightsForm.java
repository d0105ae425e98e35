package dev.sublet.compile;

/** Where the constants of a compiled model are. */
public enum WeightsForm {
  /** In {@code NAME_weights.c}, as arrays. */
  C,
  /** In {@code NAME_weights.bin}, which the caller loads or maps. */
  BIN,
  /** As BIN, but the file is not written. */
  NONE
}
