package dev.sublet.operator.paddle.sequence;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.control.ArrayShapes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shape rules for operators that change sequence offsets, or split sequences by time step.
 *
 * <p>The abstract shape of a rank table has two extents: the number of sequences in the table and
 * the number of their rows. The LoD of the abstract shape has one level: the offsets of these
 * sequences.
 */
final class RankTableShapes {

  private RankTableShapes() {}

  /**
   * Gives {@code Out} the shape of {@code X} with new offsets: those of {@code Y}, else those in
   * the elements of {@code Y}, or without {@code Y} those in {@code target_lod}.
   */
  static void lodReset(ShapeCall call) {
    AbstractShape x = call.in("X");
    ImmutableList<ImmutableLongArray> made = newOffsets(call);
    boolean appends = call.flag("append", false) && !(call.has("Y") && hasOffsets(call.in("Y")));
    if (made != null && x.dim(0).isExact()) {
      ImmutableLongArray finest = made.get(made.size() - 1);
      if (finest.isEmpty() || !x.dim(0).is((double) Offsets.last(finest))) {
        throw new ShapeMismatchException(
            "the offsets " + finest + " are not those of the rows of X " + x);
      }
    }
    call.out("Out", x.withLod(appends ? joined(call, x.lod(), made) : made));
  }

  private static boolean hasOffsets(AbstractShape tensor) {
    return Offsets.mayExist(tensor);
  }

  private static @Nullable ImmutableList<ImmutableLongArray> newOffsets(ShapeCall call) {
    if (!call.has("Y")) {
      return call.offsets(ImmutableLongArray.copyOf(call.integers("target_lod")));
    }
    AbstractShape y = call.in("Y");
    if (hasOffsets(y)) {
      return y.lod();
    }
    if (!y.hasElements() || !y.elements().stream().allMatch(SymbolicExtent::isExact)) {
      return null;
    }
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    y.elements().forEach(offset -> offsets.add(offset.asLong()));
    return call.offsets(offsets.build());
  }

  private static @Nullable ImmutableList<ImmutableLongArray> joined(
      ShapeCall call,
      @Nullable ImmutableList<ImmutableLongArray> coarse,
      @Nullable ImmutableList<ImmutableLongArray> fine) {
    if (coarse == null || fine == null) {
      return null;
    }
    List<ImmutableLongArray> levels = new ArrayList<>(coarse);
    levels.addAll(fine);
    return call.offsets(levels.toArray(new ImmutableLongArray[0]));
  }

  /** Gives {@code Out} the sequences of one level of {@code X}, the longest first. */
  static void rankTable(ShapeCall call) {
    AbstractShape x = call.in("X");
    int level = call.integer("level", 0);
    ImmutableList<ImmutableLongArray> lod = x.lod();
    boolean finest = lod != null && lod.size() == level + 1;
    SymbolicExtent rows =
        finest ? x.dim(0) : call.unknown("rows", "its rows are sequences themselves");
    AbstractShape table = AbstractShape.of(Offsets.count(call, x, level), rows);
    call.out("Out", table.withLod(lod == null ? null : tableOffsets(call, x, level)));
  }

  private static ImmutableList<ImmutableLongArray> tableOffsets(
      ShapeCall call, AbstractShape x, int level) {
    ImmutableList<ImmutableLongArray> lod = Offsets.levels(x);
    return lod.size() == 1 ? lod : call.offsets(Offsets.level(x, level));
  }

  /** Gives {@code Out} one number, the length of the longest sequence. */
  static void maxSequenceLength(ShapeCall call) {
    SymbolicExtent longest = Offsets.longest(call, call.in("RankTable"), 0);
    call.out("Out", AbstractShape.of(1).withElements(ImmutableList.of(longest)));
  }

  /**
   * Gives {@code Out} an array of time steps: element t contains row t of every sequence of {@code
   * X} that is longer than t.
   */
  static void toArray(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape table = call.in("RankTable");
    boolean flat = Offsets.areOneLevel(x);
    SymbolicExtent bound = flat ? table.dim(0).min(x.dim(0)) : x.dim(0);
    AbstractShape step =
        AbstractShape.of(SequenceShapes.withRows(call.atMost("rows", bound), x))
            .withLod(flat ? ImmutableList.of() : null);
    call.out("Out", step.withLength(Offsets.longest(call, table, 0)));
  }

