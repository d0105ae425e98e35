package dev.sublet.operator.paddle.sequence;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.DimLists;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.control.ArrayShapes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shape rules for operators on tensors whose rows form sequences. */
final class SequenceShapes {

  private SequenceShapes() {}

  /**
   * Gives {@code Out} one row per sequence of {@code X}. {@code MaxIndex} has the same extents for
   * the pooling type {@code MAX}, and is empty for the other types.
   */
  static void pool(ShapeCall call) {
    AbstractShape x = call.in("X");
    ImmutableList<SymbolicExtent> dims = withRows(Offsets.count(call, x, -1), x);
    ImmutableList<ImmutableLongArray> lod = x.lod();
    boolean nested = lod != null && lod.size() > 1;
    ImmutableList<ImmutableLongArray> rest =
        lod == null ? null : nested ? call.offsets(lod.get(0)) : ImmutableList.of();
    call.out("Out", AbstractShape.of(dims).withLod(rest));
    boolean finds = call.text("pooltype", "AVERAGE").equals("MAX");
    call.out("MaxIndex", finds ? AbstractShape.of(dims) : AbstractShape.of(0));
  }

  /**
   * Gives {@code Out} the rows of all {@code X}: the first sequence of each input, then the second
   * sequence of each, …
   */
  static void concat(ShapeCall call) {
    List<AbstractShape> parts = call.all("X");
    AbstractShape first = call.in("X");
    SymbolicExtent rows = SymbolicExtent.of(0);
    for (AbstractShape part : parts) {
      rows = rows.plus(part.dim(0));
    }
    call.out("Out", AbstractShape.of(withRows(rows, first)).withLod(concatLod(call, parts)));
  }

  private static @Nullable ImmutableList<ImmutableLongArray> concatLod(
      ShapeCall call, List<AbstractShape> parts) {
    long[] sums = null;
    for (AbstractShape part : parts) {
      if (!Offsets.areOneLevel(part)) {
        return null;
      }
      ImmutableLongArray offsets = Offsets.level(part, 0);
      sums = sums == null ? new long[offsets.length()] : sums;
      if (sums.length != offsets.length()) {
        throw new ShapeMismatchException(
            "inputs of "
                + (sums.length - 1)
                + " and of "
                + (offsets.length() - 1)
                + " sequences are concatenated");
      }
      for (int i = 0; i < sums.length; i++) {
        sums[i] += offsets.get(i);
      }
    }
    return sums == null ? null : call.offsets(ImmutableLongArray.copyOf(sums));
  }

  /** Gives {@code Out} one row of {@code Filter}'s width per row of {@code X}. */
  static void conv(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape filter = call.in("Filter");
    SymbolicExtent taken = x.dim(1).times(call.integer("contextLength", 1));
    if (taken.isExact() && filter.dim(0).isExact() && !taken.is(filter.dim(0).value())) {
      throw new ShapeMismatchException(
          "a window of "
              + call.integer("contextLength", 1)
              + " rows of X "
              + x
              + " has "
              + taken
              + " numbers, but Filter "
              + filter
              + " takes "
              + filter.dim(0));
    }
    call.out("Out", AbstractShape.of(x.dim(0), filter.dim(1)).withLod(x.lod()));
  }

  /**
   * Gives {@code Out} repetitions of each sequence of {@code X}, or of each row if {@code X} has no
   * sequences. The number of repetitions is the length of the corresponding sequence of level
   * {@code ref_level} of {@code Y}.
   */
  static void expand(ShapeCall call) {
    AbstractShape x = call.in("X");
    int level = call.integer("ref_level", -1);
    if (x.lod() == null || call.in("Y").lod() == null) {
      SymbolicExtent rows = call.unknown("rows", "the offsets of sequences are not known");
      call.out("Out", AbstractShape.of(withRows(rows, x)).withLod(null));
      return;
    }
    ImmutableList<Long> times = Offsets.lengths(Offsets.level(call.in("Y"), level));
    boolean sequences = Offsets.mayExist(x);
    ImmutableList<Long> lengths =
        sequences ? Offsets.lengths(Offsets.level(x, 0)) : ImmutableList.of();
    checkRepeats(x, sequences ? SymbolicExtent.of((long) lengths.size()) : x.dim(0), times.size());
    List<Long> repeated = new ArrayList<>();
    long rows = 0;
    for (int i = 0; i < times.size(); i++) {
      for (long j = 0; sequences && j < times.get(i); j++) {
        repeated.add(lengths.get(i));
      }
      rows += times.get(i) * (sequences ? lengths.get(i) : 1);
    }
    AbstractShape out = AbstractShape.of(withRows(call.computed("rows", rows), x));
    call.out("Out", sequences ? out.withLod(call.offsets(Offsets.ofLengths(repeated))) : out);
  }

