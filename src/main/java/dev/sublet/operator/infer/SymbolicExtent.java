package dev.sublet.operator.infer;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.ExtentExpressions.ExtentFormula;
import org.jspecify.annotations.Nullable;

/**
 * A number that shapes are computed from: an extent, or an element of a small tensor of extents.
 *
 * <p>The number is known exactly for the run whose feeds were given, bounded from above, or
 * unknown. In all three cases it has a formula; two numbers with equal formulas are equal in every
 * run.
 *
 * <pre>
 *   feed x: [n, 4] with n = 8    n: value 8, formula n       2 n: value 16, formula 2 * n
 * </pre>
 *
 * <p>Immutable. A bounded number is never negative, with one exception: inside a rule, the
 * difference of a bounded number and another one {@link #mayBeNegative}. As an extent it is not
 * negative in any run that goes on; as an element it would be the bound of a number that may be
 * negative, which is no longer a bound after a product or another difference. {@link AbstractShape}
 * therefore takes such an extent as it is, and such an element as unknown.
 */
public final class SymbolicExtent {

  /** The beginning of the cause of a number that is unknown because it changes at run time. */
  static final String VARIES = "it is not the same in every iteration or branch";

  /** How well a number is known. */
  public enum Precision {
    /** The number is equal to the value. */
    EXACT,
    /** The number depends on data and is at most the value. */
    AT_MOST,
    /** Only the formula of the number is known. */
    UNKNOWN
  }

  private final Precision precision;
  private final double value;
  private final ExtentFormula formula;
  private final @Nullable ExtentExpressions formulas;
  private final String cause;

  /** Whether the number is bounded only, and may be negative; no part of its identity. */
  private final boolean mayBeNegative;

  /** Bounds of other numbers that hold if this number is not 0; only for the result of a test. */
  private final ImmutableList<ConditionalBound> implied;

  private SymbolicExtent(
      Precision precision,
      double value,
      ExtentFormula formula,
      @Nullable ExtentExpressions formulas,
      String cause) {
    this(precision, value, formula, formulas, cause, /* mayBeNegative= */ false);
  }

  private SymbolicExtent(
      Precision precision,
      double value,
      ExtentFormula formula,
      @Nullable ExtentExpressions formulas,
      String cause,
      boolean mayBeNegative) {
    this.implied = ImmutableList.of();
    this.mayBeNegative = mayBeNegative && precision == Precision.AT_MOST;
    this.precision = precision;
    this.value = precision == Precision.UNKNOWN ? Double.NaN : value;
    this.formula = formula;
    this.formulas = formulas;
    this.cause = precision == Precision.UNKNOWN ? cause : "";
  }

  /** The same number, which implies some bounds if it is not 0. */
  private SymbolicExtent(SymbolicExtent number, ImmutableList<ConditionalBound> implied) {
    this.implied = implied;
    this.mayBeNegative = number.mayBeNegative;
    this.precision = number.precision;
    this.value = number.value;
    this.formula = number.formula;
    this.formulas = number.formulas;
    this.cause = number.cause;
  }

  /** A number that is the same in every run. */
  public static SymbolicExtent of(double value) {
    return new SymbolicExtent(Precision.EXACT, value, ExtentFormula.constant(value), null, "");
  }

  /** A whole number that is the same in every run. */
  public static SymbolicExtent of(long value) {
    return of((double) value);
  }

  /** A number that is known for this run and may differ in other runs: a symbol. */
  public static SymbolicExtent symbol(ExtentExpressions formulas, String name, long value) {
    return new SymbolicExtent(Precision.EXACT, (double) value, formulas.symbol(name), formulas, "");
  }

  /**
   * A number that the named function computes from sequence offsets; equal offsets from one source
   * and equal functions give equal formulas.
   */
  static SymbolicExtent counted(
      ExtentExpressions formulas,
      ImmutableList<ImmutableLongArray> lod,
      String function,
      long value) {
    return new SymbolicExtent(
        Precision.EXACT, (double) value, formulas.counted(lod, function), formulas, "");
  }

  /** A number that depends on data and is at most the value: a symbol. */
  static SymbolicExtent atMost(ExtentExpressions formulas, String name, double value) {
    return new SymbolicExtent(Precision.AT_MOST, value, formulas.symbol(name), formulas, "");
  }

  /**
   * A number about which nothing is known: a symbol.
   *
   * @param cause the reason, in a few words; numbers that are computed from this one inherit it
   */
  public static SymbolicExtent unknown(ExtentExpressions formulas, String name, String cause) {
    return new SymbolicExtent(
        Precision.UNKNOWN, Double.NaN, formulas.symbol(name), formulas, cause);
  }

