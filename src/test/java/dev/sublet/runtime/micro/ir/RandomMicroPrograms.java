package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.AxisSize;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Negation;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.IndexExpression.Parameter;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Random programs that keep every rule of {@link MicroProgramCheck} and use every part of the IR.
 * They compute nothing sensible.
 */
public final class RandomMicroPrograms {

  /** The types that are computed with. */
  private static final ElementType[] COMPUTED =
      ElementType.ofMicroPrograms().stream()
          .filter(type -> !type.isNarrow())
          .toArray(ElementType[]::new);

  private static final String[] NAMES = {
    "a",
    "b_1",
    "X",
    "for",
    "carry",
    "inf",
    "nan",
    "true",
    "d",
    "i0",
    "c0",
    "dA1",
    "and",
    "at",
    "outside",
    "index",
    "exp",
    "conv2d_0.tmp_0",
    "x@GRAD",
    "",
    "two words",
    "\"quoted\"",
    "back\\",
    "tab\t",
    "line\n",
    "#",
    "größe",
    "\uD83D\uDE00",
    "\uD800",
    "0",
    "for[",
    "f32",
  };

  private final Random random;
  private final List<ScalarDeclaration> parameters = new ArrayList<>();
  private final List<TensorDeclaration> tensors = new ArrayList<>();
  private final List<Integer> loops = new ArrayList<>();
  private final List<CarriedVariable> carried = new ArrayList<>();
  private int nextCarried;

  private RandomMicroPrograms(Random random) {
    this.random = random;
  }

  /** The program of a seed. */
  public static MicroProgram generate(long seed) {
    return new RandomMicroPrograms(new Random(seed)).program();
  }

  /** A name of any kind, most of them plain. */
  static String name(Random random) {
    return NAMES[random.nextInt(NAMES.length)];
  }

  /** A small number, or one at the end of a range. */
  static long integer(Random random) {
    long[] ends = {
      Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE, 1L << 31, -1, 0
    };
    return random.nextInt(4) == 0 ? ends[random.nextInt(ends.length)] : random.nextInt(21) - 10;
  }

  private static double real(Random random) {
    double[] ends = {
      0.0,
      -0.0,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MIN_VALUE,
      -Double.MAX_VALUE,
      1e-30,
      1e30,
      0.1,
      -1
    };
    return random.nextBoolean()
        ? ends[random.nextInt(ends.length)]
        : Double.longBitsToDouble(random.nextLong());
  }

