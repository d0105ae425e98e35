package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the program that is compiled: the shapes of its feeds, and its results. */
public final class CompileFlags {

  @Mixin private final ShapeFlags shapes = new ShapeFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Option(
      names = "--fetch",
      split = ",",
      paramLabel = "NAME",
      description =
          "A result to return, in addition to the results that the program fetches. "
              + "Repeatable, or separated by commas. Default: none. Example: --fetch "
              + "fc_0.tmp_1.")
  private List<String> fetch = new ArrayList<>();

  /** Returns the names of the additional results. */
  public ImmutableSet<String> fetch() {
    return ImmutableSet.copyOf(fetch);
  }

  /**
   * Returns the options for a program.
   *
   * @throws dev.sublet.diag.ProgramException if options contradict each other
   */
  public TranspileOptions options(Program program) {
    TranspileOptions defaults = TranspileOptions.defaults();
    return defaults
        .withShapes(shapes.options(defaults.shapes()).withSingleSequences(program))
        .withObservation(new ObservationOptions(fetch(), ImmutableSet.of(), /* reuseFeeds= */ true))
        .withOffsets(planning.options())
        .withLoops(planning.loops())
        .withInPlace(new InPlaceOptions(InPlaceMode.VERIFIED, /* runtime= */ 0));
  }
}
