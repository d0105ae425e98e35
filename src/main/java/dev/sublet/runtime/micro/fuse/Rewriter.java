package dev.sublet.runtime.micro.fuse;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.Statement;

/**
 * Rebuilds statements with some parts replaced. A subclass overrides the methods for the parts that
 * it replaces. Operations on numbers are folded. O(size).
 */
class Rewriter {

  /** Returns the replacement of a number, loop index, extent or parameter. */
  IndexExpression leaf(IndexExpression leaf) {
    return leaf;
  }

  /** Returns the replacement of an operation whose operands have been rewritten. */
  IndexExpression arithmetic(Arithmetic arithmetic) {
    return IndexFolding.fold(arithmetic);
  }

  /** Returns the replacement of an element whose indices have been rewritten. */
  IndexExpression element(Element element) {
    return element;
  }

  /** Returns the replacement of a load whose indices have been rewritten. */
  Expression load(Expression.Load load) {
    return load;
  }

  /** Returns the replacement of a statement's target whose indices have been rewritten. */
  Access target(Access target) {
    return target;
  }

  /** Returns the new number of a carried variable. */
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

  /**
   * Returns the loop with its bounds and statements rewritten; the number of the loop is unchanged.
   */
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
      return operand instanceof Constant constant
          ? new Constant(-constant.value())
          : new Negation(operand);
    }
    if (index instanceof Arithmetic arithmetic) {
      return arithmetic(
          new Arithmetic(
              arithmetic.operator(), index(arithmetic.left()), index(arithmetic.right())));
    }
    if (index instanceof Element element) {
      return element(new Element(element.tensor(), indices(element.at())));
    }
    return leaf(index);
  }
}
