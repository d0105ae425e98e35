package dev.sublet.operator;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shapes of operators on tensors whose rows are sequences. */
final class SequenceShapes {

  private SequenceShapes() {}

  /**
   * {@code Out} is one row a sequence of {@code X}, and so is {@code MaxIndex} of the type {@code
   * MAX}, which the other types leave empty.
   */
  static void pool(ShapeCall call) {
    AbstractTensor x = call.in("X");
    ImmutableList<Quantity> dims = withRows(Offsets.count(call, x, -1), x);
    ImmutableList<ImmutableLongArray> lod = x.lod();
    boolean nested = lod != null && lod.size() > 1;
    ImmutableList<ImmutableLongArray> rest =
        lod == null ? null : nested ? call.offsets(lod.get(0)) : ImmutableList.of();
    call.out("Out", AbstractTensor.of(dims).withLod(rest));
    boolean finds = call.text("pooltype", "AVERAGE").equals("MAX");
    call.out("MaxIndex", finds ? AbstractTensor.of(dims) : AbstractTensor.of(0));
  }

  /** {@code Out} is the sequences of all {@code X}, the first of each, then the second, … */
  static void concat(ShapeCall call) {
    List<AbstractTensor> parts = call.all("X");
    AbstractTensor first = call.in("X");
    Quantity rows = Quantity.of(0);
    for (AbstractTensor part : parts) {
      rows = rows.plus(part.dim(0));
    }
    call.out("Out", AbstractTensor.of(withRows(rows, first)).withLod(concatLod(call, parts)));
  }

