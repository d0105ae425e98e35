package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.cli.argument.FeedSequences;
import dev.sublet.cli.argument.FeedShape;
import dev.sublet.cli.argument.PositiveNumber;
import dev.sublet.diag.ProgramException;
import dev.sublet.shape.ShapeOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the shapes of one run. */
final class ShapeFlags {

  @Option(
      names = "--shape",
      paramLabel = "NAME=D,D,…",
      converter = FeedShape.Converter.class,
      description =
          "The shape of a feed, instead of the declared one. For an ONNX model, NAME=N "
              + "also gives the value of an extent with a name. Repeatable. Default: as "
              + "declared. Example: --shape image=1,3,224,224.")
  private List<FeedShape> shapes = new ArrayList<>();

  @Option(
      names = "--batch",
      paramLabel = "N",
      converter = PositiveNumber.class,
      description = "The value of a leading extent of -1. Default: 1. Example: --batch 8.")
  private @Nullable Long batch;

  @Option(
      names = "--lod",
      paramLabel = "NAME=0,N,…",
      converter = FeedSequences.Converter.class,
      description =
          "The offsets of the rows at which the sequences of a feed begin and end; "
              + "levels are separated by '/'. Repeatable. Default: one sequence of all rows, if "
              + "--shape gives the feed rows; else unknown. Example: "
              + "--lod words=0,3,7.")
  private List<FeedSequences> sequences = new ArrayList<>();

  /**
   * Returns the options.
   *
   * @param defaults the values for options that are not given
   * @throws ProgramException if a feed is given two shapes, or sequences twice
   */
  ShapeOptions options(ShapeOptions defaults) {
    return options(defaults, shapes);
  }

  /** As {@link #options(ShapeOptions)}, without defaults and with further shapes. */
  ShapeOptions options(List<FeedShape> more) {
    List<FeedShape> all = new ArrayList<>(shapes);
    all.addAll(more);
    return options(TranspileOptions.defaults().shapes(), all);
  }

  private ShapeOptions options(ShapeOptions defaults, List<FeedShape> given) {
    Map<String, ImmutableLongArray> byName = new LinkedHashMap<>();
    for (FeedShape shape : given) {
      if (byName.put(shape.name(), shape.dims()) != null) {
        throw ProgramException.usage("--shape gives '" + shape.name() + "' two shapes");
      }
    }
    Map<String, ImmutableList<ImmutableLongArray>> lodByName = new LinkedHashMap<>();
    for (FeedSequences feed : sequences) {
      if (lodByName.put(feed.name(), feed.levels()) != null) {
        throw ProgramException.usage("--lod gives '" + feed.name() + "' sequences twice");
      }
    }
    // A given shape that replaces a default one may imply another batch, too.
    boolean isReplaced = byName.keySet().stream().anyMatch(defaults.feedShapes()::containsKey);
    long defaultBatch = isReplaced ? 1 : defaults.batch();
    defaults.feedShapes().forEach(byName::putIfAbsent);
    defaults.lod().forEach(lodByName::putIfAbsent);
    return new ShapeOptions(
        batch == null ? defaultBatch : batch,
        ImmutableMap.copyOf(byName),
        ImmutableMap.copyOf(lodByName),
        defaults.values());
  }
}
