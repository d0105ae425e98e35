package dev.sublet.cli.argument;

/** The forms in which {@code micro} prints its input. */
public enum MicroForm {
  /** Micro ops, one per line. */
  OP,
  /** Loop nests. */
  LOOPS,
  /** A C file. */
  C
}
