package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of formulas of one shape inference. Equal formulas prove that two numbers are equal in
 * every run, and not only in the run whose feeds were given.
 *
 * <p>A formula is a coefficient times a product of atoms. An atom is a symbol (the batch size, or
 * an extent that depends on data) or an operation on two formulas other than a product, such as a
 * sum. The table interns the atoms, so the comparison of two formulas is O(atoms). Equal formulas
 * are equal numbers; different formulas may be equal numbers too.
 */
public final class ExtentExpressions {

  /** The operation of an atom that is a sum. */
  private static final String SUM = "+";

  /** A coefficient times a product of atoms, in ascending order of their numbers. */
  record ExtentFormula(double coefficient, ImmutableIntArray atoms) {

    static ExtentFormula constant(double value) {
      return new ExtentFormula(value, ImmutableIntArray.of());
    }

    boolean isConstant() {
      return atoms.isEmpty();
    }

    ExtentFormula times(ExtentFormula other) {
      if (coefficient == 0 || other.coefficient == 0) {
        return constant(0);
      }
      if (atoms.isEmpty() || other.atoms.isEmpty()) {
        ImmutableIntArray all = atoms.isEmpty() ? other.atoms : atoms;
        return new ExtentFormula(coefficient * other.coefficient, all);
      }
      int[] joined = Arrays.copyOf(atoms.toArray(), atoms.length() + other.atoms.length());
      for (int i = 0; i < other.atoms.length(); i++) {
        joined[atoms.length() + i] = other.atoms.get(i);
      }
      Arrays.sort(joined);
      return new ExtentFormula(coefficient * other.coefficient, ImmutableIntArray.copyOf(joined));
    }

    /**
     * The quotient by another formula; null if its atoms are not all among these, or if the
     * quotient of the coefficients is not whole.
     */
    @Nullable ExtentFormula without(ExtentFormula divisor) {
      ImmutableIntArray.Builder rest = ImmutableIntArray.builder();
      int next = 0;
      for (int i = 0; i < atoms.length(); i++) {
        if (next < divisor.atoms.length() && divisor.atoms.get(next) == atoms.get(i)) {
          next++;
        } else {
          rest.add(atoms.get(i));
        }
      }
      double quotient = coefficient / divisor.coefficient;
      boolean divides = next == divisor.atoms.length() && quotient == Math.rint(quotient);
      return divides ? new ExtentFormula(quotient, rest.build()) : null;
    }
  }

  /** The meaning of an atom: an operation on two formulas. */
  private record Atom(String operation, ExtentFormula left, ExtentFormula right) {}

  private record Source(String name, ImmutableList<ImmutableLongArray> offsets) {}

  private final Map<Atom, Integer> atoms = new HashMap<>();

  /** The meanings of the atoms, by number. */
  private final List<Atom> meanings = new ArrayList<>();

  private final Map<Source, ImmutableList<ImmutableLongArray>> sources = new HashMap<>();
  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

  /** The formula of one atom: an operation on two formulas. */
  ExtentFormula combine(String operation, ExtentFormula left, ExtentFormula right) {
    Atom meaning = new Atom(operation, left, right);
    Integer atom = atoms.putIfAbsent(meaning, meanings.size());
    if (atom == null) {
      atom = meanings.size();
      meanings.add(meaning);
    }
    return new ExtentFormula(1, ImmutableIntArray.of(atom));
  }

  /** The formula of the sum of a number and a constant. */
  ExtentFormula plus(ExtentFormula formula, double number) {
    double constant = constant(formula) + number;
    ExtentFormula base = base(formula);
    if (base.isConstant()) {
      return ExtentFormula.constant(constant);
    }
    return constant == 0 ? base : combine(SUM, base, ExtentFormula.constant(constant));
  }

  /**
   * The difference of two formulas if it is the same constant in every run; NaN if no proof is
   * found.
   */
  double difference(ExtentFormula left, ExtentFormula right) {
    return base(left).equals(base(right)) ? constant(left) - constant(right) : Double.NaN;
  }

  /** A formula without the constant that it adds. */
  private ExtentFormula base(ExtentFormula formula) {
    Atom sum = sum(formula);
    ExtentFormula base = sum == null ? formula : sum.left();
    return base.isConstant() ? ExtentFormula.constant(0) : base;
  }

  /** The constant that a formula adds. */
  private double constant(ExtentFormula formula) {
    Atom sum = sum(formula);
    double constant = sum == null ? 0 : sum.right().coefficient();
    return formula.isConstant() ? formula.coefficient() : constant;
  }

  /** A formula as a sum of another one and a constant; null if it is no such sum. */
  private @Nullable Atom sum(ExtentFormula formula) {
    if (formula.coefficient() != 1 || formula.atoms().length() != 1) {
      return null;
    }
    Atom atom = meanings.get(formula.atoms().get(0));
    return atom.operation().equals(SUM) && atom.right().isConstant() ? atom : null;
  }

  /** The formula of one symbol; equal names are the same symbol. */
  ExtentFormula symbol(String name) {
    return combine(name, ExtentFormula.constant(1), ExtentFormula.constant(1));
  }

  /**
   * The sequence offsets that come from the named place. The same place and the same numbers always
   * give the same object, so a count that is taken from one object is the same number in every run.
   */
  ImmutableList<ImmutableLongArray> offsets(String name, ImmutableList<ImmutableLongArray> lod) {
    return sources.computeIfAbsent(
        new Source(name, lod), key -> ImmutableList.copyOf(new ArrayList<>(lod)));
  }

  /** The formula of a number that the named function computes from sequence offsets. */
  ExtentFormula counted(ImmutableList<ImmutableLongArray> lod, String function) {
    int number = numbers.computeIfAbsent(lod, key -> numbers.size());
    return symbol("offsets " + number + " " + function);
  }
}
