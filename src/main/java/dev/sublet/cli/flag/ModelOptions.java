package dev.sublet.cli.flag;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Refuses options that have no effect on an ONNX model, because a model is planned without being
 * rewritten.
 */
public final class ModelOptions {

  private static final ImmutableSet<String> FOR_REWRITING =
      ImmutableSet.of("--level", "--policy", "--fusion", "--release");

  private ModelOptions() {}

  /**
   * Checks the options that were given.
   *
   * @param spec the specification of the running command
   * @param loops the treatment of loops
   * @throws ProgramException if an option applies only to programs that are rewritten
   */
  public static void check(@Nullable CommandSpec spec, LoopMode loops, ProgramSource source) {
    for (OptionSpec option : requireNonNull(spec).commandLine().getParseResult().matchedOptions()) {
      if (FOR_REWRITING.contains(option.longestName())) {
        throw refused(option.longestName(), source);
      }
    }
    if (loops == LoopMode.UNROLL) {
      throw refused("--loops unroll", source);
    }
  }

  private static ProgramException refused(String option, ProgramSource source) {
    return ProgramException.usage(
        option
            + " is for programs that are rewritten, but "
            + source.name()
            + " is an ONNX model, which is planned as it is");
  }
}