  private MicroProgram program() {
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = name(random);
      if (parameters.stream().noneMatch(p -> p.name().equals(name))) {
        parameters.add(new ScalarDeclaration(name, type()));
      }
    }
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      String name = name(random);
      if (tensors.stream().noneMatch(t -> t.name().equals(name))) {
        tensors.add(tensor(name));
      }
    }
    ImmutableList.Builder<Requirement> requirements = ImmutableList.builder();
    for (int i = random.nextInt(3); i > 0; i--) {
      requirements.add(new Requirement(index(2, false), index(2, false)));
    }
    ImmutableList.Builder<MicroFunction> functions = ImmutableList.builder();
    for (int i = random.nextInt(4); i > 0; i--) {
      ImmutableList.Builder<LoopBlock> blocks = ImmutableList.builder();
      for (int j = random.nextInt(3); j > 0; j--) {
        blocks.add(block());
      }
      functions.add(new MicroFunction(name(random), blocks.build()));
    }
    return new MicroProgram(
        name(random),
        ImmutableList.copyOf(parameters),
        ImmutableList.copyOf(tensors),
        requirements.build(),
        functions.build());
  }

  private ElementType type() {
    return pick(COMPUTED);
  }

  private <T> T pick(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private TensorDeclaration tensor(String name) {
    Role role = pick(Role.values());
    int rank = random.nextInt(4);
    boolean[] free = new boolean[rank];
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    for (int axis = 0; axis < rank; axis++) {
      free[axis] = role == Role.INPUT && random.nextBoolean();
      int earlier = axis > 0 ? random.nextInt(axis) : 0;
      if (free[axis]) {
        shape.add(new AxisSize(name, axis));
      } else if (free[earlier] && random.nextBoolean()) {
        shape.add(new Arithmetic(Operator.ADD, new AxisSize(name, earlier), new Constant(1)));
      } else {
        shape.add(index(2, false));
      }
    }
    return new TensorDeclaration(name, role, type(), shape.build());
  }

  private LoopBlock block() {
    loops.clear();
    carried.clear();
    nextCarried = random.nextInt(3);
    ImmutableList.Builder<Loop> nest = ImmutableList.builder();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      nest.add(loop());
    }
    return new LoopBlock(nest.build());
  }

  private Loop loop() {
    IndexExpression start = random.nextBoolean() ? new Constant(0) : index(2, false);
    IndexExpression end = index(2, false);
    int id = random.nextInt(50);
    while (loops.contains(id)) {
      id++;
    }
    loops.add(id);
    ImmutableList.Builder<CarriedVariable> own = ImmutableList.builder();
    for (int i = random.nextInt(3); i > 0; i--) {
      ReduceOperator operator = pick(ReduceOperator.values());
      ElementType type = takenInBy(operator, type());
      CarriedVariable variable = new CarriedVariable(nextCarried, operator, type);
      nextCarried += 1 + random.nextInt(3);
      own.add(variable);
      carried.add(variable);
    }
    ImmutableList.Builder<Statement> statements = ImmutableList.builder();
    for (int i = random.nextInt(4); i > 0; i--) {
      statement().ifPresent(statements::add);
    }
    return new Loop(id, start, end, own.build(), statements.build());
  }

  /** Booleans have a largest and a smallest, but no sum. */
  private static ElementType takenInBy(ReduceOperator operator, ElementType type) {
    boolean any = operator == ReduceOperator.MAXIMUM || operator == ReduceOperator.MINIMUM;
    return any || type != ElementType.BOOL ? type : ElementType.INT32;
  }

  private Optional<Statement> statement() {
    if (random.nextBoolean() && !carried.isEmpty()) {
      CarriedVariable variable = carried.get(random.nextInt(carried.size()));
      return Optional.of(
          new Statement.Fold(
              variable.id(),
              value(variable.type(), 4),
              variable.operator().isPosition() ? Optional.of(index(2, true)) : Optional.empty()));
    }
    TensorDeclaration tensor = tensors.get(random.nextInt(tensors.size()));
    if (tensor.role() == Role.INPUT) {
      return Optional.empty();
    }
    ReduceOperator[] operators = {
      ReduceOperator.SUM, ReduceOperator.PRODUCT, ReduceOperator.MAXIMUM, ReduceOperator.MINIMUM
    };
    ReduceOperator operator = pick(operators);
    Expression value = value(tensor.type(), 4);
    return Optional.of(
        random.nextBoolean() || takenInBy(operator, tensor.type()) != tensor.type()
            ? new Statement.Assignment(access(tensor), value)
            : new Statement.Accumulation(access(tensor), operator, value));
  }

  private Access access(TensorDeclaration tensor) {
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    for (int axis = 0; axis < tensor.rank(); axis++) {
      at.add(index(2, true));
    }
    return new Access(tensor.name(), at.build(), random.nextInt(4) > 0);
  }

  /** An index over what is declared; elements of tensors only if they are allowed. */
  private IndexExpression index(int depth, boolean elements) {
    int kind = random.nextInt(depth > 0 ? 9 : 4);
    if (kind == 0 && !loops.isEmpty()) {
      return new LoopIndex(loops.get(random.nextInt(loops.size())));
    }
    if (kind == 1 && !tensors.isEmpty()) {
      TensorDeclaration tensor = tensors.get(random.nextInt(tensors.size()));
      if (tensor.rank() > 0) {
        return new AxisSize(tensor.name(), random.nextInt(tensor.rank()));
      }
    }
    if (kind == 2 && !parameters.isEmpty()) {
      ScalarDeclaration parameter = parameters.get(random.nextInt(parameters.size()));
      if (isInteger(parameter.type())) {
        return new Parameter(parameter.name());
      }
    }
    if (kind == 4) {
      return new Negation(index(depth - 1, elements));
    }
    if (kind == 5 && elements) {
      TensorDeclaration tensor = tensors.get(random.nextInt(tensors.size()));
      if (isInteger(tensor.type())) {
        return new Element(tensor.name(), access(tensor).at());
      }
    }
    if (kind > 5) {
      Operator operator = pick(Operator.values());
      return new Arithmetic(operator, index(depth - 1, elements), index(depth - 1, elements));
    }
    return new Constant(integer(random));
  }

  private static boolean isInteger(ElementType type) {
    return type == ElementType.INT32 || type == ElementType.INT64;
  }

  private Expression value(ElementType type, int depth) {
    int kind = random.nextInt(depth > 0 ? 11 : 5);
    if (kind == 0) {
      for (TensorDeclaration tensor : tensors) {
        if (tensor.type() == type) {
          double outside = random.nextBoolean() ? 0 : real(random);
          return new Expression.Load(access(tensor), outside);
        }
      }
    }
    if (kind == 1) {
      for (ScalarDeclaration parameter : parameters) {
        if (parameter.type() == type) {
          return new Expression.ScalarParameter(parameter.name());
        }
      }
    }
    if (kind == 2) {
      for (CarriedVariable variable : carried) {
        if ((variable.operator().isPosition() ? ElementType.INT64 : variable.type()) == type) {
          return new Expression.CarriedValue(variable.id());
        }
      }
    }
    if (kind == 3 && type == ElementType.INT64) {
      return new Expression.IndexValue(index(2, true));
    }
    if (kind == 5) {
      return new Expression.Cast(type, value(type(), depth - 1));
    }
    if (kind == 6) {
      return new Expression.Conditional(
          value(ElementType.BOOL, depth - 1), value(type, depth - 1), value(type, depth - 1));
    }
    if (kind == 7 || kind == 8) {
      return unary(type, depth);
    }
    return kind > 8 ? binary(type, depth) : literal(type);
  }

  private Expression literal(ElementType type) {
    return switch (type) {
      case FLOAT32 -> new Expression.FloatLiteral(type, (float) real(random));
      case FLOAT64 -> new Expression.FloatLiteral(type, real(random));
      case INT32 -> new Expression.IntegerLiteral(type, (int) integer(random));
      case INT64 -> new Expression.IntegerLiteral(type, integer(random));
      case BOOL -> new Expression.IntegerLiteral(type, random.nextInt(2));
      case UINT8, INT8 -> new Expression.IntegerLiteral(type, type.wrapped(random.nextInt()));
      default -> throw new AssertionError(type);
    };
  }

  private Expression unary(ElementType type, int depth) {
    UnaryOperator operator =
        random.nextInt(3) == 0 ? UnaryOperator.NEGATE : pick(UnaryOperator.values());
    boolean fits =
        operator == UnaryOperator.NOT
            ? type == ElementType.BOOL
            : type.isFloating() || (isInteger(type) && operator.takesIntegers());
    return fits ? new Expression.Unary(operator, value(type, depth - 1)) : literal(type);
  }

  private Expression binary(ElementType type, int depth) {
    BinaryOperator operator = pick(BinaryOperator.values());
    if (operator.isComparison() != (type == ElementType.BOOL) && !operator.isLogical()) {
      operator = type == ElementType.BOOL ? BinaryOperator.LESS : BinaryOperator.SUBTRACT;
    }
    if (operator.isLogical() && type != ElementType.BOOL) {
      operator = BinaryOperator.DIVIDE;
    }
    ElementType operands = operator.isComparison() ? type() : type;
    if (operands == ElementType.BOOL && !operator.isLogical()) {
      operator = random.nextBoolean() ? BinaryOperator.EQUAL : BinaryOperator.NOT_EQUAL;
    }
    return new Expression.Binary(operator, value(operands, depth - 1), value(operands, depth - 1));
  }
}
