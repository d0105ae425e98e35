package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableSet;
import dev.sublet.cli.argument.FeedAliasConverter;
import dev.sublet.cli.argument.SkipSet;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.FeedAliasNames;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the variables whose values must be unchanged at the end of a run. */
final class ObservationFlags {

  @Option(
      names = "--fetch",
      split = ",",
      paramLabel = "NAME",
      description =
          "A result to keep, in addition to the results that the program fetches. "
              + "Repeatable, or separated by commas. Default: none. Example: --fetch "
              + "fc_0.tmp_1.")
  private List<String> fetch = new ArrayList<>();

  @Option(
      names = "--keep",
      split = ",",
      paramLabel = "NAME",
      description =
          "A variable that keeps its name and its value. Repeatable, or separated by "
              + "commas; a name that contains a comma goes into --skip-opt-set. Default: none. "
              + "Example: --keep hidden,cell.")
  private List<String> keep = new ArrayList<>();

  @Option(
      names = "--skip-opt-set",
      paramLabel = "FILE",
      description =
          "A file with more names to keep, one per line; empty lines and lines that "
              + "begin with # are skipped. A name that the program does not declare is only a "
              + "warning. Default: none. Example: --skip-opt-set keep.txt.")
  private @Nullable Path skipSet;

  @Option(
      names = "--reuse-feeds",
      description = "Let other variables reuse the memory of a feed after its last read.")
  private boolean reuseFeeds;

  @Option(
      names = "--alias",
      paramLabel = "PAST=PRESENT",
      converter = FeedAliasConverter.class,
      description =
          "The feed PAST and the result PRESENT are one buffer of the runtime, such as a cache that "
              + "each run extends: plan both at one offset, or fail (exit code 2) and say which "
              + "operator is in the way. A * stands for the same text in both names. Repeatable. "
              + "Default: none. Example: --alias 'past.*=present.*'.")
  private List<FeedAliasNames> aliases = new ArrayList<>();

  /**
   * Returns the options for a program. The log gets a warning about names of the skip set that the
   * program does not declare.
   */
  ObservationOptions options(Program program, DiagnosticLog log) {
    ImmutableSet.Builder<String> kept = ImmutableSet.builder();
    kept.addAll(keep);
    if (skipSet != null) {
      kept.addAll(SkipSet.read(skipSet).namesDeclaredIn(program, log));
    }
    return new ObservationOptions(
        ImmutableSet.copyOf(fetch),
        kept.build(),
        reuseFeeds,
        FeedAliasNames.expand(aliases, program));
  }
}