  /** How well the number is known. */
  public Precision precision() {
    return precision;
  }

  /** Whether the number or a bound on it is known. */
  public boolean isKnown() {
    return precision != Precision.UNKNOWN;
  }

  /** Whether the number is known and not only bounded. */
  public boolean isExact() {
    return precision == Precision.EXACT;
  }

  /** Whether the number is exactly {@code number}, at least in this run. */
  public boolean is(double number) {
    return precision == Precision.EXACT && value == number;
  }

  /** Whether the number is the same in every run. */
  public boolean isConstant() {
    return precision == Precision.EXACT && formula.isConstant();
  }

  /**
   * The unit of which the number is a constant multiple: its formula without the coefficient. Two
   * numbers with a constant ratio have equal units.
   */
  public Object unit() {
    return formula.atoms();
  }

  /** The number divided by its {@link #unit}. */
  public double coefficient() {
    return formula.coefficient();
  }

  /**
   * Whether the two numbers are equal in every run, as their formulas prove. False if no proof is
   * found.
   */
  public boolean isSame(SymbolicExtent other) {
    return formula.equals(other.formula);
  }

  /** Why the number is unknown; empty if it is known. */
  public String cause() {
    return cause;
  }

  /** Whether the number is unknown because it changes between iterations or branches. */
  public boolean varies() {
    return cause.startsWith(VARIES);
  }

  /**
   * A number about which nothing is known because it changes from iteration to iteration.
   *
   * @param detail what changes
   */
  public static SymbolicExtent varying(ExtentExpressions formulas, String name, String detail) {
    return unknown(formulas, name, VARIES + ": " + detail);
  }

  /**
   * The same number in another execution: this number if it is exact, else a fresh symbol with the
   * same bound or cause.
   *
   * @param name the unique name of the fresh symbol
   */
  SymbolicExtent detached(ExtentExpressions table, String name) {
    return switch (precision) {
      case EXACT -> withoutImplied();
      case AT_MOST -> atMost(table, name, value).mayBeNegative(mayBeNegative);
      case UNKNOWN -> unknown(table, name, cause);
    };
  }

  /**
   * A fresh symbol with the same value, bound or cause.
   *
   * @param name the unique name of the fresh symbol
   */
  SymbolicExtent symbolOf(ExtentExpressions table, String name) {
    return precision == Precision.EXACT
        ? new SymbolicExtent(Precision.EXACT, value, table.symbol(name), table, "")
        : detached(table, name);
  }

  /** Whether the number is only bounded, and negative numbers are not excluded. */
  boolean mayBeNegative() {
    return mayBeNegative;
  }

  /** The same number, of which it is known that it is not negative in any run that goes on. */
  SymbolicExtent notNegative() {
    return mayBeNegative ? new SymbolicExtent(precision, value, formula, formulas, cause) : this;
  }

  /** The same number if it cannot be a bounded negative number, else an unknown one. */
  SymbolicExtent boundedFromBelow() {
    return mayBeNegative
        ? new SymbolicExtent(
            Precision.UNKNOWN, Double.NaN, formula, formulas, VARIES + ": it may be negative")
        : this;
  }

  private SymbolicExtent mayBeNegative(boolean may) {
    return may == mayBeNegative || precision != Precision.AT_MOST
        ? this
        : new SymbolicExtent(precision, value, formula, formulas, cause, may);
  }

  private boolean canBeNegative(SymbolicExtent other) {
    return mayBeNegative
        || other.mayBeNegative
        || (isExact() && value < 0)
        || (other.isExact() && other.value < 0);
  }

  /** The number or its bound; NaN if unknown. */
  public double value() {
    return value;
  }

  /**
   * The exact whole number.
   *
   * @throws UnknownShapeException if it is not known exactly, or not whole
   */
  public long asLong() {
    if (precision != Precision.EXACT || value != Math.rint(value)) {
      throw new UnknownShapeException(
          precision == Precision.UNKNOWN ? cause : "it depends on the data (" + this + ")");
    }
    return (long) value;
  }

