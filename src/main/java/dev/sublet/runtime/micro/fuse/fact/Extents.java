package dev.sublet.runtime.micro.fuse.fact;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Parameter;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Canonical forms of a program's index expressions under its declared shapes and requirements.
 *
 * <p>The extent of a tensor equals the expression in its declaration. Each requirement is an
 * equation that is solved for one of its atoms, as in Gaussian elimination. The atom is the extent
 * declared last, so that canonical forms use the extents declared first. A requirement that cannot
 * be solved for an atom only proves the equality of expressions with that very difference. Building
 * takes O(requirements²), each new expression then O(its size).
 */
public final class Extents {

  private final Map<String, TensorDeclaration> tensors = new LinkedHashMap<>();
  private final Map<String, Integer> places = new HashMap<>();

  /** The solved atoms with their values; no value contains a solved atom. */
  private final Map<IndexExpression, Polynomial> solved = new LinkedHashMap<>();

  /** Polynomials that equal 0 and cannot be solved for an atom. */
  private final List<Polynomial> zeros = new ArrayList<>();

  /** The atoms that are extents and so are not negative. */
  private final Set<IndexExpression> extents = new LinkedHashSet<>();

  private final Map<IndexExpression, Polynomial> canonical = new HashMap<>();

  private Extents() {}

  /** Returns the canonical forms under a program's declarations and requirements. */
  public static Extents of(MicroProgram program) {
    Extents extents = new Extents();
    for (TensorDeclaration tensor : program.tensors()) {
      extents.places.put(tensor.name(), extents.places.size());
      extents.tensors.put(tensor.name(), tensor);
    }
    for (Requirement requirement : program.requirements()) {
      extents.require(requirement);
    }
    for (TensorDeclaration tensor : program.tensors()) {
      for (IndexExpression extent : tensor.shape()) {
        extents.canonical(extent).asAtom().ifPresent(extents.extents::add);
      }
    }
    return extents;
  }

  private void require(Requirement requirement) {
    Polynomial zero = canonical(requirement.left()).minus(canonical(requirement.right()));
    Optional<IndexExpression> atom = atomToSolve(zero);
    if (atom.isEmpty()) {
      if (!zero.isZero()) {
        zeros.add(zero);
      }
      return;
    }
    long sign = zero.coefficient(atom.get()).orElseThrow().constantTerm();
    solved.put(atom.get(), zero.without(atom.get()).times(-sign));
    canonical.clear();
    solved.replaceAll((key, value) -> canonical(value.toExpression()));
    zeros.replaceAll(old -> canonical(old.toExpression()));
    canonical.clear();
  }

  /**
   * Returns the atom to solve for: the extent declared last with coefficient 1 or -1, otherwise a
   * parameter, otherwise another atom such as a quotient.
   */
  private Optional<IndexExpression> atomToSolve(Polynomial zero) {
    Optional<IndexExpression> best = Optional.empty();
    int bestRank = -1;
    for (IndexExpression atom : zero.atoms()) {
      Optional<Polynomial> coefficient = zero.coefficient(atom);
      boolean stands =
          coefficient.isPresent()
              && (coefficient.get().equals(Polynomial.ONE)
                  || coefficient.get().equals(Polynomial.constant(-1)));
      if (stands && rank(atom) >= bestRank) {
        best = Optional.of(atom);
        bestRank = rank(atom);
      }
    }
    return best;
  }

  private int rank(IndexExpression atom) {
    if (atom instanceof AxisSize size) {
      return 2 + places.getOrDefault(size.tensor(), 0);
    }
    return atom instanceof Parameter ? 1 : 0;
  }

  /**
   * Returns the canonical form of an expression. Expressions with equal forms are equal in every
   * run.
   */
  public Polynomial canonical(IndexExpression expression) {
    Polynomial known = canonical.get(expression);
    if (known == null) {
      known = computed(expression);
      canonical.put(expression, known);
    }
    return known;
  }

  private Polynomial computed(IndexExpression expression) {
    if (expression instanceof Constant constant) {
      return Polynomial.constant(constant.value());
    }
    if (expression instanceof Negation negation) {
      return canonical(negation.operand()).times(-1);
    }
    if (expression instanceof Arithmetic arithmetic) {
      Polynomial left = canonical(arithmetic.left());
      Polynomial right = canonical(arithmetic.right());
      return switch (arithmetic.operator()) {
        case ADD -> left.plus(right);
        case SUBTRACT -> left.minus(right);
        case MULTIPLY -> left.times(right);
        case DIVIDE -> resolved(left.dividedBy(right));
      };
    }
    if (expression instanceof AxisSize size) {
      IndexExpression declared = declared(size);
      return declared.equals(size) ? resolved(Polynomial.atom(size)) : canonical(declared);
    }
    if (expression instanceof Element element) {
      ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
      for (IndexExpression index : element.at()) {
        at.add(canonical(index).toExpression());
      }
      return Polynomial.atom(new Element(element.tensor(), at.build()));
    }
    return resolved(Polynomial.atom(expression));
  }

  private Polynomial resolved(Polynomial polynomial) {
    Optional<IndexExpression> atom = polynomial.asAtom();
    return atom.isPresent() ? solved.getOrDefault(atom.get(), polynomial) : polynomial;
  }

  /**
   * Returns the declared expression of an extent; an extent of an input that the caller decides is
   * its own expression.
   */
  private IndexExpression declared(AxisSize size) {
    return tensor(size.tensor()).shape().get(size.axis());
  }

  /**
   * Returns an equal expression over extents of inputs only, because other tensors may be removed.
   */
  public IndexExpression overInputs(IndexExpression expression) {
    return new Rewriter() {
      @Override
      public IndexExpression leaf(IndexExpression leaf) {
        if (leaf instanceof AxisSize size && tensor(size.tensor()).role() != Role.INPUT) {
          return overInputs(declared(size));
        }
        return leaf;
      }
    }.index(expression);
  }

  /** Returns the declaration of a tensor. */
  public TensorDeclaration tensor(String name) {
    TensorDeclaration tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no tensor " + name);
    }
    return tensor;
  }

  /** Whether two expressions are equal in every run. */
  public boolean areEqual(IndexExpression left, IndexExpression right) {
    return isZero(canonical(left).minus(canonical(right)));
  }

  private boolean isZero(Polynomial difference) {
    return difference.isZero()
        || zeros.contains(difference)
        || zeros.contains(difference.times(-1));
  }

  /** Whether an atom is known not to be negative. */
  boolean isExtent(IndexExpression atom) {
    return atom instanceof AxisSize || extents.contains(atom);
  }

  /** Whether a loop has exactly one iteration in every run. */
  public boolean isSingle(Loop loop) {
    return canonical(loop.end()).minus(canonical(loop.start())).equals(Polynomial.ONE);
  }
}
