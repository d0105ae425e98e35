package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import dev.sublet.codec.PlanReader;
import dev.sublet.codec.ProgramReader;
import dev.sublet.codec.ReadProgram;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import java.util.function.Supplier;

/**
 * Where a program or a plan is read from.
 *
 * @param argument a path, or {@code -} for standard input
 * @param streams the streams of the run
 */
record ProgramSource(String argument, Streams streams) {

  ProgramSource {
    requireNonNull(argument, "argument");
    requireNonNull(streams, "streams");
  }

  /** The name under which diagnostics know it. */
  String name() {
    return isStandardInput() ? "<stdin>" : argument;
  }

  /** Whether it is standard input, which can be read once. */
  boolean isStandardInput() {
    return argument.equals(Streams.DASH);
  }

  /**
   * Reads a program.
   *
   * @throws ProgramException if there is none, or a malformed one
   */
  ReadProgram readProgram() {
    return isStandardInput()
        ? ProgramReader.parseWithFormat(streams.readInput(), name())
        : ProgramReader.readWithFormat(FileArgument.path(argument));
  }

  /**
   * Reads a plan.
   *
   * @throws ProgramException if there is none, or a malformed one
   */
  MemoryPlan readPlan() {
    return isStandardInput()
        ? PlanReader.parse(streams.readInput(), name())
        : PlanReader.read(FileArgument.path(argument));
  }

  /** Runs a step about this source, so that an error that it throws names the source. */
  <T> T about(Supplier<T> step) {
    try {
      return step.get();
    } catch (ProgramException e) {
      boolean usage = e.exitCode() == Diagnostic.Kind.USAGE.exitCode();
      throw usage ? e : e.in(name());
    }
  }
}
