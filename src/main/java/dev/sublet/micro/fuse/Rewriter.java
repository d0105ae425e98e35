package dev.sublet.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.micro.ir.Access;
import dev.sublet.micro.ir.CarriedVariable;
import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.IndexExpression;
import dev.sublet.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.micro.ir.IndexExpression.Constant;
import dev.sublet.micro.ir.IndexExpression.Element;
import dev.sublet.micro.ir.IndexExpression.Negation;
import dev.sublet.micro.ir.IndexExpression.Operator;
import dev.sublet.micro.ir.Loop;
import dev.sublet.micro.ir.LoopBlock;
import dev.sublet.micro.ir.Statement;

/**
 * Rebuilds statements with some of their parts replaced: a subclass overrides what it replaces.
 * Parts that stay the same keep their objects. O(size).
 */
class Rewriter {

  /** What stands for a number, loop index, extent or parameter. */
  IndexExpression leaf(IndexExpression leaf) {
    return leaf;
  }

  /** What stands for an element, whose indices are rewritten already. */
  IndexExpression element(Element element) {
    return element;
  }

  /** What stands for a load, whose indices are rewritten already. */
  Expression load(Expression.Load load) {
    return load;
  }

  /** What a statement writes to; the indices are rewritten already. */
  Access target(Access target) {
    return target;
  }

  /** The number that a carried variable gets. */
  int carried(int id) {
    return id;
  }

  final LoopBlock block(LoopBlock block) {
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (Loop loop : block.loops()) {
      loops.add(loop(loop));
    }
    return new LoopBlock(loops.build());
  }

  /** The loop with its bounds and statements rewritten; its own number stays. */
  final Loop loop(Loop loop) {
    ImmutableList.Builder<CarriedVariable> carried = ImmutableList.builder();
    for (CarriedVariable variable : loop.carried()) {
      carried.add(
          new CarriedVariable(carried(variable.id()), variable.operator(), variable.type()));
    }
    ImmutableList.Builder<Statement> statements = ImmutableList.builder();
    for (Statement statement : loop.statements()) {
      statements.add(statement(statement));
    }
    return new Loop(
        loop.id(), index(loop.start()), index(loop.end()), carried.build(), statements.build());
  }

  final Statement statement(Statement statement) {
    if (statement instanceof Statement.Assignment assignment) {
      return new Statement.Assignment(
          target(access(assignment.target())), expression(assignment.value()));
    }
    if (statement instanceof Statement.Accumulation accumulation) {
      return new Statement.Accumulation(
          target(access(accumulation.target())),
          accumulation.operator(),
          expression(accumulation.value()));
    }
    if (statement instanceof Statement.Fold fold) {
      return new Statement.Fold(
          carried(fold.carried()), expression(fold.value()), fold.position().map(this::index));
    }
    throw new AssertionError(statement);
  }

  final Expression expression(Expression expression) {
    if (expression instanceof Expression.Load load) {
      return load(new Expression.Load(access(load.access()), load.outside()));
    }
    if (expression instanceof Expression.IndexValue value) {
      return new Expression.IndexValue(index(value.index()));
    }
    if (expression instanceof Expression.CarriedValue value) {
      return new Expression.CarriedValue(carried(value.id()));
    }
    if (expression instanceof Expression.Unary unary) {
      return new Expression.Unary(unary.operator(), expression(unary.operand()));
    }
    if (expression instanceof Expression.Binary binary) {
      return new Expression.Binary(
          binary.operator(), expression(binary.left()), expression(binary.right()));
    }
    if (expression instanceof Expression.Choice choice) {
      return new Expression.Choice(
          expression(choice.condition()),
          expression(choice.ifTrue()),
          expression(choice.ifFalse()));
    }
    if (expression instanceof Expression.Cast cast) {
      return new Expression.Cast(cast.type(), expression(cast.operand()));
    }
    return expression;
  }

  final Access access(Access access) {
    return new Access(access.tensor(), indices(access.at()), access.checked());
  }

  final ImmutableList<IndexExpression> indices(ImmutableList<IndexExpression> indices) {
    ImmutableList.Builder<IndexExpression> rewritten = ImmutableList.builder();
    for (IndexExpression index : indices) {
      rewritten.add(index(index));
    }
    return rewritten.build();
  }

  final IndexExpression index(IndexExpression index) {
    if (index instanceof Negation negation) {
      IndexExpression operand = index(negation.operand());
      if (operand.equals(negation.operand())) {
        return index;
      }
      return operand instanceof Constant constant
          ? new Constant(-constant.value())
          : new Negation(operand);
    }
    if (index instanceof Arithmetic arithmetic) {
      IndexExpression left = index(arithmetic.left());
      IndexExpression right = index(arithmetic.right());
      boolean same = left.equals(arithmetic.left()) && right.equals(arithmetic.right());
      return same ? index : folded(arithmetic.operator(), left, right);
    }
    if (index instanceof Element element) {
      return element(new Element(element.tensor(), indices(element.at())));
    }
    return leaf(index);
  }

  /** The result of an operator without what is plainly superfluous. */
  private static IndexExpression folded(
      Operator operator, IndexExpression left, IndexExpression right) {
    boolean zeroLeft = left.equals(new Constant(0));
    boolean zeroRight = right.equals(new Constant(0));
    boolean oneRight = right.equals(new Constant(1));
    switch (operator) {
      case ADD -> {
        if (zeroLeft || zeroRight) {
          return zeroLeft ? right : left;
        }
      }
      case SUBTRACT -> {
        if (zeroRight) {
          return left;
        }
      }
      case MULTIPLY -> {
        if (oneRight || left.equals(new Constant(1))) {
          return oneRight ? left : right;
        }
      }
      case DIVIDE -> {
        if (oneRight) {
          return left;
        }
      }
    }
    if (left instanceof Constant a && right instanceof Constant b) {
      switch (operator) {
        case ADD -> {
          return new Constant(a.value() + b.value());
        }
        case SUBTRACT -> {
          return new Constant(a.value() - b.value());
        }
        case MULTIPLY -> {
          return new Constant(a.value() * b.value());
        }
        case DIVIDE -> {
          if (b.value() != 0) {
            return new Constant(Math.floorDiv(a.value(), b.value()));
          }
        }
      }
    }
    return new Arithmetic(operator, left, right);
  }
}
