package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a tensor that are known before the program runs: its extents, the elements of a
 * small tensor of numbers, and its sequence offsets (LoD). If the rank is unknown, the shape
 * records the reason instead, and perhaps the number of elements.
 *
 * <pre>
 *   y = x of shape [4, 1, 8] or squeeze(x)     rank unknown, 32 elements
 * </pre>
 *
 * <p>The abstract shape of a tensor array describes the properties that all its elements share.
 * Immutable.
 */
public final class AbstractShape {

  private static final String UNWRITTEN = "its branch does not run";

  private static final String UNWRITTEN_NOW = UNWRITTEN + " for these shapes";

  private static final String NEVER_MADE = "never made for the given shapes";

  /** The maximum number of elements of a tensor whose elements are tracked. */
  public static final int MAX_ELEMENTS = 1024;

  private final @Nullable ImmutableList<SymbolicExtent> dims;
  private final @Nullable ImmutableList<SymbolicExtent> elements;
  private final @Nullable ImmutableList<ImmutableLongArray> lod;
  private final @Nullable SymbolicExtent length;
  private final String reason;

  /** For an unknown rank, the product of the extents; null if it is not known. */
  private final @Nullable SymbolicExtent size;

  private AbstractShape(
      @Nullable ImmutableList<SymbolicExtent> dims,
      @Nullable ImmutableList<SymbolicExtent> elements,
      @Nullable ImmutableList<ImmutableLongArray> lod,
      @Nullable SymbolicExtent length,
      String reason) {
    this(dims, elements, lod, length, reason, /* size= */ null);
  }

  private AbstractShape(
      @Nullable ImmutableList<SymbolicExtent> dims,
      @Nullable ImmutableList<SymbolicExtent> elements,
      @Nullable ImmutableList<ImmutableLongArray> lod,
      @Nullable SymbolicExtent length,
      String reason,
      @Nullable SymbolicExtent size) {
    this.size = size;
    this.dims = dims;
    this.elements = elements;
    this.lod = lod;
    this.length = length;
    this.reason = reason;
  }

  /** The shape of a tensor about which nothing is known, with the reason in a few words. */
  public static AbstractShape unknown(String reason) {
    return new AbstractShape(
        null, null, null, null, reason.isEmpty() ? "its shape is not known" : reason);
  }

  /** A tensor array to which nothing has been written. */
  public static AbstractShape emptyArray() {
    return new AbstractShape(null, null, null, SymbolicExtent.of(0), "the array has no elements");
  }

  /** A tensor with these extents, outermost first, and no sequence offsets. */
  public static AbstractShape of(Iterable<SymbolicExtent> dims) {
    return new AbstractShape(extents(dims), null, ImmutableList.of(), null, "");
  }

  /** Extents: a run in which one of them is negative does not go on. */
  private static ImmutableList<SymbolicExtent> extents(Iterable<SymbolicExtent> numbers) {
    ImmutableList.Builder<SymbolicExtent> extents = ImmutableList.builder();
    numbers.forEach(number -> extents.add(number.notNegative()));
    return extents.build();
  }

  /** A tensor with these extents and no sequence offsets. */
  public static AbstractShape of(SymbolicExtent... dims) {
    return of(ImmutableList.copyOf(dims));
  }

  /** A tensor with constant extents and no sequence offsets. */
  public static AbstractShape of(long... dims) {
    ImmutableList.Builder<SymbolicExtent> quantities = ImmutableList.builder();
    for (long extent : dims) {
      quantities.add(SymbolicExtent.of(extent));
    }
    return of(quantities.build());
  }

  /**
   * This shape with the given elements, in row-major order. More than {@link #MAX_ELEMENTS}
   * elements are dropped, as if null were given. A bounded element that may be negative is unknown.
   */
  public AbstractShape withElements(@Nullable Iterable<SymbolicExtent> newElements) {
    ImmutableList<SymbolicExtent> list =
        newElements == null ? null : ImmutableList.copyOf(newElements);
    if (list == null || list.size() > MAX_ELEMENTS) {
      return new AbstractShape(dims, null, lod, length, reason, size);
    }
    ImmutableList.Builder<SymbolicExtent> bounded =
        ImmutableList.builderWithExpectedSize(list.size());
    list.forEach(element -> bounded.add(element.boundedFromBelow()));
    return new AbstractShape(dims, bounded.build(), lod, length, reason, size);
  }

  /**
   * This shape with the given sequence offsets, the coarsest level first; null if they are unknown.
   */
  public AbstractShape withLod(@Nullable ImmutableList<ImmutableLongArray> newLod) {
    return new AbstractShape(dims, elements, newLod, length, reason, size);
  }

