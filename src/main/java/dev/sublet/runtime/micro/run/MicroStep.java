package dev.sublet.runtime.micro.run;

/** A statement, ready to run for a strip of lanes. */
abstract class MicroStep {

  /** Runs the statement for the first {@code lanes} lanes. */
  abstract void execute(int lanes);
}
