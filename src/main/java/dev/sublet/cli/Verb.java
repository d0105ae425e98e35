package dev.sublet.cli;

/** A command that can run once its options have been set. */
interface Verb {

  /**
   * Runs the command.
   *
   * @return the exit code
   */
  int call();
}
