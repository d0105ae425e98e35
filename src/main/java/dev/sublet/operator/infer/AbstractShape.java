package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a tensor before the program runs: its extents, the elements of a small tensor of
 * numbers, its sequence offsets; or why nothing is. Of a tensor array: what all its elements have
 * in common. Immutable.
 */
public final class AbstractShape {

  /** Elements of larger tensors are not followed. */
  public static final int MAX_ELEMENTS = 1024;

  private final @Nullable ImmutableList<SymbolicExtent> dims;
  private final @Nullable ImmutableList<SymbolicExtent> elements;
  private final @Nullable ImmutableList<ImmutableLongArray> lod;
  private final @Nullable SymbolicExtent length;
  private final String reason;

  private AbstractShape(
      @Nullable ImmutableList<SymbolicExtent> dims,
      @Nullable ImmutableList<SymbolicExtent> elements,
      @Nullable ImmutableList<ImmutableLongArray> lod,
      @Nullable SymbolicExtent length,
      String reason) {
    this.dims = dims;
    this.elements = elements;
    this.lod = lod;
    this.length = length;
    this.reason = reason;
  }

  /** A tensor of which nothing is known, with the reason in a few words. */
  public static AbstractShape unknown(String reason) {
    return new AbstractShape(
        null, null, null, null, reason.isEmpty() ? "its shape is not known" : reason);
  }

  /** An array before anything is written to it. */
  public static AbstractShape emptyArray() {
    return new AbstractShape(null, null, null, SymbolicExtent.of(0), "the array has no elements");
  }

