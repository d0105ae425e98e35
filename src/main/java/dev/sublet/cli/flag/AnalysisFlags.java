package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.cli.argument.FeedElements;
import dev.sublet.cli.argument.FeedShape;
import dev.sublet.cli.argument.RuntimeVersion;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.plan.Feed;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.sharing.SharingOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that analyzes a program. */
public final class AnalysisFlags {

  @Mixin private final ShapeFlags shapes = new ShapeFlags();

  @Option(
      names = "--value",
      paramLabel = "NAME=V,V,…",
      converter = FeedElements.Converter.class,
      description =
          "The elements of a feed of whole numbers or truth values, such as a number that "
              + "decides a branch. The result is then for runs with this value only. "
              + "Repeatable. Default: any value. Example: --value sr=16000.")
  private List<FeedElements> values = new ArrayList<>();

  @Mixin private final ObservationFlags observation = new ObservationFlags();

  @Option(
      names = "--place",
      paramLabel = "cpu|gpu",
      description =
          "The device that runs the program. On a GPU some variables are in the memory "
              + "of the CPU; the two memories never share bytes. Default: cpu. Example: "
              + "--place gpu.")
  private MemorySpaces.Target place = MemorySpaces.Target.CPU;

  @Option(
      names = "--in-place",
      paramLabel = "KIND",
      description =
          "Which outputs may take the memory of an input that is not read later. "
              + "verified: where runs of a real Paddle had equal bits; table: also where "
              + "Paddle's own table lists the pair, but no run was possible; none: no output. "
              + "Default: verified. Example: --in-place none.")
  private InPlaceMode inPlace = InPlaceMode.VERIFIED;

  @Option(
      names = "--runtime",
      paramLabel = "VERSION",
      converter = RuntimeVersion.class,
      description =
          "The version of Paddle that runs the program: an output takes the memory of an "
              + "input only where this is right for that version. Default: the program's "
              + "version and every later one. Example: --runtime 2.3.")
  private long runtime;

  @Option(
      names = "--strict",
      description =
          "Fail (exit code 4) if the catalog does not know an operator or has no shape rule for an "
              + "operator that needs one (see 'sublet ops'), or if a feed has an extent without a "
              + "number.")
  private boolean strict;

  /** Returns the options for a program, with the defaults for sharing and planning. */
  public TranspileOptions options(Program program, DiagnosticLog log) {
    return options(program, /* given= */ null, log);
  }

  /**
   * As {@link #options(Program, DiagnosticLog)}; for a batch or feed that the command line does not
   * set, that for which the given plan was made is used.
   *
   * @throws ProgramException if the options contradict each other
   */
  public TranspileOptions options(Program program, @Nullable MemoryPlan given, DiagnosticLog log) {
    TranspileOptions defaults =
        given == null
            ? TranspileOptions.defaults()
            : TranspileOptions.defaults().withShapesOf(given);
    return with(program, shapes.options(defaults.shapes()), log);
  }

  /**
   * As {@link #options(Program, DiagnosticLog)}, with further shapes.
   *
   * @throws ProgramException if the options contradict each other
   */
  public TranspileOptions withShapes(Program program, List<FeedShape> more, DiagnosticLog log) {
    return with(program, shapes.options(more), log);
  }

  private TranspileOptions with(Program program, ShapeOptions given, DiagnosticLog log) {
    ShapeOptions all = given.withValues(values(given)).withSingleSequences(program);
    all.values()
        .forEach(
            (name, value) -> {
              Feed feed = new Feed(name, Optional.empty(), ImmutableList.of(), value);
              log.note(
                  Location.nowhere(),
                  "this is for runs with " + Names.display(name) + "=" + feed.value() + " only");
            });
    return new TranspileOptions(
        all,
        observation.options(program, log),
        SharingOptions.defaults(),
        OffsetOptions.defaults(),
        place,
        /* release= */ false,
        /* stripDebug= */ false,
        strict,
        TranspileOptions.defaults().loops(),
        new InPlaceOptions(inPlace, runtime));
  }

  /** The values of the command line, and of other feeds those of a plan. */
  private ImmutableMap<String, ImmutableLongArray> values(ShapeOptions given) {
    Map<String, ImmutableLongArray> byName = new LinkedHashMap<>();
    for (FeedElements feed : values) {
      if (byName.put(feed.name(), feed.elements()) != null) {
        throw ProgramException.usage("--value gives '" + feed.name() + "' two values");
      }
    }
    given.values().forEach(byName::putIfAbsent);
    return ImmutableMap.copyOf(byName);
  }
}
