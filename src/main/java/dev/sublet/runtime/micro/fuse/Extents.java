package dev.sublet.runtime.micro.fuse;

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
 * What is known of a program's extents: the canonical form of index expressions under declared
 * shapes and requirements.
 *
 * <p>The extent of a tensor is what its declaration says; each requirement, as an equation, gives
 * one of its atoms in terms of the others, as in Gaussian elimination (the extent declared last
 * first, so that canonical forms talk of the first). Requirements in which no atom stands by itself
 * are only compared with. Building is O(requirements²), each new expression then O(its size).
 */
final class Extents {

  private final Map<String, TensorDeclaration> tensors = new LinkedHashMap<>();
  private final Map<String, Integer> places = new HashMap<>();

  /** Atoms and what they are equal to; no atom of a value is a key. */
  private final Map<IndexExpression, Polynomial> solved = new LinkedHashMap<>();

  /** Polynomials that are 0 and give no atom. */
  private final List<Polynomial> zeros = new ArrayList<>();

  /** Atoms that are extents, hence not negative. */
  private final Set<IndexExpression> extents = new LinkedHashSet<>();

  private final Map<IndexExpression, Polynomial> canonical = new HashMap<>();

  private Extents() {}

  /** What a program declares and requires. */
  static Extents of(MicroProgram program) {
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

  /** The last declared extent with coefficient 1 or -1, else a parameter, else a quotient. */
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

  /** The canonical form of an expression; equal forms are equal in every run. */
  Polynomial canonical(IndexExpression expression) {
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

  /** What the declaration says of an extent; an input's own extent is itself. */
  private IndexExpression declared(AxisSize size) {
    return tensor(size.tensor()).shape().get(size.axis());
  }

  /** The expression over extents of inputs only: other tensors may vanish. */
  IndexExpression overInputs(IndexExpression expression) {
    return new Rewriter() {
      @Override
      IndexExpression leaf(IndexExpression leaf) {
        if (leaf instanceof AxisSize size && tensor(size.tensor()).role() != Role.INPUT) {
          return overInputs(declared(size));
        }
        return leaf;
      }
    }.index(expression);
  }

  /** The declaration of a tensor. */
  TensorDeclaration tensor(String name) {
    TensorDeclaration tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no tensor " + name);
    }
    return tensor;
  }

  /** Whether two expressions are equal in every run. */
  boolean areEqual(IndexExpression left, IndexExpression right) {
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
  boolean isSingle(Loop loop) {
    return canonical(loop.end()).minus(canonical(loop.start())).equals(Polynomial.ONE);
  }
}