  /**
   * This shape with the given number of array elements; null if the variable is no tensor array, or
   * if the number is unknown.
   */
  public AbstractShape withLength(@Nullable SymbolicExtent newLength) {
    return new AbstractShape(dims, elements, lod, newLength, reason, size);
  }

  /** This shape with other extents and without elements. */
  public AbstractShape withDims(Iterable<SymbolicExtent> newDims) {
    return new AbstractShape(extents(newDims), null, lod, length, "");
  }

  /**
   * The facts about the tensor that hold for all feeds: every number that is not a constant becomes
   * unknown, and so does the LoD.
   */
  AbstractShape withoutFeeds(ExtentExpressions formulas) {
    return new AbstractShape(
        dims == null ? null : ExtentLists.withoutFeeds(dims, formulas),
        elements == null ? null : ExtentLists.withoutFeeds(elements, formulas),
        /* lod= */ null,
        length == null ? null : ExtentLists.withoutFeeds(ImmutableList.of(length), formulas).get(0),
        reason,
        size == null ? null : ExtentLists.withoutFeeds(ImmutableList.of(size), formulas).get(0));
  }

  /** Whether the rank is known; extents may still be unknown. */
  public boolean hasRank() {
    return dims != null;
  }

  /**
   * The extents, outermost first.
   *
   * @throws UnknownShapeException if the rank is unknown
   */
  public ImmutableList<SymbolicExtent> dims() {
    if (dims == null) {
      throw new UnknownShapeException(reason);
    }
    return dims;
  }

  /**
   * The number of extents.
   *
   * @throws UnknownShapeException if it is unknown
   */
  public int rank() {
    return dims().size();
  }

  /**
   * An extent; a negative index counts from the end.
   *
   * @throws UnknownShapeException if the rank is unknown
   * @throws ShapeMismatchException if there is no such extent
   */
  public SymbolicExtent dim(int i) {
    int index = i < 0 ? i + rank() : i;
    if (index < 0 || index >= rank()) {
      throw new ShapeMismatchException("there is no axis " + i + " in " + this);
    }
    return dims().get(index);
  }

  /**
   * The shape of another tensor with these extents: without elements, and without sequence offsets.
   *
   * @throws UnknownShapeException if neither the rank nor the product of the extents is known
   */
  public AbstractShape extentsAlone() {
    return dims == null && size != null
        ? new AbstractShape(null, null, ImmutableList.of(), null, reason, size)
        : of(dims());
  }

  /** Whether the product of the extents is recorded; it may still be unknown. */
  public boolean hasCount() {
    return dims != null || size != null;
  }

  /** This shape without the product of the extents, if the rank is unknown. */
  public AbstractShape withoutCount() {
    return new AbstractShape(dims, elements, lod, length, reason);
  }

  /**
   * The product of the extents.
   *
   * @throws UnknownShapeException if it is not recorded
   */
  public SymbolicExtent count() {
    if (size != null) {
      return size;
    }
    if (rank() == 0) {
      return SymbolicExtent.of(1);
    }
    SymbolicExtent count = dim(0);
    for (int i = 1; i < rank(); i++) {
      count = count.times(dim(i));
    }
    return count;
  }

  /** Whether the elements are tracked; each of them may still be unknown. */
  public boolean hasElements() {
    return elements != null;
  }

  /**
   * The elements, in row-major order.
   *
   * @throws UnknownShapeException if they are not tracked
   */
  public ImmutableList<SymbolicExtent> elements() {
    if (elements == null) {
      throw new UnknownShapeException(
          reason.isEmpty() ? "it depends on the elements of a tensor" : reason);
    }
    return elements;
  }

  /** The sequence offsets, the coarsest level first; empty without any; null if unknown. */
  public @Nullable ImmutableList<ImmutableLongArray> lod() {
    return lod;
  }

  /**
   * The number of elements of a tensor array; null if this is no array, or if the number is
   * unknown.
   */
  public @Nullable SymbolicExtent length() {
    return length;
  }

  /** Whether this is a tensor array to which nothing has been written, in any run. */
  public boolean isEmptyArray() {
    return dims == null && length != null && length.isConstant() && length.is(0);
  }

  /**
   * The shape of a variable that only a skipped branch writes.
   *
   * @param inEveryRun whether the branch is skipped whatever the given shapes are
   */
  public static AbstractShape unwritten(boolean inEveryRun) {
    return unknown(inEveryRun ? UNWRITTEN : UNWRITTEN_NOW);
  }

  /** Whether only a skipped branch writes the variable. */
  public boolean isUnwritten() {
    return reason.equals(UNWRITTEN) || reason.equals(UNWRITTEN_NOW);
  }