  private static @Nullable ImmutableList<ImmutableLongArray> concatLod(
      ShapeCall call, List<AbstractTensor> parts) {
    long[] sums = null;
    for (AbstractTensor part : parts) {
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

  /** {@code Out} is one row of {@code Filter}'s width for each row of {@code X}. */
  static void conv(ShapeCall call) {
    AbstractTensor x = call.in("X");
    AbstractTensor filter = call.in("Filter");
    Quantity taken = x.dim(1).times(call.integer("contextLength", 1));
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
    call.out("Out", AbstractTensor.of(x.dim(0), filter.dim(1)).withLod(x.lod()));
  }

  /**
   * {@code Out} is each sequence of {@code X}, or each row if it has none, as often as the sequence
   * of level {@code ref_level} of {@code Y} is long.
   */
  static void expand(ShapeCall call) {
    AbstractTensor x = call.in("X");
    int level = call.integer("ref_level", -1);
    if (x.lod() == null || call.in("Y").lod() == null) {
      Quantity rows = call.unknown("rows", "the offsets of sequences are not known");
      call.out("Out", AbstractTensor.of(withRows(rows, x)).withLod(null));
      return;
    }
    ImmutableList<Long> times = Offsets.lengths(Offsets.level(call.in("Y"), level));
    boolean sequences = Offsets.mayExist(x);
    ImmutableList<Long> lengths =
        sequences ? Offsets.lengths(Offsets.level(x, 0)) : ImmutableList.of();
    checkRepeats(x, sequences ? Quantity.of((long) lengths.size()) : x.dim(0), times.size());
    List<Long> repeated = new ArrayList<>();
    long rows = 0;
    for (int i = 0; i < times.size(); i++) {
      for (long j = 0; sequences && j < times.get(i); j++) {
        repeated.add(lengths.get(i));
      }
      rows += times.get(i) * (sequences ? lengths.get(i) : 1);
    }
    AbstractTensor out = AbstractTensor.of(withRows(call.computed("rows", rows), x));
    call.out("Out", sequences ? out.withLod(call.offsets(Offsets.ofLengths(repeated))) : out);
  }

  private static void checkRepeats(AbstractTensor x, Quantity parts, int times) {
    if (parts.isExact() && !parts.is(times)) {
      throw new ShapeMismatchException(
          "X " + x + " has " + parts + " parts to repeat, but Y has " + times + " sequences");
    }
  }

  /** {@code Out} is each row of {@code X} as often as the sequence of {@code Y} is long. */
  static void expandAs(ShapeCall call) {
    AbstractTensor x = call.in("X");
    AbstractTensor y = call.in("Y");
    if (Offsets.areOneLevel(y)) {
      checkRepeats(x, x.dim(0), Offsets.level(y, 0).length() - 1);
    }
    call.out("Out", AbstractTensor.of(withRows(y.dim(0), x)).withLod(y.lod()));
  }

  /** {@code Y} is a row of {@code maxlen} marks, or as many as the largest, for each length. */
  static void mask(ShapeCall call) {
    AbstractTensor x = call.in("X");
    Quantity width;
    if (call.has("MaxLenTensor")) {
      Quantity given = ArrayShapes.number(call.in("MaxLenTensor"));
      width = given == null ? call.unknown("maxlen", "it depends on MaxLenTensor") : given;
    } else if (call.integer("maxlen", -1) >= 0) {
      width = Quantity.of((long) call.integer("maxlen", -1));
    } else {
      width = largest(x);
      width = width == null ? call.unknown("maxlen", "it depends on the largest length") : width;
    }
    call.out("Y", AbstractTensor.of(append(x.dims(), width)));
  }

  /** The largest of the elements; null if they are not followed. */
  static @Nullable Quantity largest(AbstractTensor lengths) {
    if (!lengths.hasElements() || lengths.elements().isEmpty()) {
      return null;
    }
    Quantity largest = lengths.elements().get(0);
    for (Quantity length : lengths.elements()) {
      largest = largest.max(length);
    }
    return largest;
  }

  /** {@code Out} is the sequences side by side, as long as {@code padded_length} or the longest. */
  static void pad(ShapeCall call) {
    AbstractTensor x = call.in("X");
    Quantity count = Offsets.count(call, x, 0);
    Quantity longest = Offsets.longest(call, x, 0);
    int given = call.integer("padded_length", -1);
    if (given >= 0 && longest.isExact() && longest.value() > given) {
      throw new ShapeMismatchException(
          "a sequence of " + longest + " rows of X " + x + " is padded to " + given);
    }
    Quantity width = given >= 0 ? Quantity.of((long) given) : longest;
    ImmutableList.Builder<Quantity> dims = ImmutableList.builder();
    dims.add(count).addAll(withRows(width, x));
    call.out("Out", AbstractTensor.of(dims.build()));
    call.out("Length", AbstractTensor.of(count));
  }

  /** {@code Out} is the first {@code Length} rows of each padded sequence; at most all of them. */
  static void unpad(ShapeCall call) {
    AbstractTensor x = call.in("X");
    AbstractTensor length = call.in("Length");
    ImmutableList.Builder<Quantity> dims = ImmutableList.builder();
    dims.add(total(call, length, x.dim(0).times(x.dim(1))));
    dims.addAll(x.rank() == 2 ? ImmutableList.of(Quantity.of(1)) : x.dims().subList(2, x.rank()));
    call.out("Out", AbstractTensor.of(dims.build()).withLod(lodOf(call, length)));
  }

  /** {@code Out} is {@code Length} rows of each sequence of {@code X}; at most all of them. */
  static void slice(ShapeCall call) {
    AbstractTensor x = call.in("X");
    AbstractTensor length = call.in("Length");
    Quantity rows = total(call, length, x.dim(0));
    call.out("Out", AbstractTensor.of(withRows(rows, x)).withLod(lodOf(call, length)));
  }

  private static Quantity total(ShapeCall call, AbstractTensor lengths, Quantity bound) {
    if (!lengths.hasElements()) {
      return call.atMost("rows", bound);
    }
    Quantity sum = Quantity.of(0);
    for (Quantity length : lengths.elements()) {
      sum = sum.plus(length);
    }
    return sum.isExact() ? sum : call.atMost("rows", bound);
  }

  private static @Nullable ImmutableList<ImmutableLongArray> lodOf(
      ShapeCall call, AbstractTensor lengths) {
    if (!lengths.hasElements() || !lengths.elements().stream().allMatch(Quantity::isExact)) {
      return null;
    }
    List<Long> numbers = new ArrayList<>();
    lengths.elements().forEach(length -> numbers.add(length.asLong()));
    return call.offsets(Offsets.ofLengths(numbers));
  }

  /** {@code Out} is the elements of {@code X} in rows of {@code new_dim}. */
  static void reshape(ShapeCall call) {
    AbstractTensor x = call.in("X");
    int width = call.integer("new_dim", 1);
    Quantity count = x.dim(0).times(x.dim(1));
    if (count.isExact() && count.value() % width != 0) {
      throw new ShapeMismatchException("the elements of X " + x + " are not rows of " + width);
    }
    Quantity rows = x.dim(1).is(width) ? x.dim(0) : count.floorDividedBy(width);
    call.out(
        "Out",
        AbstractTensor.of(rows, Quantity.of((long) width)).withLod(reshapeLod(call, x, width)));
  }

  private static @Nullable ImmutableList<ImmutableLongArray> reshapeLod(
      ShapeCall call, AbstractTensor x, int width) {
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

  /** {@code Out} is, for each row of {@code X}, the {@code win_size} numbers from there on. */
  static void enumerate(ShapeCall call) {
    AbstractTensor x = call.in("X");
    Quantity width = Quantity.of((long) call.integer("win_size", 1));
    call.out("Out", AbstractTensor.of(x.dim(0), width).withLod(x.lod()));
  }

  /** {@code Out} is the rows of {@code X} that are none of {@code tokens}. */
  static void erase(ShapeCall call) {
    AbstractTensor x = call.in("X");
    boolean nothing = call.integers("tokens").isEmpty();
    call.out(
        "Out",
        nothing
            ? x.withElements(null)
            : x.withDims(withRows(call.atMost("rows", x.dim(0)), x)).withLod(null));
  }

  /** {@code Out} has the shape of {@code X}, without sequences. */
  static void scatter(ShapeCall call) {
    call.out("Out", AbstractTensor.of(call.in("X").dims()));
  }

  /** {@code Out} is averages of the best {@code topks} columns for each row and channel. */
  static void topkAverage(ShapeCall call) {
    Quantity rows = call.in("ROW").dim(0);
    long channels = call.integer("channel_num", 1);
    List<Long> best = call.integers("topks");
    long most = best.isEmpty() ? 0 : best.get(best.size() - 1);
    Quantity width = Quantity.of(channels * best.size());
    call.out("Out", AbstractTensor.of(rows, width).withLod(call.in("ROW").lod()));
    call.out("pos", AbstractTensor.of(rows.times((double) channels * most)));
  }

  /** {@code Out} is {@code num_hash} hashes of each row of {@code X}. */
  static void hash(ShapeCall call) {
    AbstractTensor x = call.in("X");
    DimLists.checkRank(x, "X", 2);
    ImmutableList<Quantity> rows = x.dims().subList(0, Math.max(0, x.rank() - 1));
    Quantity hashes = Quantity.of((long) call.integer("num_hash", 1));
    call.out(
        "Out", AbstractTensor.of(append(append(rows, hashes), Quantity.of(1))).withLod(x.lod()));
  }

  /**
   * The extents of a tensor with another number of rows.
   *
   * @throws ShapeMismatchException if it has no extents
   */
  static ImmutableList<Quantity> withRows(Quantity rows, AbstractTensor tensor) {
    List<Quantity> dims = new ArrayList<>(tensor.dims());
    if (dims.isEmpty()) {
      throw new ShapeMismatchException("a tensor without extents has no rows");
    }
    dims.set(0, rows);
    return ImmutableList.copyOf(dims);
  }

  private static ImmutableList<Quantity> append(ImmutableList<Quantity> dims, Quantity last) {
    ImmutableList.Builder<Quantity> longer = ImmutableList.builder();
    return longer.addAll(dims).add(last).build();
  }
}
