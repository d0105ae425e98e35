package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.tensor.ElementType;
import java.util.HashSet;
import java.util.Set;

/** Writes one nest of loops. */
final class CBlock {

  private final CScope scope;
  private final LoopBlock block;
  private final NestCut cut;
  private final ExpressionTypes types;
  private final StringBuilder code;

  /**
   * Carried variables that a statement reads; together with {@link #folded}, this avoids C
   * declarations that compilers warn about as unused.
   */
  private final Set<Integer> read = new HashSet<>();

  private final Set<Integer> folded = new HashSet<>();

  private CBlock(
      CScope scope, MicroProgram program, LoopBlock block, NestCut cut, StringBuilder code) {
    this.scope = scope;
    this.block = block;
    this.cut = cut;
    this.types = ExpressionTypes.in(program, block);
    this.code = code;
    for (Loop loop : block.loops()) {
      for (Statement statement : loop.statements()) {
        findReads(statement.value());
        if (statement instanceof Statement.Fold fold) {
          folded.add(fold.carried());
        }
      }
    }
  }

  /** Appends the C code of a nest: loops, or tiles of products. O(size). */
  static void write(
      CScope scope, MicroProgram program, LoopBlock block, NestCut cut, StringBuilder code) {
    CBlock written = new CBlock(scope, program, block, cut, code);
    if (cut.tile() == null) {
      written.loop(0);
    } else if (cut.tile().plane() != null) {
      CPlane.write(new TileCode(scope, cut, written, code), cut);
    } else {
      CProduct.write(new TileCode(scope, cut, written, code), cut);
    }
  }

  /** Appends the statements of a loop. */
  void statements(int depth, int indentation) {
    CIndex index = CIndex.inside(scope, block.loops().subList(0, depth + 1));
    for (Statement statement : block.loops().get(depth).statements()) {
      statement(indentation, statement, index);
    }
  }

  private void loop(int depth) {
    Loop loop = block.loops().get(depth);
    CIndex outside = CIndex.inside(scope, block.loops().subList(0, depth));
    CIndex index = CIndex.inside(scope, block.loops().subList(0, depth + 1));
    String i = "i" + loop.id();
    line(depth, "%s", cut.loop(depth, i, outside.text(loop.start()), outside.text(loop.end())));
    for (CarriedVariable variable : loop.carried()) {
      declare(depth + 1, variable);
    }
    if (depth + 1 < block.loops().size()) {
      loop(depth + 1);
    }
    for (Statement statement : loop.statements()) {
      statement(depth + 1, statement, index);
    }
    line(depth, "}");
  }

  private void declare(int depth, CarriedVariable variable) {
    String c = "c" + variable.id();
    String type = CScope.type(variable.type());
    if (!variable.operator().isPosition()) {
      line(depth, "%s %s = %s;", type, c, first(variable.operator(), variable.type()));
    } else {
      line(depth, "int64_t %s = 0;", c);
      if (folded.contains(variable.id())) {
        line(depth, "int %s_any = 0;", c);
        line(depth, "%s %s_best = 0;", type, c);
      }
    }
    if (!read.contains(variable.id())) {
      line(depth, "(void)%s;", c);
    }
  }

  private static String first(ReduceOperator operator, ElementType type) {
    return switch (operator) {
      case SUM -> "0";
      case PRODUCT -> "1";
      case MAXIMUM ->
          switch (type) {
            case FLOAT32, FLOAT64 -> "-INFINITY";
            case INT32 -> "INT32_MIN";
            case INT64 -> "INT64_MIN";
            case BOOL -> "0";
            default -> throw new AssertionError(operator + " of " + type);
          };
      case MINIMUM ->
          switch (type) {
            case FLOAT32, FLOAT64 -> "INFINITY";
            case INT32 -> "INT32_MAX";
            case INT64 -> "INT64_MAX";
            case BOOL -> "1";
            default -> throw new AssertionError(operator + " of " + type);
          };
      case ARGMAX, ARGMIN -> throw new AssertionError(operator);
    };
  }

