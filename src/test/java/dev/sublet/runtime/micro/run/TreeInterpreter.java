package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs a program by walking over it: the definition of what programs mean, as plain as it can be.
 *
 * <p>Floating-point values are doubles, rounded to their type after every operation, which for
 * FLOAT32 gives the same bits as float arithmetic for + - × ÷ and square roots (53 ≥ 2 · 24 + 2
 * bits: S. Figueroa, "When is double rounding innocuous?", 1995).
 */
public final class TreeInterpreter {

  private final MicroProgram program;
  private final ImmutableMap<String, Number> parameters;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<Integer, Long> indices = new HashMap<>();
  private final Map<Integer, Accumulator> carried = new HashMap<>();
  private ExpressionTypes types;

  public TreeInterpreter(
      MicroProgram program,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Number> parameters) {
    this.program = requireNonNull(program, "program");
    this.parameters = requireNonNull(parameters, "parameters");
    this.tensors.putAll(inputs);
    this.types = ExpressionTypes.in(program, new LoopBlock(ImmutableList.of(ONCE)));
  }

  private static final Loop ONCE =
      new Loop(
          0,
          new IndexExpression.Constant(0),
          new IndexExpression.Constant(1),
          ImmutableList.of(),
          ImmutableList.of());

  public ImmutableMap<String, Tensor> run() {
    for (ScalarDeclaration parameter : program.parameters()) {
      checkArgument(parameters.containsKey(parameter.name()), "$%s has no value", parameter.name());
    }
    program.tensors().forEach(this::declare);
    for (Requirement requirement : program.requirements()) {
      long left = index(requirement.left());
      long right = index(requirement.right());
      checkArgument(
          left == right,
          "%s is %s, %s is %s; they must be equal",
          requirement.left(),
          left,
          requirement.right(),
          right);
    }
    for (MicroFunction function : program.functions()) {
      function.blocks().forEach(this::runBlock);
    }
    ImmutableMap.Builder<String, Tensor> outputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == TensorDeclaration.Role.OUTPUT) {
        outputs.put(tensor.name(), requireNonNull(tensors.get(tensor.name())));
      }
    }
    return outputs.buildOrThrow();
  }

  private void declare(TensorDeclaration declaration) {
    Tensor given = tensors.get(declaration.name());
    if (declaration.role() != TensorDeclaration.Role.INPUT) {
      ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
      declaration.shape().forEach(extent -> shape.add(index(extent)));
      tensors.put(declaration.name(), Tensor.zeros(declaration.type(), shape.build()));
      return;
    }
    checkArgument(given != null, "input %s has no tensor", declaration.name());
    Tensor input = requireNonNull(given);
    checkArgument(
        input.type() == declaration.type() && input.rank() == declaration.rank(),
        "input %s is %s of rank %s, not %s of rank %s",
        declaration.name(),
        declaration.type(),
        declaration.rank(),
        input.type(),
        input.rank());
    for (int axis = 0; axis < input.rank(); axis++) {
      checkArgument(
          index(declaration.shape().get(axis)) == input.size(axis),
          "axis %s of %s is %s, not %s",
          axis,
          declaration.name(),
          index(declaration.shape().get(axis)),
          input.size(axis));
    }
  }

  private void runBlock(LoopBlock block) {
    types = ExpressionTypes.in(program, block);
    runLoop(block, 0);
  }

  private void runLoop(LoopBlock block, int depth) {
    if (depth == block.loops().size()) {
      return;
    }
    Loop loop = block.loops().get(depth);
    long end = index(loop.end());
    for (long i = index(loop.start()); i < end; i++) {
      indices.put(loop.id(), i);
      for (CarriedVariable variable : loop.carried()) {
        carried.put(variable.id(), new Accumulator(variable.operator(), variable.type()));
      }
      runLoop(block, depth + 1);
      loop.statements().forEach(this::runStatement);
    }
  }

  private void runStatement(Statement statement) {
    if (statement instanceof Statement.Assignment assignment) {
      int at = offset(assignment.target());
      if (at >= 0) {
        store(assignment.target().tensor(), at, assignment.value());
      }
    } else if (statement instanceof Statement.Accumulation accumulation) {
      int at = offset(accumulation.target());
      if (at >= 0) {
        accumulate(accumulation, at);
      }
    } else if (statement instanceof Statement.Fold fold) {
      Accumulator accumulator = requireNonNull(carried.get(fold.carried()));
      long position = fold.position().map(this::index).orElse(0L);
      if (accumulator.type.isFloating()) {
        accumulator.fold(floating(fold.value()), position);
      } else {
        accumulator.fold(integer(fold.value()), position);
      }
    } else {
      throw new AssertionError(statement);
    }
  }

  private void store(String name, int at, Expression value) {
    Tensor tensor = tensor(name);
    if (tensor.type().isFloating()) {
      put(tensor, at, floating(value));
    } else {
      put(tensor, at, integer(value));
    }
  }

  private void accumulate(Statement.Accumulation accumulation, int at) {
    Tensor tensor = tensor(accumulation.target().tensor());
    checkArgument(!accumulation.operator().isPosition(), "a tensor holds no positions");
    Accumulator accumulator = new Accumulator(accumulation.operator(), tensor.type());
    if (tensor.type().isFloating()) {
      accumulator.floating = tensor.getDouble(at);
      accumulator.fold(floating(accumulation.value()), 0);
      put(tensor, at, accumulator.floating);
    } else {
      accumulator.integer = tensor.getLong(at);
      accumulator.fold(integer(accumulation.value()), 0);
      put(tensor, at, accumulator.integer);
    }
  }

  private static void put(Tensor tensor, int at, double value) {
    if (tensor.type() == ElementType.FLOAT32) {
      tensor.floats()[at] = (float) value;
    } else {
      tensor.doubles()[at] = value;
    }
  }

  private static void put(Tensor tensor, int at, long value) {
    switch (tensor.type()) {
      case INT32 -> tensor.ints()[at] = (int) value;
      case INT64 -> tensor.longs()[at] = value;
      case BOOL, UINT8, INT8 -> tensor.bytes()[at] = (byte) value;
      default -> throw new AssertionError(tensor.type());
    }
  }

  private Tensor tensor(String name) {
    return requireNonNull(tensors.get(name), name);
  }

  /** The place of an element in its tensor's array, or -1 out of bounds. */
  private int offset(Access access) {
    return offset(tensor(access.tensor()), access.at());
  }

  private int offset(Tensor tensor, ImmutableList<IndexExpression> at) {
    long offset = 0;
    for (int axis = 0; axis < tensor.rank(); axis++) {
      long i = index(at.get(axis));
      if (i < 0 || i >= tensor.size(axis)) {
        return -1;
      }
      offset = offset * tensor.size(axis) + i;
    }
    return (int) offset;
  }

  private long index(IndexExpression expression) {
    if (expression instanceof IndexExpression.Constant constant) {
      return constant.value();
    }
    if (expression instanceof IndexExpression.LoopIndex loop) {
      return requireNonNull(indices.get(loop.id()));
    }
    if (expression instanceof IndexExpression.AxisSize size) {
      return tensor(size.tensor()).size(size.axis());
    }
    if (expression instanceof IndexExpression.Parameter parameter) {
      return requireNonNull(parameters.get(parameter.name())).longValue();
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return -index(negation.operand());
    }
    if (expression instanceof IndexExpression.Element element) {
      int at = offset(tensor(element.tensor()), element.at());
      return at < 0 ? 0 : tensor(element.tensor()).getLong(at);
    }
    if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      return arithmetic(arithmetic, index(arithmetic.left()), index(arithmetic.right()));
    }
    throw new AssertionError(expression);
  }

  private static long arithmetic(IndexExpression.Arithmetic expression, long left, long right) {
    return switch (expression.operator()) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      case MULTIPLY -> left * right;
      case DIVIDE -> {
        checkArgument(right != 0, "division by zero in %s", expression);
        yield Math.floorDiv(left, right);
      }
    };
  }

  private double floating(Expression expression) {
    ElementType type = types.of(expression);
    if (expression instanceof Expression.FloatLiteral literal) {
      return literal.value();
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      double value = requireNonNull(parameters.get(parameter.name())).doubleValue();
      return Operators.round(type, value);
    }
    if (expression instanceof Expression.Load load) {
      int at = offset(load.access());
      return at < 0
          ? Operators.round(type, load.outside())
          : tensor(load.access().tensor()).getDouble(at);
    }
    if (expression instanceof Expression.CarriedValue value) {
      return requireNonNull(carried.get(value.id())).floating;
    }
    if (expression instanceof Expression.Unary unary) {
      return Operators.round(type, Operators.apply(unary.operator(), floating(unary.operand())));
    }
    if (expression instanceof Expression.Binary binary) {
      double result =
          Operators.apply(binary.operator(), floating(binary.left()), floating(binary.right()));
      return Operators.round(type, result);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return floating(
          integer(conditional.condition()) != 0 ? conditional.ifTrue() : conditional.ifFalse());
    }
    if (expression instanceof Expression.Cast cast) {
      return types.of(cast.operand()).isFloating()
          ? Operators.round(type, floating(cast.operand()))
          : type == ElementType.FLOAT32
              ? (float) integer(cast.operand())
              : (double) integer(cast.operand());
    }
    throw new AssertionError(expression);
  }

  private long integer(Expression expression) {
    ElementType type = types.of(expression);
    if (expression instanceof Expression.IntegerLiteral literal) {
      return literal.value();
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      long value = requireNonNull(parameters.get(parameter.name())).longValue();
      return Operators.toInteger(type, value);
    }
    if (expression instanceof Expression.IndexValue value) {
      return index(value.index());
    }
    if (expression instanceof Expression.Load load) {
      int at = offset(load.access());
      return at < 0
          ? Operators.toInteger(type, load.outside())
          : tensor(load.access().tensor()).getLong(at);
    }
    if (expression instanceof Expression.CarriedValue value) {
      return requireNonNull(carried.get(value.id())).result();
    }
    if (expression instanceof Expression.Unary unary) {
      return Operators.wrap(type, Operators.apply(unary.operator(), integer(unary.operand())));
    }
    if (expression instanceof Expression.Binary binary) {
      return binary(binary, type);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return integer(
          integer(conditional.condition()) != 0 ? conditional.ifTrue() : conditional.ifFalse());
    }
    if (expression instanceof Expression.Cast cast) {
      return types.of(cast.operand()).isFloating()
          ? Operators.toInteger(type, floating(cast.operand()))
          : Operators.toInteger(type, integer(cast.operand()));
    }
    throw new AssertionError(expression);
  }

  private long binary(Expression.Binary binary, ElementType type) {
    if (!binary.operator().isComparison()) {
      return Operators.wrap(
          type,
          Operators.apply(binary.operator(), integer(binary.left()), integer(binary.right())));
    }
    boolean holds =
        types.of(binary.left()).isFloating()
            ? Operators.compare(
                binary.operator(), floating(binary.left()), floating(binary.right()))
            : Operators.compare(binary.operator(), integer(binary.left()), integer(binary.right()));
    return holds ? 1 : 0;
  }

  /** A carried variable, or an element of a tensor while it takes a value in. */
  private static final class Accumulator {

    private final ReduceOperator operator;
    private final ElementType type;
    private double floating;
    private long integer;
    private long position;
    private boolean empty = true;

    Accumulator(ReduceOperator operator, ElementType type) {
      this.operator = operator;
      this.type = type;
      boolean largest = operator == ReduceOperator.MINIMUM || operator == ReduceOperator.ARGMIN;
      switch (operator) {
        case SUM -> {}
        case PRODUCT -> {
          floating = 1;
          integer = 1;
        }
        case MAXIMUM, MINIMUM, ARGMAX, ARGMIN -> {
          floating = largest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
          integer = limit(type, largest);
        }
      }
    }

    private static long limit(ElementType type, boolean largest) {
      return switch (type) {
        case INT32 -> largest ? Integer.MAX_VALUE : Integer.MIN_VALUE;
        case INT64 -> largest ? Long.MAX_VALUE : Long.MIN_VALUE;
        default -> largest ? 1 : 0;
      };
    }

    /** An integer, boolean or position. */
    long result() {
      return operator.isPosition() ? position : integer;
    }

    void fold(double value, long at) {
      switch (operator) {
        case SUM -> floating = Operators.round(type, floating + value);
        case PRODUCT -> floating = Operators.round(type, floating * value);
        case MAXIMUM -> floating = Math.max(floating, value);
        case MINIMUM -> floating = Math.min(floating, value);
        case ARGMAX, ARGMIN -> {
          boolean better = operator == ReduceOperator.ARGMAX ? value > floating : value < floating;
          boolean first = empty || better || (Double.isNaN(value) && !Double.isNaN(floating));
          take(first, at);
          floating = first ? value : floating;
        }
      }
    }

    void fold(long value, long at) {
      switch (operator) {
        case SUM -> integer = Operators.wrap(type, integer + value);
        case PRODUCT -> integer = Operators.wrap(type, integer * value);
        case MAXIMUM -> integer = Math.max(integer, value);
        case MINIMUM -> integer = Math.min(integer, value);
        case ARGMAX, ARGMIN -> {
          boolean better = operator == ReduceOperator.ARGMAX ? value > integer : value < integer;
          take(empty || better, at);
          integer = empty || better ? value : integer;
        }
      }
    }

    private void take(boolean better, long at) {
      position = better ? at : position;
      empty = false;
    }
  }
}
