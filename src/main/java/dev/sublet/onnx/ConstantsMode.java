package dev.sublet.onnx;

/** The memory of values that a model computes from constants only. */
public enum ConstantsMode {
  /** A runtime computes them once, before the first run, and keeps them outside of the arena. */
  FOLDED,
  /** A runtime computes them in every run, and they are in the arena like other values. */
  ARENA
}