  private void statement(int depth, Statement statement, CIndex index) {
    CValue values = new CValue(scope, index, types);
    String value = values.text(statement.value());
    if (statement instanceof Statement.Assignment assignment) {
      write(depth, assignment.target(), index, "=", CValue.strip(value));
    } else if (statement instanceof Statement.Accumulation accumulation) {
      Access target = accumulation.target();
      ElementType type = types.ofTensor(target.tensor());
      String element = index.element(target.tensor(), target.at());
      take(depth, target, index, folded(accumulation.operator(), type, element, value, values));
    } else if (statement instanceof Statement.Fold fold) {
      CarriedVariable variable = types.ofCarried(fold.carried());
      String c = "c" + variable.id();
      if (fold.position().isPresent()) {
        position(depth, variable, value, index.text(fold.position().get()));
      } else {
        line(depth, "%s", folded(variable.operator(), variable.type(), c, value, values));
      }
    } else {
      throw new AssertionError(statement);
    }
  }

  private void take(int depth, Access target, CIndex index, String folded) {
    String inside = target.checked() ? index.inside(target.tensor(), target.at()) : "";
    line(depth, "%s", inside.isEmpty() ? folded : "if (" + inside + ") " + folded);
  }

  private void write(int depth, Access target, CIndex index, String symbol, String value) {
    String inside = target.checked() ? index.inside(target.tensor(), target.at()) : "";
    String store = index.element(target.tensor(), target.at()) + " " + symbol + " " + value + ";";
    line(depth, "%s", inside.isEmpty() ? store : "if (" + inside + ") " + store);
  }

  private static String folded(
      ReduceOperator operator, ElementType type, String sum, String value, CValue values) {
    if (type.isFloating() && operator == ReduceOperator.SUM) {
      return sum + " += " + CValue.strip(value) + ";";
    }
    if (type.isFloating() && operator == ReduceOperator.PRODUCT) {
      return sum + " *= " + CValue.strip(value) + ";";
    }
    BinaryOperator binary =
        switch (operator) {
          case SUM -> BinaryOperator.ADD;
          case PRODUCT -> BinaryOperator.MULTIPLY;
          case MAXIMUM -> BinaryOperator.MAXIMUM;
          case MINIMUM -> BinaryOperator.MINIMUM;
          case ARGMAX, ARGMIN -> throw new AssertionError(operator);
        };
    return sum + " = " + values.binary(binary, type, sum, CValue.strip(value)) + ";";
  }

  /**
   * Writes the fold of an argmax or argmin. NaN counts as the largest value for argmax and as the
   * smallest for argmin.
   */
  private void position(int depth, CarriedVariable variable, String value, String position) {
    String c = "c" + variable.id();
    String symbol = variable.operator() == ReduceOperator.ARGMAX ? ">" : "<";
    String nan =
        variable.type().isFloating()
            ? " || (isnan(%s_value) && !isnan(%s_best))".formatted(c, c)
            : "";
    line(depth, "{");
    line(
        depth + 1, "const %s %s_value = %s;", CScope.type(variable.type()), c, CValue.strip(value));
    line(depth + 1, "if (!%s_any || %s_value %s %s_best%s) {", c, c, symbol, c, nan);
    line(depth + 2, "%s_best = %s_value;", c, c);
    line(depth + 2, "%s = %s;", c, position);
    line(depth + 2, "%s_any = 1;", c);
    line(depth + 1, "}");
    line(depth, "}");
  }

  @FormatMethod
  private void line(int depth, @FormatString String format, Object... parts) {
    code.append("  ".repeat(depth + 1)).append(String.format(format, parts)).append('\n');
  }

  private void findReads(Expression expression) {
    if (expression instanceof Expression.CarriedValue value) {
      read.add(value.id());
    }
    parts(expression).forEach(this::findReads);
  }

  private static ImmutableList<Expression> parts(Expression expression) {
    if (expression instanceof Expression.Unary unary) {
      return ImmutableList.of(unary.operand());
    }
    if (expression instanceof Expression.Binary binary) {
      return ImmutableList.of(binary.left(), binary.right());
    }
    if (expression instanceof Expression.Conditional conditional) {
      return ImmutableList.of(conditional.condition(), conditional.ifTrue(), conditional.ifFalse());
    }
    return expression instanceof Expression.Cast cast
        ? ImmutableList.of(cast.operand())
        : ImmutableList.of();
  }
}