  private static void checkRepeats(AbstractShape x, SymbolicExtent parts, int times) {
    if (parts.isExact() && !parts.is(times)) {
      throw new ShapeMismatchException(
          "X " + x + " has " + parts + " parts to repeat, but Y has " + times + " sequences");
    }
  }

  /**
   * Gives {@code Out} repetitions of each row of {@code X}; the number of repetitions is the length
   * of the corresponding sequence of {@code Y}.
   */
  static void expandAs(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape y = call.in("Y");
    if (Offsets.areOneLevel(y)) {
      checkRepeats(x, x.dim(0), Offsets.level(y, 0).length() - 1);
    }
    call.out("Out", AbstractShape.of(withRows(y.dim(0), x)).withLod(y.lod()));
  }

  /**
   * Gives {@code Y} a row of marks per length: {@code maxlen} marks, or as many as the largest
   * length.
   */
  static void mask(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent width;
    if (call.has("MaxLenTensor")) {
      SymbolicExtent given = ArrayShapes.number(call.in("MaxLenTensor"));
      width = given == null ? call.unknown("maxlen", "it depends on MaxLenTensor") : given;
    } else if (call.integer("maxlen", -1) >= 0) {
      width = SymbolicExtent.of((long) call.integer("maxlen", -1));
    } else {
      width = largest(x);
      width = width == null ? call.unknown("maxlen", "it depends on the largest length") : width;
    }
    call.out("Y", AbstractShape.of(append(x.dims(), width)));
  }

  /** Returns the largest element; null if the elements are not tracked, or there are none. */
  static @Nullable SymbolicExtent largest(AbstractShape lengths) {
    if (!lengths.hasElements() || lengths.elements().isEmpty()) {
      return null;
    }
    SymbolicExtent largest = lengths.elements().get(0);
    for (SymbolicExtent length : lengths.elements()) {
      largest = largest.max(length);
    }
    return largest;
  }

  /**
   * Gives {@code Out} all sequences padded to one length: {@code padded_length}, or that of the
   * longest sequence.
   */
  static void pad(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent count = Offsets.count(call, x, 0);
    SymbolicExtent longest = Offsets.longest(call, x, 0);
    int given = call.integer("padded_length", -1);
    if (given >= 0 && longest.isExact() && longest.value() > given) {
      throw new ShapeMismatchException(
          "a sequence of " + longest + " rows of X " + x + " is padded to " + given);
    }
    SymbolicExtent width = given >= 0 ? SymbolicExtent.of((long) given) : longest;
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    dims.add(count).addAll(withRows(width, x));
    call.out("Out", AbstractShape.of(dims.build()));
    call.out("Length", AbstractShape.of(count));
  }

  /** Gives {@code Out} the first {@code Length} rows of each padded sequence; at most all rows. */
  static void unpad(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape length = call.in("Length");
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    dims.add(total(call, length, x.dim(0).times(x.dim(1))));
    dims.addAll(
        x.rank() == 2 ? ImmutableList.of(SymbolicExtent.of(1)) : x.dims().subList(2, x.rank()));
    call.out("Out", AbstractShape.of(dims.build()).withLod(lodOf(call, length)));
  }

  /** Gives {@code Out} {@code Length} rows of each sequence of {@code X}; at most all rows. */
  static void slice(ShapeCall call) {
    AbstractShape x = call.in("X");
    AbstractShape length = call.in("Length");
    SymbolicExtent rows = total(call, length, x.dim(0));
    call.out("Out", AbstractShape.of(withRows(rows, x)).withLod(lodOf(call, length)));
  }

  private static SymbolicExtent total(ShapeCall call, AbstractShape lengths, SymbolicExtent bound) {
    if (!lengths.hasElements()) {
      return call.atMost("rows", bound);
    }
    SymbolicExtent sum = SymbolicExtent.of(0);
    for (SymbolicExtent length : lengths.elements()) {
      sum = sum.plus(length);
    }
    return sum.isExact() ? sum : call.atMost("rows", bound);
  }

  private static @Nullable ImmutableList<ImmutableLongArray> lodOf(
      ShapeCall call, AbstractShape lengths) {
    if (!lengths.hasElements() || !lengths.elements().stream().allMatch(SymbolicExtent::isExact)) {
      return null;
    }
    List<Long> numbers = new ArrayList<>();
    lengths.elements().forEach(length -> numbers.add(length.asLong()));
    return call.offsets(Offsets.ofLengths(numbers));
  }

