package dev.sublet.cli.flag;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Refuses options that do not apply to tables of buffers. */
public final class TableOptions {

  private static final ImmutableSet<String> MEANINGFUL =
      ImmutableSet.of(
          "--output",
          "--plan",
          "--planner",
          "--align",
          "--capacity",
          "--effort",
          "--gap",
          "--nodes",
          "--timeout",
          "--buffer-order",
          "--report",
          "--color",
          "--json",
          "--quiet",
          "--verbose",
          "--timings",
          "--to");

  private TableOptions() {}

  /**
   * Checks the options that were given.
   *
   * @param spec the specification of the running command
   * @throws ProgramException if an option applies only to programs
   */
  public static void check(@Nullable CommandSpec spec, ProgramSource source) {
    ParseResult parsed = requireNonNull(spec).commandLine().getParseResult();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (!MEANINGFUL.contains(option.longestName())) {
        throw ProgramException.usage(
            option.longestName()
                + " is for programs, but "
                + source.name()
                + " is a table of buffers");
      }
    }
  }
}