  /** The sum. */
  public SymbolicExtent plus(SymbolicExtent other) {
    Precision weaker = weaker(other);
    if (formula.atoms().equals(other.formula.atoms())) {
      double coefficient = formula.coefficient() + other.formula.coefficient();
      ExtentFormula sum =
          coefficient == 0
              ? ExtentFormula.constant(0)
              : new ExtentFormula(coefficient, formula.atoms());
      return new SymbolicExtent(
          weaker, value + other.value, sum, table(other), causeOf(other), canBeNegative(other));
    }
    if (other.isConstant() && other.value == 0) {
      return this;
    }
    if (isConstant() && value == 0) {
      return other;
    }
    boolean canBeNegative = canBeNegative(other);
    ExtentExpressions table = table(other);
    if (table == null || !(isConstant() || other.isConstant())) {
      return combine("+", other, weaker, value + other.value).mayBeNegative(canBeNegative);
    }
    ExtentFormula sum =
        isConstant() ? table.plus(other.formula, value) : table.plus(formula, other.value);
    return new SymbolicExtent(
        weaker, value + other.value, sum, table, causeOf(other), canBeNegative);
  }

  /** The sum with a constant. */
  public SymbolicExtent plus(double number) {
    return plus(of(number));
  }

  /** The difference. If either number is only bounded, so is the difference. */
  public SymbolicExtent minus(SymbolicExtent other) {
    if (other.precision == Precision.EXACT) {
      ExtentFormula negative =
          new ExtentFormula(-other.formula.coefficient(), other.formula.atoms());
      return plus(new SymbolicExtent(Precision.EXACT, -other.value, negative, other.formulas, ""));
    }
    if (isSame(other) && isExact()) {
      return of(0);
    }
    boolean isBounded = isKnown() && other.isKnown() && !other.mayBeNegative;
    return combine("-", other, isBounded ? Precision.AT_MOST : Precision.UNKNOWN, value)
        .mayBeNegative(true);
  }

  /** The difference to a constant. */
  public SymbolicExtent minus(double number) {
    return plus(of(-number));
  }

  /** The product. A bound times a negative number is unknown. */
  public SymbolicExtent times(SymbolicExtent other) {
    if ((is(0) && isConstant()) || (other.is(0) && other.isConstant())) {
      return of(0);
    }
    boolean flips = (!isExact() && other.value < 0) || (!other.isExact() && value < 0);
    boolean isOpen = (mayBeNegative && !other.isExact()) || (other.mayBeNegative && !isExact());
    return new SymbolicExtent(
        flips || isOpen ? Precision.UNKNOWN : weaker(other),
        value * other.value,
        formula.times(other.formula),
        table(other),
        causeOf(other),
        canBeNegative(other));
  }

  /** The product with a constant. */
  public SymbolicExtent times(double number) {
    return times(of(number));
  }

  /** The quotient, rounded down; unknown for a divisor of 0. */
  public SymbolicExtent floorDividedBy(SymbolicExtent other) {
    if (other.is(1) && other.isConstant()) {
      return this;
    }
    boolean isOpen = !other.isExact() && canBeNegative(other);
    if (!other.isKnown() || other.value == 0 || (other.value < 0 && !isExact()) || isOpen) {
      return combine("//", other, Precision.UNKNOWN, Double.NaN);
    }
    // A bounded divisor is at least 1, so the quotient is at most the dividend.
    double quotient = other.isExact() ? Math.floor(value / other.value) : value;
    return divide("//", other, quotient).mayBeNegative(canBeNegative(other));
  }

  /** The quotient by a constant, rounded down. */
  public SymbolicExtent floorDividedBy(double number) {
    return floorDividedBy(of(number));
  }

  /** The quotient by a positive constant, rounded up. */
  public SymbolicExtent ceilDividedBy(double number) {
    checkArgument(number > 0, "divisor %s", number);
    return number == 1
        ? this
        : divide("/^", of(number), Math.ceil(value / number)).mayBeNegative(mayBeNegative);
  }

  private SymbolicExtent divide(String operation, SymbolicExtent other, double quotient) {
    ExtentFormula exact = formula.without(other.formula);
    return exact == null || !other.isExact()
        ? combine(operation, other, weaker(other), quotient)
        : new SymbolicExtent(weaker(other), quotient, exact, table(other), causeOf(other));
  }

  /** The larger of the two. */
  public SymbolicExtent max(SymbolicExtent other) {
    double distance = other.distanceFrom(this);
    if (!Double.isNaN(distance)) {
      return distance > 0 ? other : this;
    }
    return combine("max", other, weaker(other), Math.max(value, other.value))
        .mayBeNegative(canBeNegative(this) && other.canBeNegative(other));
  }

  /** The smaller of the two. If one number is unknown, the other bounds the result. */
  public SymbolicExtent min(SymbolicExtent other) {
    if (isSame(other)) {
      return this;
    }
    if (isKnown() != other.isKnown()) {
      // The unknown number may be negative.
      return combine("min", other, Precision.AT_MOST, isKnown() ? value : other.value)
          .mayBeNegative(true);
    }
    return combine("min", other, weaker(other), Math.min(value, other.value))
        .mayBeNegative(canBeNegative(other));
  }

