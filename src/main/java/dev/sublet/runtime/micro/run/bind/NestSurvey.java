package dev.sublet.runtime.micro.run.bind;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The reads and writes of a nest, with their places. O(size of the nest × loops). */
public final class NestSurvey {

  /**
   * A use of a carried variable in a statement.
   *
   * @param depth the depth of the statement's loop
   * @param id the carried variable's number
   * @param fold whether the statement folds into the variable; otherwise it reads the variable
   */
  record CarriedSite(int depth, int id, boolean fold) {}

  private final BoundNest nest;
  private final List<AccessSite> accesses = new ArrayList<>();
  private final List<CarriedSite> carried = new ArrayList<>();
  private final Set<String> written = new LinkedHashSet<>();

  /** The depths of loops whose index is used as a number. */
  private final Set<Integer> pinned = new LinkedHashSet<>();

  private NestSurvey(BoundNest nest) {
    this.nest = nest;
  }

  /** Surveys all statements and loops of a nest. */
  public static NestSurvey of(BoundNest nest) {
    NestSurvey survey = new NestSurvey(nest);
    for (int depth = 0; depth < nest.loops(); depth++) {
      Loop loop = nest.loop(depth);
      survey.pin(loop.start(), depth);
      survey.pin(loop.end(), depth);
      for (Statement statement : loop.statements()) {
        survey.visit(statement, depth);
      }
    }
    return survey;
  }

  /** Returns all accesses to tensors. */
  List<AccessSite> accesses() {
    return accesses;
  }

  /** Returns all uses of carried variables. */
  List<CarriedSite> carried() {
    return carried;
  }

  /** Returns the tensors that the nest writes. */
  Set<String> written() {
    return written;
  }

  /** Whether a loop's index is used as a number somewhere, not only as an index of a tensor. */
  boolean isPinned(int depth) {
    return pinned.contains(depth);
  }

  /**
   * Whether the statements of a loop may treat a group of loops as one, whose index runs on beyond
   * the extent of the innermost loop while the others stay 0: every access advances by a step, and
   * no statement uses an index as a number.
   */
  public boolean isUniform(LoopGroup group, int depth) {
    for (int i = 0; i < group.loops(); i++) {
      if (isPinned(group.depth(i))) {
        return false;
      }
    }
    for (AccessSite site : accesses) {
      if (site.depth() != depth) {
        continue;
      }
      Affine place = site.access().flat(nest.loops());
      if (site.access().checked() || place == null || group.step(place).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the depth of the loop that has a carried variable; -1 if there is none. */
  int depthOfCarried(int id) {
    for (int depth = 0; depth < nest.loops(); depth++) {
      for (CarriedVariable variable : nest.loop(depth).carried()) {
        if (variable.id() == id) {
          return depth;
        }
      }
    }
    return -1;
  }

  private void visit(Statement statement, int depth) {
    if (statement instanceof Statement.Assignment assignment) {
      target(nest.access(assignment.target()), depth);
    } else if (statement instanceof Statement.Accumulation accumulation) {
      target(nest.access(accumulation.target()), depth);
    } else if (statement instanceof Statement.Fold fold) {
      carried.add(new CarriedSite(depth, fold.carried(), /* fold= */ true));
      fold.position().ifPresent(position -> pin(position, depth));
    }
    visit(statement.value(), depth);
  }

  private void target(BoundAccess access, int depth) {
    written.add(access.tensor());
    add(new AccessSite(depth, /* target= */ true, access));
  }

  private void add(AccessSite site) {
    accesses.add(site);
    for (BoundAccess.Axis axis : site.access().axes()) {
      if (axis.affine() == null) {
        pin(axis.expression(), site.depth());
      }
    }
  }

  private void visit(Expression expression, int depth) {
    if (expression instanceof Expression.Load load) {
      add(new AccessSite(depth, /* target= */ false, nest.access(load.access())));
    } else if (expression instanceof Expression.IndexValue value) {
      pin(value.index(), depth);
    } else if (expression instanceof Expression.CarriedValue value) {
      carried.add(new CarriedSite(depth, value.id(), /* fold= */ false));
    }
    for (Expression part : parts(expression)) {
      visit(part, depth);
    }
  }

  /** Returns the operands of an expression. */
  public static ImmutableList<Expression> parts(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return ImmutableList.of(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return ImmutableList.of(binary.left(), binary.right());
    }
    if (expression instanceof Expression.Conditional conditional) {
      return ImmutableList.of(conditional.condition(), conditional.ifTrue(), conditional.ifFalse());
    }
    if (expression instanceof Expression.Cast cast) {
      return ImmutableList.of(cast.operand());
    }
    return ImmutableList.of();
  }

  /**
   * Records the loops on which an index depends. The index of a loop that runs once depends on the
   * loops around it.
   */
  private void pin(Affine index) {
    for (int depth = 0; depth < nest.loops(); depth++) {
      if (index.coefficient(depth) != 0) {
        pinned.add(depth);
      }
    }
  }

  /** Records the loops that an index uses as numbers, and the elements that it reads. */
  private void pin(IndexExpression expression, int depth) {
    if (expression instanceof IndexExpression.LoopIndex loop) {
      pin(requireNonNull(nest.affine(loop)));
    } else if (expression instanceof IndexExpression.Negation negation) {
      pin(negation.operand(), depth);
    } else if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      pin(arithmetic.left(), depth);
      pin(arithmetic.right(), depth);
    } else if (expression instanceof IndexExpression.Element element) {
      add(new AccessSite(depth, /* target= */ false, nest.access(element)));
    }
  }
}
