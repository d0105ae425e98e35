package dev.sublet.operator.spec;

/** Which in-place pairs of the catalog may be taken. */
public enum InPlaceMode {
  /** Pairs that runs of a real Paddle have judged; for ONNX, pairs that follow from definitions. */
  VERIFIED,
  /** Also pairs of Paddle's own table that nothing could run. */
  TABLE,
  /** No pair. */
  NONE
}