  /** Gives {@code Out} the elements of {@code X} in rows of {@code new_dim} elements. */
  static void reshape(ShapeCall call) {
    AbstractShape x = call.in("X");
    int width = call.integer("new_dim", 1);
    SymbolicExtent count = x.dim(0).times(x.dim(1));
    if (count.isExact() && count.value() % width != 0) {
      throw new ShapeMismatchException("the elements of X " + x + " are not rows of " + width);
    }
    SymbolicExtent rows = x.dim(1).is(width) ? x.dim(0) : count.floorDividedBy(width);
    call.out(
        "Out",
        AbstractShape.of(rows, SymbolicExtent.of((long) width))
            .withLod(reshapeLod(call, x, width)));
  }

  private static @Nullable ImmutableList<ImmutableLongArray> reshapeLod(
      ShapeCall call, AbstractShape x, int width) {
    if (x.dim(1).is(width)) {
      return x.lod();
    }
    if (!Offsets.areOneLevel(x) || !x.dim(1).isExact()) {
      return null;
    }
    List<Long> lengths = new ArrayList<>();
    for (long length : Offsets.lengths(Offsets.level(x, 0))) {
      lengths.add(length * x.dim(1).asLong() / width);
    }
    return call.offsets(Offsets.ofLengths(lengths));
  }

  /**
   * Gives {@code Out} one row per row of {@code X}: the {@code win_size} numbers that begin at this
   * row.
   */
  static void enumerate(ShapeCall call) {
    AbstractShape x = call.in("X");
    SymbolicExtent width = SymbolicExtent.of((long) call.integer("win_size", 1));
    call.out("Out", AbstractShape.of(x.dim(0), width).withLod(x.lod()));
  }

  /** Gives {@code Out} the rows of {@code X} that contain none of {@code tokens}. */
  static void erase(ShapeCall call) {
    AbstractShape x = call.in("X");
    boolean nothing = call.integers("tokens").isEmpty();
    call.out(
        "Out",
        nothing
            ? x.withElements(null)
            : x.withDims(withRows(call.atMost("rows", x.dim(0)), x)).withLod(null));
  }

  /** Gives {@code Out} the shape of {@code X}, without sequences. */
  static void scatter(ShapeCall call) {
    call.out("Out", AbstractShape.of(call.in("X").dims()));
  }

  /**
   * Gives {@code Out}, per row and channel, one average for each number in {@code topks}: the
   * average of that many best columns.
   */
  static void topkAverage(ShapeCall call) {
    SymbolicExtent rows = call.in("ROW").dim(0);
    long channels = call.integer("channel_num", 1);
    List<Long> best = call.integers("topks");
    long most = best.isEmpty() ? 0 : best.get(best.size() - 1);
    SymbolicExtent width = SymbolicExtent.of(channels * best.size());
    call.out("Out", AbstractShape.of(rows, width).withLod(call.in("ROW").lod()));
    call.out("pos", AbstractShape.of(rows.times((double) channels * most)));
  }

  /** Gives {@code Out} {@code num_hash} hashes per row of {@code X}. */
  static void hash(ShapeCall call) {
    AbstractShape x = call.in("X");
    DimLists.checkRank(x, "X", 2);
    ImmutableList<SymbolicExtent> rows = x.dims().subList(0, Math.max(0, x.rank() - 1));
    SymbolicExtent hashes = SymbolicExtent.of((long) call.integer("num_hash", 1));
    call.out(
        "Out",
        AbstractShape.of(append(append(rows, hashes), SymbolicExtent.of(1))).withLod(x.lod()));
  }

  /**
   * Returns the extents of a tensor with another number of rows.
   *
   * @throws ShapeMismatchException if the tensor has no extents
   */
  static ImmutableList<SymbolicExtent> withRows(SymbolicExtent rows, AbstractShape tensor) {
    List<SymbolicExtent> dims = new ArrayList<>(tensor.dims());
    if (dims.isEmpty()) {
      throw new ShapeMismatchException("a tensor without extents has no rows");
    }
    dims.set(0, rows);
    return ImmutableList.copyOf(dims);
  }

  private static ImmutableList<SymbolicExtent> append(
      ImmutableList<SymbolicExtent> dims, SymbolicExtent last) {
    ImmutableList.Builder<SymbolicExtent> longer = ImmutableList.builder();
    return longer.addAll(dims).add(last).build();
  }
}
