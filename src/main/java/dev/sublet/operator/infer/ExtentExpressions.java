package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The formulas of one inference: what a quantity is computed from, so that two quantities can be
 * shown to be equal in every run and not only in the one whose shapes were given.
 *
 * <p>A formula is a coefficient times a product of atoms. An atom is a symbol (the batch, an extent
 * that is read from data) or an operation on two formulas that is not a product, such as a sum.
 * Atoms are interned here, so that formulas are compared in O(atoms). Equal formulas are equal
 * numbers; different ones may be equal too.
 */
public final class ExtentExpressions {

  /** A coefficient times a product of atoms, which ascend. */
  record Formula(double coefficient, ImmutableIntArray atoms) {

    static Formula constant(double value) {
      return new Formula(value, ImmutableIntArray.of());
    }

    boolean isConstant() {
      return atoms.isEmpty();
    }

    Formula times(Formula other) {
      if (coefficient == 0 || other.coefficient == 0) {
        return constant(0);
      }
      int[] joined = Arrays.copyOf(atoms.toArray(), atoms.length() + other.atoms.length());
      for (int i = 0; i < other.atoms.length(); i++) {
        joined[atoms.length() + i] = other.atoms.get(i);
      }
      Arrays.sort(joined);
      return new Formula(coefficient * other.coefficient, ImmutableIntArray.copyOf(joined));
    }

    /** The formula without the atoms of another one; null if it does not have them all. */
    @org.jspecify.annotations.Nullable
    Formula without(Formula divisor) {
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
      return divides ? new Formula(quotient, rest.build()) : null;
    }
  }

  /** What an atom stands for. */
  private record Atom(String operation, Formula left, Formula right) {}

  private record Source(String name, ImmutableList<ImmutableLongArray> offsets) {}

  private final Map<Atom, Integer> atoms = new HashMap<>();
  private final Map<Source, ImmutableList<ImmutableLongArray>> sources = new HashMap<>();
  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

  /** The formula that is one atom: an operation on two formulas. */
  Formula combine(String operation, Formula left, Formula right) {
    int atom = atoms.computeIfAbsent(new Atom(operation, left, right), key -> atoms.size());
    return new Formula(1, ImmutableIntArray.of(atom));
  }

  /** The formula that is one symbol; the same name is the same symbol. */
  Formula symbol(String name) {
    return combine(name, Formula.constant(1), Formula.constant(1));
  }

  /**
   * Sequence offsets that come from the named place: always the same object for the same numbers,
   * so that what is counted from one object is the same number in every run.
   */
  ImmutableList<ImmutableLongArray> offsets(String name, ImmutableList<ImmutableLongArray> lod) {
    return sources.computeIfAbsent(
        new Source(name, lod), key -> ImmutableList.copyOf(new ArrayList<>(lod)));
  }

  /** The formula of a number that follows from sequence offsets by a function of that name. */
  Formula counted(ImmutableList<ImmutableLongArray> lod, String function) {
    int number = numbers.computeIfAbsent(lod, key -> numbers.size());
    return symbol("offsets " + number + " " + function);
  }
}
