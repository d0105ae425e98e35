package dev.sublet.cli;

/** What a command does once its options have been set. */
interface Verb {

  /**
   * Runs the command.
   *
   * @return the exit code
   */
  int call();
}
