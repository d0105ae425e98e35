package dev.sublet.cli.argument;

/** The forms in which {@code micro} prints what it has read. */
public enum MicroForm {
  /** Micro ops, a line each. */
  OP,
  /** Loop nests. */
  LOOPS,
  /** A C file. */
  C
}
