package dev.sublet.cli.flag;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cli.argument.FeedValue;
import dev.sublet.cli.argument.FileArgument;
import dev.sublet.codec.tensor.NpyReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Feed;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.ShapeOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the feeds of a program. */
public final class FeedFlags {

  @Option(
      names = "--feed",
      paramLabel = "NAME=SOURCE",
      converter = FeedValue.Converter.class,
      description =
          "The value of a feed: a .npy file, random:SEED, or values:V,V,… in the shape "
              + "of the feed. Repeatable. Default: random:0. Example: --feed x=x.npy.")
  private List<FeedValue> feeds = new ArrayList<>();

  /** The tensors that were read from files, by feed. */
  private final Map<String, Tensor> files = new LinkedHashMap<>();

  /**
   * Reads the feeds that come from files, and returns the given shapes with the shapes of these
   * feeds added.
   *
   * @throws ProgramException if a file cannot be read, if a feed is given twice, or if its file
   *     does not have the shape that is given for the feed
   */
  public ShapeOptions withShapesOfFiles(ShapeOptions shapes) {
    Map<String, ImmutableLongArray> all = new LinkedHashMap<>(shapes.feedShapes());
    Map<String, FeedValue> seen = new LinkedHashMap<>();
    for (FeedValue feed : feeds) {
      if (seen.put(feed.name(), feed) != null) {
        throw ProgramException.usage("--feed gives '" + feed.name() + "' twice");
      }
      if (!isInline(feed)) {
        Tensor tensor = NpyReader.read(FileArgument.path(feed.source()));
        files.put(feed.name(), tensor);
        ImmutableLongArray given = all.put(feed.name(), tensor.shape());
        if (given != null && !given.equals(tensor.shape())) {
          throw ProgramException.usage(
              "--shape, or the given plan, gives '"
                  + feed.name()
                  + "' the shape "
                  + given
                  + ", but "
                  + feed.source()
                  + " has "
                  + tensor.shape());
        }
      }
    }
    return shapes.withShapes(ImmutableMap.copyOf(all));
  }

  private static boolean isInline(FeedValue feed) {
    return feed.source().startsWith(FeedValue.RANDOM) || feed.source().startsWith(FeedValue.VALUES);
  }

  /**
   * Returns all feeds of a program. A feed without a given value gets pseudo-random numbers; a note
   * in the log lists these feeds.
   *
   * @param shapes the result of {@link #withShapesOfFiles}, for which the program was analyzed
   * @throws ProgramException if the program does not declare a given feed, if the number of given
   *     values does not fit the feed's shape, or if that shape is not known
   */
  public ImmutableMap<String, LodTensor> tensors(
      ProgramFacts analysis, ShapeOptions shapes, DiagnosticLog log) {
    Map<String, FeedValue> given = new LinkedHashMap<>();
    feeds.forEach(feed -> given.put(feed.name(), feed));
    ImmutableMap.Builder<String, LodTensor> tensors = ImmutableMap.builder();
    List<String> madeUp = new ArrayList<>();
    Program program = analysis.program();
    for (Variable variable : program.block(0).variables()) {
      FeedValue feed = given.remove(variable.name());
      if (feed != null || analysis.liveness().observation().isFeed(variable.index())) {
        ImmutableLongArray value = shapes.values().get(variable.name());
        Tensor tensor =
            feed == null && value != null
                ? tensor(analysis, variable, value)
                : tensor(analysis, variable, feed);
        if (value != null) {
          checkHas(tensor, value, variable);
        }
        tensors.put(
            variable.name(),
            new LodTensor(tensor, shapes.lod().getOrDefault(variable.name(), ImmutableList.of())));
        if (feed == null && value == null) {
          madeUp.add(Names.display(variable.name()));
        }
      }
    }
    if (!given.isEmpty()) {
      throw unknownFeed(given.keySet().iterator().next(), analysis);
    }
    if (!madeUp.isEmpty()) {
      log.note(
          Location.nowhere(),
          "pseudo-random numbers are fed into " + String.join(", ", madeUp) + "; see --feed");
    }
    return tensors.buildOrThrow();
  }

  /** The feed with the elements for which the program was analyzed. */
  private static Tensor tensor(ProgramFacts analysis, Variable variable, ImmutableLongArray value) {
    int feed = variable.index();
    Tensor like =
        RandomTensors.feed(
            variable.name(), 0, analysis.sizes().dataType(feed), analysis.sizes().dims(feed));
    return RandomTensors.ofValues(like.type(), like.shape(), doubles(value));
  }

  private static double[] doubles(ImmutableLongArray value) {
    double[] elements = new double[value.length()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (double) value.get(i);
    }
    return elements;
  }

  /** Rejects a feed with other elements than those for which the program was analyzed. */
  private static void checkHas(Tensor tensor, ImmutableLongArray value, Variable variable) {
    Tensor expected = RandomTensors.ofValues(tensor.type(), tensor.shape(), doubles(value));
    if (!tensor.equals(expected)) {
      String name = Names.display(variable.name());
      throw ProgramException.usage(
          "--feed gives '"
              + name
              + "' another value than "
              + new Feed(name, Optional.empty(), ImmutableList.of(), value)
              + ", for which the plan is");
    }
  }

  private static ProgramException unknownFeed(String name, ProgramFacts analysis) {
    List<String> feeds = new ArrayList<>();
    for (Variable variable : analysis.program().block(0).variables()) {
      if (analysis.liveness().observation().isFeed(variable.index())) {
        feeds.add(Names.display(variable.name()));
      }
    }
    return ProgramException.usage(
        "--feed names '"
            + name
            + "', which the program's block 0 does not declare"
            + NameHint.of(name, "feeds", feeds));
  }

  private Tensor tensor(ProgramFacts analysis, Variable variable, @Nullable FeedValue feed) {
    Tensor read = files.get(variable.name());
    if (read != null) {
      return read;
    }
    ImmutableLongArray shape = analysis.sizes().dims(variable.index());
    if (shape.contains(-1) || !analysis.sizes().isKnown(variable.index())) {
      throw ProgramException.usage(
          "the shape of feed '"
              + Names.display(variable.name())
              + "' is not known; give --shape or --feed NAME=FILE.npy");
    }
    String source = feed == null ? FeedValue.RANDOM + "0" : feed.source();
    Tensor zeros =
        RandomTensors.feed(
            variable.name(), seed(source), analysis.sizes().dataType(variable.index()), shape);
    return source.startsWith(FeedValue.VALUES) ? values(source, zeros) : zeros;
  }

  private static long seed(String source) {
    if (!source.startsWith(FeedValue.RANDOM)) {
      return 0;
    }
    Long seed = Longs.tryParse(source.substring(FeedValue.RANDOM.length()));
    if (seed == null) {
      throw ProgramException.usage("'" + source + "' has no seed; a seed is a whole number");
    }
    return seed;
  }

  private static Tensor values(String source, Tensor like) {
    List<Double> values = new ArrayList<>();
    for (String text : Splitter.on(',').split(source.substring(FeedValue.VALUES.length()))) {
      Double value = Doubles.tryParse(text);
      if (value == null) {
        throw ProgramException.usage("'" + text + "' in '" + source + "' is not a number");
      }
      values.add(value);
    }
    if (values.size() != like.length()) {
      throw ProgramException.usage(
          "'" + source + "' has " + values.size() + " numbers for the shape " + like.shape());
    }
    return RandomTensors.ofValues(like.type(), like.shape(), Doubles.toArray(values));
  }
}
