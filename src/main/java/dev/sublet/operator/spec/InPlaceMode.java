package dev.sublet.operator.spec;

/** The in-place pairs of the catalog that may be used. */
public enum InPlaceMode {
  /**
   * Pairs that runs of the real Paddle have confirmed; for ONNX, pairs that follow from the
   * operators' definitions.
   */
  VERIFIED,
  /** Also pairs of Paddle's own table that could not be tested by runs. */
  TABLE,
  /** No pairs. */
  NONE
}
