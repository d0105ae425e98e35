package dev.sublet.cli;

/** The forms in which {@code micro} prints what it has read. */
enum MicroForm {
  /** Micro ops, a line each. */
  OP,
  /** Loop nests. */
  LOOPS,
  /** A C file. */
  C
}
