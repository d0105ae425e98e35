package dev.sublet.runtime.micro.fuse.fact;

import static java.util.Comparator.comparing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The canonical form of an index expression: a sum of products of atoms with integer coefficients.
 *
 * <p>Atoms are expressions that arithmetic cannot decompose: loop indices, extents, parameters,
 * elements of tensors and quotients. For example, {@code (i0 + 1) * d(x, 0)} becomes {@code d(x, 0)
 * + i0 * d(x, 0)}. Two expressions with the same polynomial are equal in every run, even with
 * overflow, because coefficients wrap around in the same way as values. Operations are O(terms ×
 * atoms), a product O(terms²).
 */
public final class Polynomial {

  /**
   * The most terms of an expanded product; a product with more terms stays an atom, so that
   * canonical forms stay small.
   */
  private static final int MAX_TERMS = 200;

  static final Polynomial ZERO = new Polynomial(ImmutableSortedMap.of());
  public static final Polynomial ONE = constant(1);

  /** A product of atoms, ordered by their texts; the empty product is 1. */
  private static final class Monomial implements Comparable<Monomial> {

    static final Monomial UNIT = new Monomial(ImmutableList.of());

    final ImmutableList<IndexExpression> atoms;
    final String text;

    Monomial(ImmutableList<IndexExpression> atoms) {
      this.atoms = atoms;
      StringBuilder joined = new StringBuilder();
      for (IndexExpression atom : atoms) {
        joined.append('(').append(atom).append(')');
      }
      this.text = joined.toString();
    }

    Monomial times(Monomial other) {
      List<IndexExpression> all = new ArrayList<>(atoms);
      all.addAll(other.atoms);
      all.sort(comparing(IndexExpression::toString));
      return new Monomial(ImmutableList.copyOf(all));
    }

    int degree(IndexExpression atom) {
      int degree = 0;
      for (IndexExpression factor : atoms) {
        degree += factor.equals(atom) ? 1 : 0;
      }
      return degree;
    }

    /** Returns the product without one occurrence of an atom, which must occur. */
    Monomial without(IndexExpression atom) {
      List<IndexExpression> rest = new ArrayList<>(atoms);
      rest.remove(atom);
      return new Monomial(ImmutableList.copyOf(rest));
    }