  /** Whether only a branch that is skipped in every run writes the variable. */
  public boolean isNeverWritten() {
    return reason.equals(UNWRITTEN);
  }

  /**
   * The reason why a tensor is never made for the given shapes: an operator before it surely
   * rejects them, so that a run which gets there fails. Whatever is computed from such a tensor is
   * never made either.
   */
  public static String neverMadeReason(String operator, String detail) {
    return NEVER_MADE + ": op '" + operator + "': " + detail;
  }

  /** Whether the tensor is never made for the given shapes, see {@link #neverMadeReason}. */
  public boolean isNeverMade() {
    return reason.startsWith(NEVER_MADE);
  }

  /**
   * Whether no run with the given shapes reads the tensor here, although runs with other shapes
   * may: it is never made, or only a skipped branch writes it.
   */
  public boolean isMissingNow() {
    return isNeverMade() || reason.equals(UNWRITTEN_NOW);
  }

  /**
   * Whether the given shapes decide everything that is recorded about the tensor: there is no other
   * tensor that this shape stands for. Elements may be unknown altogether.
   */
  public boolean isConcrete() {
    return dims != null
        && length == null
        && ExtentLists.isExact(dims)
        && ExtentLists.isExact(elements);
  }

  /** Whether nothing is known because the rank changes between iterations or branches. */
  public boolean varies() {
    return reason.startsWith(SymbolicExtent.VARIES);
  }

  /** Why the rank is unknown; empty if it is known. */
  public String reason() {
    return reason;
  }

  /**
   * The join of two shapes: the facts that hold for a tensor that has either shape, for example
   * after a branch. If nothing writes one of them, no operator may read it, and the other one is
   * the join; in this run only, if runs with other shapes may write it.
   *
   * @param choice the unique name of the place where the two shapes meet; it names the symbols of
   *     the extents in which they differ
   */
  public AbstractShape or(AbstractShape other, ExtentExpressions formulas, String choice) {
    if (isSame(other) || other.isNeverWritten()) {
      return this;
    }
    if (isNeverWritten()) {
      return other;
    }
    if (isMissingNow() != other.isMissingNow()) {
      AbstractShape made = isMissingNow() ? other : this;
      return made.inThisRun(unknown(""), formulas, choice + " made");
    }
    SymbolicExtent joinedLength =
        length == null || other.length == null
            ? null
            : length.or(other.length, formulas, choice + " length");
    if (isEmptyArray() || other.isEmptyArray()) {
      return (isEmptyArray() ? other : this).withLength(joinedLength);
    }
    if (dims == null || other.dims == null) {
      AbstractShape unranked = dims == null ? this : other;
      return withoutRank(other, unranked.reason, joinedLength, formulas, choice);
    }
    if (dims.size() != other.dims.size()) {
      String ranks = dims.size() + " and " + other.dims.size() + " extents";
      return withoutRank(
          other, SymbolicExtent.VARIES + ": " + ranks, joinedLength, formulas, choice);
    }
    ImmutableList<SymbolicExtent> left = elements;
    ImmutableList<SymbolicExtent> right = other.elements;
    ImmutableList<SymbolicExtent> both =
        left != null && right != null && left.size() == right.size()
            ? ExtentLists.join(left, right, formulas, choice + "@")
            : null;
    return new AbstractShape(
        ExtentLists.join(dims, other.dims, formulas, choice),
        both,
        joinLod(other, formulas, choice),
        joinedLength,
        "");
  }

  /** The join of two shapes whose ranks differ or are not known. */
  private AbstractShape withoutRank(
      AbstractShape other,
      String why,
      @Nullable SymbolicExtent joinedLength,
      ExtentExpressions formulas,
      String choice) {
    SymbolicExtent joined =
        hasCount() && other.hasCount()
            ? count().or(other.count(), formulas, choice + " count")
            : null;
    return new AbstractShape(null, null, null, joinedLength, why, joined);
  }

  /**
   * Whether two shapes are equal and take their sequence offsets from one source. Such a shape is
   * its own join with the other.
   */
  public boolean isSame(AbstractShape other) {
    return equals(other) && isOneObject(lod, other.lod);
  }

  /**
   * Whether two offset lists are one object. Offsets from one source are always one object; equal
   * offsets from two sources may differ in other runs.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isOneObject(@Nullable Object left, @Nullable Object right) {
    return left == right;
  }

  /**
   * The joined offsets; null if they differ or are unknown. Offsets that are equal in this run may
   * differ in other runs, so they get a new source, named by {@code choice}.
   */
  private @Nullable ImmutableList<ImmutableLongArray> joinLod(
      AbstractShape other, ExtentExpressions formulas, String choice) {
    ImmutableList<ImmutableLongArray> left = lod;
    if (left == null || isOneObject(left, other.lod)) {
      return left;
    }
    return left.equals(other.lod) ? formulas.offsets(choice, left) : null;
  }