  /** Gives {@code Out} the rows of all time steps, in the order of the rank table's sequences. */
  static void fromArray(ShapeCall call) {
    AbstractShape array = call.in("X");
    AbstractShape table = call.in("RankTable");
    boolean flat = !Offsets.mayExist(array);
    SymbolicExtent rows =
        flat ? table.dim(1) : call.unknown("rows", "the time steps may hold sequences themselves");
    AbstractShape each = call.another(array.withLength(null));
    call.out(
        "Out",
        AbstractShape.of(SequenceShapes.withRows(rows, each)).withLod(flat ? table.lod() : null));
  }

  /** Gives {@code Out} the rows of {@code X} for the sequences that are longer than {@code I}. */
  static void shrink(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape table = call.in("RankTable");
    SymbolicExtent step = ArrayShapes.number(call.in("I"));
    boolean known = table.lod() != null && !Offsets.mayExist(x);
    SymbolicExtent rows =
        known && step != null && step.isExact()
            ? longerThan(call, table, step)
            : call.atMost("rows", x.dim(0));
    call.out(
        "Out",
        AbstractShape.of(SequenceShapes.withRows(rows, x))
            .withLod(Offsets.mayExist(x) ? null : ImmutableList.of()));
  }

  private static SymbolicExtent longerThan(
      ShapeCall call, AbstractShape table, SymbolicExtent step) {
    long count = 0;
    for (long length : Offsets.lengths(Offsets.level(table, 0))) {
      count += length > step.asLong() ? 1 : 0;
    }
    return step.isConstant()
        ? call.counted(Offsets.levels(table), "longer than " + step, count)
        : call.computed("rows", count);
  }

  /**
   * Gives {@code Out} the shape of {@code X}, with its sequences or rows in the order of the rank
   * table.
   */
  static void reorder(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape out = AbstractShape.of(x.dims());
    call.out("Out", Offsets.mayExist(x) ? out.withLod(reordered(call, x)) : out);
  }

  /**
   * Gives the gradient the shape of the gradient of {@code Out}: {@code Out} that of {@code X}, as
   * Paddle calls them, or {@code X@GRAD} that of {@code Out@GRAD}.
   */
  static void reorderGradient(ShapeCall call) {
    String gradient = call.has("Out@GRAD") ? "Out@GRAD" : "X";
    AbstractShape x = call.in(gradient);
    AbstractShape out = AbstractShape.of(x.dims());
    call.out(
        call.operation().outputSlot("Out").isPresent() ? "Out" : "X@GRAD",
        Offsets.mayExist(x) ? out.withLod(null) : out);
  }

  private static @Nullable ImmutableList<ImmutableLongArray> reordered(
      ShapeCall call, AbstractShape x) {
    AbstractShape table = call.in("RankTable");
    if (!Offsets.areOneLevel(x) || table.lod() == null) {
      return null;
    }
    ImmutableList<Long> lengths = Offsets.lengths(Offsets.level(x, 0));
    ImmutableList<Long> ranks = Offsets.lengths(Offsets.level(table, 0));
    if (lengths.size() != ranks.size()) {
      return null;
    }
    List<Long> sorted = new ArrayList<>();
    IntStream.range(0, ranks.size())
        .boxed()
        .sorted((a, b) -> Long.compare(ranks.get(b), ranks.get(a)))
        .forEach(i -> sorted.add(lengths.get(i)));
    return call.offsets(Offsets.ofLengths(sorted));
  }

  /**
   * Divides the rows, or sequences, of {@code X} between {@code OutTrue} and {@code OutFalse}: each
   * has at most all of them.
   */
  static void split(ShapeCall call) {
    AbstractShape x = call.in("X");
    ImmutableList<ImmutableLongArray> lod = Offsets.mayExist(x) ? null : ImmutableList.of();
    for (String slot : ImmutableList.of("OutTrue", "OutFalse")) {
      SymbolicExtent rows = call.atMost(slot, x.dim(0));
      call.out(slot, AbstractShape.of(SequenceShapes.withRows(rows, x)).withLod(lod));
    }
  }

  /**
   * Gives {@code Out} the rows of {@code InTrue} and {@code InFalse} together; without sequences,
   * one row per mark in {@code Mask}.
   */
  static void merge(ShapeCall call) {
    AbstractShape whenTrue = call.in("InTrue");
    AbstractShape whenFalse = call.in("InFalse");
    boolean flat = !Offsets.mayExist(whenTrue) && !Offsets.mayExist(whenFalse);
    SymbolicExtent rows =
        flat ? call.in("Mask").dim(0) : call.atMost("rows", whenTrue.dim(0).plus(whenFalse.dim(0)));
    AbstractShape like = whenTrue.hasRank() ? whenTrue : whenFalse;
    call.out(
        "Out",
        AbstractShape.of(SequenceShapes.withRows(rows, like))
            .withLod(flat ? ImmutableList.of() : null));
  }
}