    @Override
    public int compareTo(Monomial other) {
      return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Monomial that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** The nonzero coefficients of the products. */
  private final ImmutableSortedMap<Monomial, Long> terms;

  private Polynomial(ImmutableSortedMap<Monomial, Long> terms) {
    this.terms = terms;
  }

  private static Polynomial of(Map<Monomial, Long> terms) {
    ImmutableSortedMap.Builder<Monomial, Long> kept = ImmutableSortedMap.naturalOrder();
    terms.forEach(
        (monomial, coefficient) -> {
          if (coefficient != 0) {
            kept.put(monomial, coefficient);
          }
        });
    return new Polynomial(kept.buildOrThrow());
  }

  static Polynomial constant(long value) {
    return of(Map.of(Monomial.UNIT, value));
  }

  static Polynomial atom(IndexExpression atom) {
    return new Polynomial(ImmutableSortedMap.of(new Monomial(ImmutableList.of(atom)), 1L));
  }

  Polynomial plus(Polynomial other) {
    return plus(other, 1);
  }

  /** Returns the difference. */
  public Polynomial minus(Polynomial other) {
    return plus(other, -1);
  }

  private Polynomial plus(Polynomial other, long factor) {
    TreeMap<Monomial, Long> sum = new TreeMap<>(terms);
    other.terms.forEach(
        (monomial, coefficient) -> sum.merge(monomial, factor * coefficient, Long::sum));
    return of(sum);
  }

  Polynomial times(long factor) {
    return times(constant(factor));
  }

  Polynomial times(Polynomial other) {
    if ((long) terms.size() * other.terms.size() > MAX_TERMS) {
      IndexExpression left = toExpression();
      IndexExpression right = other.toExpression();
      boolean swap = left.toString().compareTo(right.toString()) > 0;
      return atom(new Arithmetic(Operator.MULTIPLY, swap ? right : left, swap ? left : right));
    }
    TreeMap<Monomial, Long> product = new TreeMap<>();
    terms.forEach(
        (left, a) ->
            other.terms.forEach((right, b) -> product.merge(left.times(right), a * b, Long::sum)));
    return of(product);
  }

  /**
   * Returns the quotient, rounded towards minus infinity; it is a new atom unless the division is
   * trivial.
   */
  Polynomial dividedBy(Polynomial divisor) {
    Optional<Long> by = divisor.asConstant();
    if (by.isPresent() && by.get() == 1) {
      return this;
    }
    if (by.isPresent() && by.get() != 0 && asConstant().isPresent()) {
      return constant(Math.floorDiv(asConstant().get(), by.get()));
    }
    return atom(new Arithmetic(Operator.DIVIDE, toExpression(), divisor.toExpression()));
  }

  boolean isZero() {
    return terms.isEmpty();
  }

  /** Returns the value of the polynomial if it has no atoms. */
  public Optional<Long> asConstant() {
    if (terms.isEmpty()) {
      return Optional.of(0L);
    }
    return terms.size() == 1 ? Optional.ofNullable(terms.get(Monomial.UNIT)) : Optional.empty();
  }

  /** Returns the atom that the polynomial equals, if it is a single atom. */
  Optional<IndexExpression> asAtom() {
    if (terms.size() != 1) {
      return Optional.empty();
    }
    Map.Entry<Monomial, Long> only = terms.entrySet().iterator().next();
    return only.getValue() == 1 && only.getKey().atoms.size() == 1
        ? Optional.of(only.getKey().atoms.get(0))
        : Optional.empty();
  }

  /** Returns the constant term. */
  long constantTerm() {
    return terms.getOrDefault(Monomial.UNIT, 0L);
  }

  Collection<Long> coefficients() {
    return terms.values();
  }

  /**
   * Returns the atoms, each once, in the order of the terms. Atoms inside quotients or elements are
   * not included.
   */
  Set<IndexExpression> atoms() {
    Set<IndexExpression> atoms = new LinkedHashSet<>();
    for (Monomial monomial : terms.keySet()) {
      atoms.addAll(monomial.atoms);
    }
    return atoms;
  }

  /** Returns the loops on which the polynomial depends, including those inside atoms. */
  public Set<Integer> loops() {
    Set<Integer> loops = new LinkedHashSet<>();
    for (IndexExpression atom : atoms()) {
      Reads.leaves(
          atom,
          leaf -> {
            if (leaf instanceof LoopIndex loop) {
              loops.add(loop.id());
            }
          });
    }
    return loops;
  }

  /**
   * Returns the coefficient of an atom; empty if the atom occurs in a power or inside another atom.
   */
  Optional<Polynomial> coefficient(IndexExpression atom) {
    TreeMap<Monomial, Long> coefficient = new TreeMap<>();
    for (Map.Entry<Monomial, Long> term : terms.entrySet()) {
      int degree = term.getKey().degree(atom);
      if (degree > 1) {
        return Optional.empty();
      }
      for (IndexExpression factor : term.getKey().atoms) {
        if (!factor.equals(atom) && Reads.mentions(factor, atom)) {
          return Optional.empty();
        }
      }
      if (degree == 1) {
        coefficient.put(term.getKey().without(atom), term.getValue());
      }
    }
    return Optional.of(of(coefficient));
  }

  /** Returns the terms that do not have an atom as a factor. */
  Polynomial without(IndexExpression atom) {
    TreeMap<Monomial, Long> rest = new TreeMap<>(terms);
    rest.keySet().removeIf(monomial -> monomial.degree(atom) > 0);
    return of(rest);
  }

  /**
   * Returns the polynomial with another polynomial substituted for an atom, except inside other
   * atoms.
   */
  Polynomial with(IndexExpression atom, Polynomial value) {
    Polynomial result = ZERO;
    for (Map.Entry<Monomial, Long> term : terms.entrySet()) {
      Polynomial product = constant(term.getValue());
      for (IndexExpression factor : term.getKey().atoms) {
        product = product.times(factor.equals(atom) ? value : atom(factor));
      }
      result = result.plus(product);
    }
    return result;
  }

  /**
   * Returns the quotient if the division leaves no remainder; the divisor must be a single term.
   */
  Optional<Polynomial> exactQuotient(Polynomial divisor) {
    if (divisor.terms.size() != 1) {
      return Optional.empty();
    }
    Map.Entry<Monomial, Long> by = divisor.terms.entrySet().iterator().next();
    TreeMap<Monomial, Long> quotient = new TreeMap<>();
    for (Map.Entry<Monomial, Long> term : terms.entrySet()) {
      Monomial rest = term.getKey();
      for (IndexExpression atom : by.getKey().atoms) {
        if (rest.degree(atom) == 0) {
          return Optional.empty();
        }
        rest = rest.without(atom);
      }
      if (term.getValue() % by.getValue() != 0) {
        return Optional.empty();
      }
      quotient.put(rest, term.getValue() / by.getValue());
    }
    return Optional.of(of(quotient));
  }

  /** Returns an expression with this canonical form. */
  public IndexExpression toExpression() {
    IndexExpression sum = null;
    for (Map.Entry<Monomial, Long> term : terms.entrySet()) {
      IndexExpression product = null;
      for (IndexExpression atom : term.getKey().atoms) {
        product = product == null ? atom : new Arithmetic(Operator.MULTIPLY, product, atom);
      }
      IndexExpression coefficient = new Constant(term.getValue());
      if (product == null) {
        product = coefficient;
      } else if (term.getValue() != 1) {
        product = new Arithmetic(Operator.MULTIPLY, coefficient, product);
      }
      sum = sum == null ? product : new Arithmetic(Operator.ADD, sum, product);
    }
    return sum == null ? new Constant(0) : sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Polynomial that && terms.equals(that.terms);
  }

  @Override
  public int hashCode() {
    return terms.hashCode();
  }

  /** Returns the text of the canonical expression. */
  @Override
  public String toString() {
    return toExpression().toString();
  }
}
