package dev.sublet.runtime.micro.check;

import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.Statement.Accumulation;
import dev.sublet.runtime.micro.ir.Statement.Assignment;
import dev.sublet.runtime.micro.ir.Statement.Fold;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the loops and statements of one block. Each loop is checked with the loops and carried
 * variables in scope.
 */
final class BlockCheck {

  private final MicroProgramCheck program;

  BlockCheck(MicroProgramCheck program) {
    this.program = program;
  }

  /** Checks a block. O(size). */
  void check(LoopBlock block) {
    List<Integer> loops = new ArrayList<>();
    Map<Integer, CarriedVariable> carried = new LinkedHashMap<>();
    for (Loop loop : block.loops()) {
      checkBounds(loop, ImmutableSet.copyOf(loops));
      if (loop.id() < 0) {
        throw program.invalid("loop i" + loop.id() + " has a negative number", loop);
      }
      if (loops.contains(loop.id())) {
        throw program.invalid("a second loop i" + loop.id() + " in the block", loop);
      }
      loops.add(loop.id());
      for (CarriedVariable variable : loop.carried()) {
        checkCarried(variable, carried);
        carried.put(variable.id(), variable);
      }
      IndexCheck index = IndexCheck.ofAccesses(program, ImmutableSet.copyOf(loops));
      ValueCheck values = new ValueCheck(program, index, carried);
      for (Statement statement : loop.statements()) {
        check(statement, index, values);
      }
    }
  }

  private void checkCarried(CarriedVariable variable, Map<Integer, CarriedVariable> others) {
    if (variable.id() < 0) {
      throw program.invalid(
          "carried variable c" + variable.id() + " has a negative number", variable);
    }
    if (others.containsKey(variable.id())) {
      throw program.invalid("a second c" + variable.id() + " in the block", variable);
    }
    checkTakesIn(variable.operator(), variable.type(), variable);
  }

  private void checkBounds(Loop loop, ImmutableSet<Integer> around) {
    IndexCheck bounds = IndexCheck.ofBounds(program, around);
    bounds.check(loop.start());
    bounds.check(loop.end());
  }

  private void check(Statement statement, IndexCheck index, ValueCheck values) {
    if (statement instanceof Assignment assignment) {
      checkType(checkTarget(assignment.target(), index), values, assignment);
    } else if (statement instanceof Accumulation accumulation) {
      ElementType type = checkTarget(accumulation.target(), index);
      if (accumulation.operator().isPosition()) {
        throw program.invalid(
            "a tensor cannot take in positions; use a carried variable", accumulation);
      }
      checkTakesIn(accumulation.operator(), type, accumulation);
      checkType(type, values, accumulation);
    } else if (statement instanceof Fold fold) {
      check(fold, index, values);
    } else {
      throw new AssertionError(statement);
    }
  }

  private void check(Fold fold, IndexCheck index, ValueCheck values) {
    CarriedVariable variable = values.carried(fold.carried(), fold);
    if (variable.operator().isPosition() != fold.position().isPresent()) {
      throw program.invalid(
          variable.operator()
              + (fold.position().isPresent() ? " takes no position" : " needs a position"),
          fold);
    }
    fold.position().ifPresent(index::check);
    checkType(variable.type(), values, fold);
  }

  private void checkType(ElementType wanted, ValueCheck values, Statement statement) {
    ElementType type = values.typeOf(statement.value());
    if (type != wanted) {
      throw program.invalid(type + " where " + wanted + " is wanted", statement.value());
    }
  }

  /** Checks the target of a statement and returns the type of its elements. */
  private ElementType checkTarget(Access target, IndexCheck index) {
    TensorDeclaration tensor = program.tensor(target.tensor(), target.at(), target);
    if (tensor.role() == Role.INPUT) {
      throw program.invalid("input " + MicroName.text(tensor.name()) + " is written", target);
    }
    target.at().forEach(index::check);
    return tensor.type();
  }

  private void checkTakesIn(ReduceOperator operator, ElementType type, Object culprit) {
    boolean fits =
        !type.isNarrow()
            && (type != ElementType.BOOL
                || operator == ReduceOperator.MAXIMUM
                || operator == ReduceOperator.MINIMUM);
    if (!fits) {
      throw program.invalid(operator + " of " + type, culprit);
    }
  }
}