  /**
   * The number that the named function computes from this one; {@code result} is its value in this
   * run. Unknown unless this number is exact.
   */
  public SymbolicExtent map(String function, double result) {
    return combine(function, of(0), isExact() ? Precision.EXACT : Precision.UNKNOWN, result);
  }

  /**
   * The number that the named function computes from this number and another one; {@code result} is
   * its value in this run.
   */
  public SymbolicExtent combined(String function, SymbolicExtent other, double result) {
    return combine(function, other, weaker(other), result).mayBeNegative(canBeNegative(other));
  }

  /**
   * The result of a test of two whole numbers: 1 if it holds, else 0. Records the bounds that the
   * numbers have if the test holds.
   *
   * <pre>
   *   i.test("less_than", n, …) with n at most 10     a number c; if c is 1, i is at most 9
   * </pre>
   *
   * @param name the name of the test; bounds are known for the four comparisons, {@code equal} and
   *     {@code and}
   * @param result the result in this run, if both numbers are exact
   */
  public SymbolicExtent test(String name, SymbolicExtent other, boolean result) {
    // The result of a test of an unknown number is unknown, too: unknown numbers may wrap or be
    // rounded, so that tests with equal formulas may have different results.
    boolean isDecided = isExact() && other.isExact();
    SymbolicExtent tested = combine(name, other, weaker(other), isDecided && !result ? 0 : 1);
    return new SymbolicExtent(tested, ConditionalBound.of(name, this, other));
  }

  private SymbolicExtent withoutImplied() {
    return implied.isEmpty() ? this : new SymbolicExtent(this, ImmutableList.of());
  }

  /** Bounds of other numbers that hold if this number, the result of a test, is not 0. */
  ImmutableList<ConditionalBound> implied() {
    return implied;
  }

  /** This number minus another one, if that is the same constant in every run; else NaN. */
  double distanceFrom(SymbolicExtent other) {
    ExtentExpressions table = table(other);
    return table == null
        ? formula.coefficient() - other.formula.coefficient()
        : table.difference(formula, other.formula);
  }

  /** Whether the number or its bound is known, and the number is not negative in any run. */
  boolean isKnownNotNegative() {
    return isKnown() && value >= 0 && !mayBeNegative;
  }

  /** The same number, of which it is known that it is at most a bound. */
  SymbolicExtent atMost(double bound) {
    return new SymbolicExtent(Precision.AT_MOST, bound, formula, formulas, cause);
  }

  /**
   * The join of two numbers: a number that equals either of them. It is at most the larger one if
   * both are known and not negative, else unknown.
   *
   * @param choice the unique name of the place where the choice is made; it names the symbol of the
   *     result
   */
  SymbolicExtent or(SymbolicExtent other, ExtentExpressions table, String choice) {
    if (isSame(other) && precision == other.precision && (!isKnown() || value == other.value)) {
      return implied.equals(other.implied) ? this : withoutImplied();
    }
    return isKnownNotNegative() && other.isKnownNotNegative()
        ? atMost(table, choice, Math.max(value, other.value))
        : unknown(table, choice, causeOf(other));
  }

  private String causeOf(SymbolicExtent other) {
    String found = cause.isEmpty() ? other.cause : cause;
    return found.isEmpty() ? VARIES : found;
  }

  private SymbolicExtent combine(
      String operation, SymbolicExtent other, Precision result, double number) {
    ExtentExpressions table = table(other);
    return table == null
        ? new SymbolicExtent(result, number, ExtentFormula.constant(number), null, causeOf(other))
        : new SymbolicExtent(
            result,
            number,
            table.combine(operation, formula, other.formula),
            table,
            causeOf(other));
  }

  private Precision weaker(SymbolicExtent other) {
    return precision.compareTo(other.precision) >= 0 ? precision : other.precision;
  }

  private @Nullable ExtentExpressions table(SymbolicExtent other) {
    return formulas == null ? other.formulas : formulas;
  }

  /** The formula; serves comparisons only. */
  ExtentFormula formula() {
    return formula;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof SymbolicExtent other
        && precision == other.precision
        && Double.compare(value, other.value) == 0
        && formula.equals(other.formula)
        && implied.equals(other.implied);
  }

  @Override
  public int hashCode() {
    return formula.hashCode() + Double.hashCode(value);
  }

  /** For example {@code 224}, {@code ≤100}, {@code ?}. */
  @Override
  public String toString() {
    String number =
        value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    return switch (precision) {
      case EXACT -> number;
      case AT_MOST -> "≤" + number;
      case UNKNOWN -> "?";
    };
  }
}
