package dev.sublet.shape;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The open extents of feeds to which the user gives no number. Sizes that depend on them are
 * unknown.
 *
 * <pre>
 *   feed ids: int64[batch, length]      names     length
 *   feed image: fp32[-1, 3, -1, -1]               the shape of 'image'
 *                                       example   --shape length=16 --shape image=1,3,16,16
 * </pre>
 *
 * <p>A leading extent is no open extent, because its default is the batch, unless it counts the
 * rows of sequences.
 */
public final class OpenExtents {

  /** The numbers that an example tries, in this order. Images need larger ones. */
  private static final ImmutableList<Long> NUMBERS = ImmutableList.of(16L, 64L, 224L, 640L);

  private final Program program;
  private final LodCarriers lod;
  private final ShapeOptions given;
  private final long batch;
  private final ImmutableSet<String> extents;
  private final ImmutableList<Variable> feeds;

  private OpenExtents(
      Program program,
      LodCarriers lod,
      ShapeOptions given,
      long batch,
      ImmutableSet<String> extents,
      ImmutableList<Variable> feeds) {
    this.program = program;
    this.lod = lod;
    this.given = given;
    this.batch = batch;
    this.extents = extents;
    this.feeds = feeds;
  }

  /**
   * Finds the open extents of a program. O(variables + operators of the entry block).
   *
   * @param given the shapes that the user gives
   * @throws ProgramException if the given shapes do not fit the program
   */
  public static OpenExtents find(Program program, LodCarriers lod, ShapeOptions given) {
    FeedShapes shapes = new FeedShapes(program, lod, given, new ExtentExpressions());
    ImmutableSet.Builder<String> extents = ImmutableSet.builder();
    ImmutableList.Builder<Variable> feeds = ImmutableList.builder();
    for (Variable feed : shapes.feeds()) {
      AbstractShape shape = shapes.start(feed.index());
      boolean needsShape = false;
      for (int axis = 0; shape.hasRank() && axis < shape.rank(); axis++) {
        if (!shape.dim(axis).isKnown()) {
          String name = feed.extentName(axis);
          if (name.isEmpty()) {
            needsShape = true;
          } else {
            extents.add(name);
          }
        }
      }
      if (needsShape) {
        feeds.add(feed);
      }
    }
    return new OpenExtents(program, lod, given, shapes.batch(), extents.build(), feeds.build());
  }

  /** Whether every extent has a number. */
  public boolean isEmpty() {
    return extents.isEmpty() && feeds.isEmpty();
  }

  /** The names of the open extents that have one. */
  public ImmutableSet<String> extents() {
    return extents;
  }

  /** The feeds with open extents that have no name. */
  public ImmutableList<Variable> feeds() {
    return feeds;
  }

  /** Returns the names of the extents and feeds, separated by commas. */
  public String names() {
    List<String> names = new ArrayList<>(extents);
    for (int i = 0; i < feeds.size(); i++) {
      String of = i > 0 ? "" : feeds.size() > 1 ? "the shapes of " : "the shape of ";
      names.add(of + "'" + Names.display(feeds.get(i).name()) + "'");
    }
    return Joiner.on(", ").join(names);
  }

  /**
   * Returns options that give every open extent a number which the program's operators accept; of
   * several numbers the first one. Runs shape inference once per number.
   *
   * @return the options, such as {@code --shape length=16}; if no number is accepted, the letter N
   *     in place of the number
   */
  public String example(OperatorCatalog catalog) {
    return "--shape " + Joiner.on(" --shape ").join(exampleShapes(catalog));
  }

  /** Returns the values of the options of {@link #example}, such as {@code length=16}. */
  public ImmutableList<String> exampleShapes(OperatorCatalog catalog) {
    for (long number : NUMBERS) {
      if (isAccepted(number, catalog)) {
        return shapes(Long.toString(number));
      }
    }
    return shapes("N");
  }

  private boolean isAccepted(long number, OperatorCatalog catalog) {
    try {
      ShapeInference.infer(program, catalog, lod, with(number));
      return true;
    } catch (ProgramException notAccepted) {
      return false;
    }
  }

  private ShapeOptions with(long number) {
    Map<String, ImmutableLongArray> shapes = new LinkedHashMap<>(given.feedShapes());
    for (String extent : extents) {
      shapes.put(extent, ImmutableLongArray.of(isBatch(extent) ? batch : number));
    }
    for (Variable feed : feeds) {
      ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
      for (String dim : dims(feed, Long.toString(number))) {
        dims.add(Long.parseLong(dim));
      }
      shapes.put(feed.name(), dims.build());
    }
    return given.withShapes(ImmutableMap.copyOf(shapes)).withSingleSequences(program);
  }

  private ImmutableList<String> shapes(String number) {
    ImmutableList.Builder<String> shapes = ImmutableList.builder();
    for (String extent : extents) {
      shapes.add(extent + "=" + (isBatch(extent) ? batch : number));
    }
    for (Variable feed : feeds) {
      shapes.add(Names.display(feed.name()) + "=" + Joiner.on(',').join(dims(feed, number)));
    }
    return shapes.build();
  }

  /** Whether an extent is also the leading one of a feed, whose default is the batch. */
  private boolean isBatch(String extent) {
    return program.block(0).variables().stream()
        .anyMatch(each -> each.hasBindingShape() && each.extentName(0).equals(extent));
  }

  /** The declared extents of a feed, with a number in place of each open one. */
  private List<String> dims(Variable feed, String number) {
    List<String> dims = new ArrayList<>();
    ImmutableLongArray declared = feed.tensorType().map(TensorType::dims).orElseThrow();
    for (int axis = 0; axis < declared.length(); axis++) {
      boolean isBatch = axis == 0 && !lod.carries(feed.index());
      dims.add(
          declared.get(axis) >= 0
              ? Long.toString(declared.get(axis))
              : isBatch ? Long.toString(batch) : number);
    }
    return dims;
  }
}