  /**
   * This shape at the end of a loop's body, if another iteration follows: with the bounds that the
   * limits of the loop give its numbers. O(numbers × bounds).
   *
   * @param entry the shape of the variable before the loop
   * @param head its shape at the beginning of the body
   */
  public AbstractShape within(LoopLimits limits, AbstractShape entry, AbstractShape head) {
    SymbolicExtent newLength =
        length == null || entry.length == null || head.length == null
            ? length
            : limits.limit(entry.length, head.length, length);
    ImmutableList<SymbolicExtent> newDims = within(limits, entry.dims, head.dims, dims);
    ImmutableList<SymbolicExtent> newElements =
        within(limits, entry.elements, head.elements, elements);
    AbstractShape limited = new AbstractShape(newDims, newElements, lod, newLength, reason, size);
    return equals(limited) ? this : limited;
  }

  private static @Nullable ImmutableList<SymbolicExtent> within(
      LoopLimits limits,
      @Nullable ImmutableList<SymbolicExtent> entry,
      @Nullable ImmutableList<SymbolicExtent> head,
      @Nullable ImmutableList<SymbolicExtent> end) {
    if (entry == null || head == null || end == null) {
      return end;
    }
    if (entry.size() != end.size() || head.size() != end.size()) {
      return end;
    }
    ImmutableList.Builder<SymbolicExtent> limited = ImmutableList.builder();
    for (int i = 0; i < end.size(); i++) {
      limited.add(limits.limit(entry.get(i), head.get(i), end.get(i)));
    }
    return limited.build();
  }

  /**
   * The abstract shape of the same tensor in another execution of the operator: every extent and
   * element that is not exact gets a fresh symbol.
   *
   * @param choice the unique name of the place of the other execution; it names the fresh symbols
   */
  public AbstractShape detached(ExtentExpressions formulas, String choice) {
    if (ExtentLists.isExact(dims)
        && ExtentLists.isExact(elements)
        && (length == null || length.isExact())
        && (size == null || size.isExact())) {
      return this;
    }
    SymbolicExtent newLength =
        length == null ? null : length.detached(formulas, choice + " length");
    return new AbstractShape(
        dims == null ? null : ExtentLists.detach(dims, formulas, choice),
        elements == null ? null : ExtentLists.detach(elements, formulas, choice + "@"),
        lod,
        newLength,
        reason,
        size == null ? null : size.detached(formulas, choice + " count"));
  }

  /**
   * The same shape in this run only: other runs may have any shape here. Every number gets a fresh
   * symbol, except the extents that a shape of all runs has too.
   *
   * @param everyRun what is known about the tensor in all runs
   * @param choice the unique name of the place; it names the fresh symbols
   */
  public AbstractShape inThisRun(
      AbstractShape everyRun, ExtentExpressions formulas, String choice) {
    ImmutableList<SymbolicExtent> own = dims;
    ImmutableList<SymbolicExtent> newDims =
        own == null ? null : ExtentLists.symbols(own, formulas, choice);
    if (newDims != null && everyRun.hasRank() && everyRun.rank() == newDims.size()) {
      ImmutableList.Builder<SymbolicExtent> kept = ImmutableList.builder();
      for (int i = 0; i < newDims.size(); i++) {
        kept.add(everyRun.dim(i).isExact() ? everyRun.dim(i) : newDims.get(i));
      }
      newDims = kept.build();
    }
    ImmutableList<ImmutableLongArray> offsets = lod;
    return new AbstractShape(
        newDims,
        elements == null ? null : ExtentLists.symbols(elements, formulas, choice + "@"),
        offsets == null || offsets.isEmpty() ? offsets : formulas.offsets(choice, offsets),
        length == null ? null : length.symbolOf(formulas, choice + " length"),
        reason,
        size == null ? null : size.symbolOf(formulas, choice + " count"));
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object == this
        || (object instanceof AbstractShape other
            && Objects.equals(dims, other.dims)
            && Objects.equals(elements, other.elements)
            && Objects.equals(lod, other.lod)
            && Objects.equals(length, other.length)
            && Objects.equals(size, other.size)
            && reason.equals(other.reason));
  }

  @Override
  public int hashCode() {
    return Objects.hash(dims, reason);
  }

  /** For example {@code [1, 3, ?]}, and {@code 4 of [1, 3]} for an array. */
  @Override
  public String toString() {
    String each = dims == null ? "[unknown: " + reason + "]" : dims.toString();
    return length == null ? each : length + " of " + each;
  }
}