  /** A tensor with these extents, outermost first, and no sequence offsets. */
  public static AbstractShape of(Iterable<SymbolicExtent> dims) {
    return new AbstractShape(ImmutableList.copyOf(dims), null, ImmutableList.of(), null, "");
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

  /** The same with elements, in row-major order; without any if there are too many. */
  public AbstractShape withElements(@Nullable Iterable<SymbolicExtent> newElements) {
    ImmutableList<SymbolicExtent> list =
        newElements == null ? null : ImmutableList.copyOf(newElements);
    boolean kept = list != null && list.size() <= MAX_ELEMENTS;
    return new AbstractShape(dims, kept ? list : null, lod, length, reason);
  }

  /** The same with sequence offsets, the coarsest level first; null for unknown ones. */
  public AbstractShape withLod(@Nullable ImmutableList<ImmutableLongArray> newLod) {
    return new AbstractShape(dims, elements, newLod, length, reason);
  }

  /** The same as an array of so many elements; null for what is no array, or of unknown length. */
  public AbstractShape withLength(@Nullable SymbolicExtent newLength) {
    return new AbstractShape(dims, elements, lod, newLength, reason);
  }

  /** The same with other extents and without elements. */
  public AbstractShape withDims(Iterable<SymbolicExtent> newDims) {
    return new AbstractShape(ImmutableList.copyOf(newDims), null, lod, length, "");
  }

  /**
   * What is known of the tensor whatever is fed: its numbers that follow from the program alone.
   */
  AbstractShape withoutFeeds(ExtentExpressions formulas) {
    return new AbstractShape(
        dims == null ? null : withoutFeeds(dims, formulas),
        elements == null ? null : withoutFeeds(elements, formulas),
        /* lod= */ null,
        length == null ? null : withoutFeeds(ImmutableList.of(length), formulas).get(0),
        reason);
  }

  private static ImmutableList<SymbolicExtent> withoutFeeds(
      ImmutableList<SymbolicExtent> quantities, ExtentExpressions formulas) {
    ImmutableList.Builder<SymbolicExtent> constants = ImmutableList.builder();
    for (SymbolicExtent quantity : quantities) {
      constants.add(
          quantity.isConstant()
              ? quantity
              : SymbolicExtent.unknown(
                  formulas, "a number that is fed", "it depends on what is fed"));
    }
    return constants.build();
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
   * The product of the extents.
   *
   * @throws UnknownShapeException if the rank is unknown
   */
  public SymbolicExtent count() {
    SymbolicExtent count = SymbolicExtent.of(1);
    for (SymbolicExtent extent : dims()) {
      count = count.times(extent);
    }
    return count;
  }

  /** Whether the elements are followed; each may still be unknown. */
  public boolean hasElements() {
    return elements != null;
  }

  /**
   * The elements, in row-major order.
   *
   * @throws UnknownShapeException if they are not followed
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

  /** An array's number of elements; null for what is no array, and for one that is not followed. */
  public @Nullable SymbolicExtent length() {
    return length;
  }

  /** Whether it is an array to which nothing has been written. */
  public boolean isEmptyArray() {
    return dims == null && length != null && length.is(0);
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
   * What is known of a tensor that is this one or another.
   *
   * @param choice what names the place where it is decided
   */
  public AbstractShape or(AbstractShape other, ExtentExpressions formulas, String choice) {
    if (equals(other) && isOneObject(lod, other.lod)) {
      return this;
    }
    SymbolicExtent joinedLength =
        length == null || other.length == null
            ? null
            : length.or(other.length, formulas, choice + " length");
    if (isEmptyArray() || other.isEmptyArray()) {
      return (isEmptyArray() ? other : this).withLength(joinedLength);
    }
    if (dims == null || other.dims == null) {
      return (dims == null ? this : other).withLength(joinedLength);
    }
    if (dims.size() != other.dims.size()) {
      return unknown(
              SymbolicExtent.VARIES + ": " + dims.size() + " and " + other.dims.size() + " extents")
          .withLength(joinedLength);
    }
    ImmutableList<SymbolicExtent> left = elements;
    ImmutableList<SymbolicExtent> right = other.elements;
    ImmutableList<SymbolicExtent> both =
        left != null && right != null && left.size() == right.size()
            ? join(left, right, formulas, choice + "@")
            : null;
    return new AbstractShape(
        join(dims, other.dims, formulas, choice),
        both,
        joinLod(other, formulas, choice),
        joinedLength,
        "");
  }

  /** Offsets of one source are one object; equal ones of two sources may differ in other runs. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isOneObject(@Nullable Object left, @Nullable Object right) {
    return left == right;
  }

  /** Offsets that are the same numbers in this run may differ in others: then they get a name. */
  private @Nullable ImmutableList<ImmutableLongArray> joinLod(
      AbstractShape other, ExtentExpressions formulas, String choice) {
    ImmutableList<ImmutableLongArray> left = lod;
    if (left == null || isOneObject(left, other.lod)) {
      return left;
    }
    return left.equals(other.lod) ? formulas.offsets(choice, left) : null;
  }

  /**
   * What is known of such a tensor another time: what is not exact is then another number.
   *
   * @param choice what names the place where it is another time
   */
  public AbstractShape detached(ExtentExpressions formulas, String choice) {
    SymbolicExtent newLength =
        length == null ? null : length.detached(formulas, choice + " length");
    return new AbstractShape(
        dims == null ? null : detach(dims, formulas, choice),
        elements == null ? null : detach(elements, formulas, choice + "@"),
        lod,
        newLength,
        reason);
  }

  private static ImmutableList<SymbolicExtent> detach(
      ImmutableList<SymbolicExtent> quantities, ExtentExpressions formulas, String choice) {
    ImmutableList.Builder<SymbolicExtent> detached = ImmutableList.builder();
    for (int i = 0; i < quantities.size(); i++) {
      detached.add(quantities.get(i).detached(formulas, choice + "#" + i));
    }
    return detached.build();
  }

  private static ImmutableList<SymbolicExtent> join(
      ImmutableList<SymbolicExtent> left,
      ImmutableList<SymbolicExtent> right,
      ExtentExpressions formulas,
      String choice) {
    ImmutableList.Builder<SymbolicExtent> joined = ImmutableList.builder();
    for (int i = 0; i < left.size(); i++) {
      joined.add(left.get(i).or(right.get(i), formulas, choice + "#" + i));
    }
    return joined.build();
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object == this
        || (object instanceof AbstractShape other
            && Objects.equals(dims, other.dims)
            && Objects.equals(elements, other.elements)
            && Objects.equals(lod, other.lod)
            && Objects.equals(length, other.length)
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
