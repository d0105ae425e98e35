package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.IndexExpression.Arithmetic;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.micro.ir.IndexExpression.LoopIndex;
import dev.sublet.runtime.micro.ir.IndexExpression.Operator;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.Statement;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Random programs of loop nests with everything that the IR allows: indices out of bounds, strides
 * of any sign, data-dependent and triangular loops, statements at every depth that read and write
 * the same tensors, folds from several depths.
 */
public final class RandomNests {

  private static final ElementType[] TYPES =
      ElementType.ofMicroPrograms().stream()
          .filter(type -> !type.isNarrow())
          .toArray(ElementType[]::new);

  private static final ImmutableList<BinaryOperator> ARITHMETIC =
      ImmutableList.of(
          BinaryOperator.ADD,
          BinaryOperator.SUBTRACT,
          BinaryOperator.MULTIPLY,
          BinaryOperator.DIVIDE,
          BinaryOperator.MAXIMUM,
          BinaryOperator.MINIMUM,
          BinaryOperator.POWER,
          BinaryOperator.MODULO,
          BinaryOperator.FLOOR_DIVIDE);

  private static final ImmutableList<BinaryOperator> EQUALITIES =
      ImmutableList.of(BinaryOperator.EQUAL, BinaryOperator.NOT_EQUAL);

  private static final ImmutableList<BinaryOperator> ORDERS =
      ImmutableList.of(
          BinaryOperator.LESS,
          BinaryOperator.LESS_EQUAL,
          BinaryOperator.GREATER,
          BinaryOperator.GREATER_EQUAL);

  private static final ImmutableList<BinaryOperator> LOGIC =
      ImmutableList.of(BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR);

  private static final ImmutableList<UnaryOperator> EXACT =
      ImmutableList.of(
          UnaryOperator.NEGATE,
          UnaryOperator.ABSOLUTE,
          UnaryOperator.SIGN,
          UnaryOperator.SQRT,
          UnaryOperator.RECIPROCAL,
          UnaryOperator.FLOOR,
          UnaryOperator.CEIL,
          UnaryOperator.ROUND);

  private static final ImmutableList<UnaryOperator> SIGNS =
      ImmutableList.of(UnaryOperator.NEGATE, UnaryOperator.ABSOLUTE, UnaryOperator.SIGN);

  private static final ImmutableList<ReduceOperator> EXTREMES =
      ImmutableList.of(ReduceOperator.MAXIMUM, ReduceOperator.MINIMUM);

  private static final ImmutableList<ReduceOperator> VALUES =
      ImmutableList.of(
          ReduceOperator.SUM,
          ReduceOperator.PRODUCT,
          ReduceOperator.MAXIMUM,
          ReduceOperator.MINIMUM);

  private final Random random;
  private final List<TensorDeclaration> tensors = new ArrayList<>();
  private final List<long[]> shapes = new ArrayList<>();
  private final List<Integer> loops = new ArrayList<>();
  private final List<CarriedVariable> carried = new ArrayList<>();

  private int nextCarried;

  /** Whether the next block has a loop that takes more than one strip. */
  private boolean large;

  /** Whether it has come. */
  private boolean longLoop;

  private final boolean exact;

  RandomNests(long seed) {
    this(seed, /* exact= */ false);
  }

  /**
   * Programs of a seed.
   *
   * @param exact whether only such operations occur that IEEE 754 defines to the last bit, and no
   *     indices that wrap around
   */
  public RandomNests(long seed, boolean exact) {
    this.random = new Random(seed);
    this.exact = exact;
  }

  /** A program of one to three blocks. */
  public MicroProgram program() {
    for (int t = 0; t < 7; t++) {
      TensorDeclaration.Role role =
          t < 4 ? TensorDeclaration.Role.INPUT : TensorDeclaration.Role.OUTPUT;
      declare("x" + t, t == 6 && chance(2) ? TensorDeclaration.Role.TEMPORARY : role, t);
    }
    List<MicroFunction> functions = new ArrayList<>();
    int blocks = 1 + random.nextInt(3);
    for (int b = 0; b < blocks; b++) {
      functions.add(new MicroFunction("f" + b, ImmutableList.of(block())));
    }
    return new MicroProgram(
        "random",
        ImmutableList.of(
            new ScalarDeclaration("p", ElementType.INT64),
            new ScalarDeclaration("q", ElementType.INT32),
            new ScalarDeclaration("f", ElementType.FLOAT32),
            new ScalarDeclaration("g", ElementType.FLOAT64),
            new ScalarDeclaration("b", ElementType.BOOL)),
        ImmutableList.copyOf(tensors),
        ImmutableList.of(),
        ImmutableList.copyOf(functions));
  }

  /** Values for the parameters. */
  public ImmutableMap<String, Number> parameters() {
    return ImmutableMap.of(
        "p",
        (long) random.nextInt(5) - 1,
        "q",
        random.nextInt(3) + 1,
        "f",
        (float) random.nextGaussian(),
        "g",
        random.nextGaussian(),
        "b",
        random.nextInt(2));
  }

  /** Values for the inputs, special ones among them. */
  public ImmutableMap<String, Tensor> inputs() {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    for (int t = 0; t < tensors.size(); t++) {
      if (tensors.get(t).role() == TensorDeclaration.Role.INPUT) {
        ImmutableLongArray shape = ImmutableLongArray.copyOf(shapes.get(t));
        inputs.put(tensors.get(t).name(), values(random, tensors.get(t).type(), shape));
      }
    }
    return inputs.buildOrThrow();
  }

  /** Random elements: small integers in integer tensors, so that they are good as indices. */
  static Tensor values(Random random, ElementType type, ImmutableLongArray shape) {
    Tensor tensor = Tensor.zeros(type, shape);
    for (int i = 0; i < tensor.length(); i++) {
      switch (type) {
        case FLOAT32 -> tensor.floats()[i] = (float) number(random);
        case FLOAT64 -> tensor.doubles()[i] = number(random);
        case INT32 -> tensor.ints()[i] = random.nextInt(9) - 2;
        case INT64 -> tensor.longs()[i] = random.nextInt(9) - 2L;
        case BOOL -> tensor.booleans()[i] = (byte) random.nextInt(2);
        case UINT8, INT8 -> tensor.bytes()[i] = (byte) random.nextInt();
        default -> throw new AssertionError(type);
      }
    }
    return tensor;
  }

  private static double number(Random random) {
    return switch (random.nextInt(24)) {
      case 0 -> Double.NaN;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> -0.0;
      case 3 -> 1e30;
      case 4, 5, 6 -> random.nextInt(7) - 3;
      default -> random.nextGaussian();
    };
  }

  private void declare(String name, TensorDeclaration.Role role, int t) {
    int rank = t == 0 ? 1 : (chance(8) ? 0 : 1 + random.nextInt(3));
    ImmutableList.Builder<IndexExpression> shape = ImmutableList.builder();
    long[] extents = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      extents[axis] = chance(12) && axis == rank - 1 ? 250 + random.nextInt(300) : extent();
      shape.add(
          role == TensorDeclaration.Role.INPUT && chance(2)
              ? new IndexExpression.AxisSize(name, axis)
              : new Constant(extents[axis]));
    }
    ElementType type =
        t == 0 ? ElementType.INT64 : chance(2) ? ElementType.FLOAT32 : TYPES[random.nextInt(5)];
    tensors.add(new TensorDeclaration(name, role, type, shape.build()));
    shapes.add(extents);
  }

  private int extent() {
    return chance(40) ? 0 : chance(5) ? 1 : 2 + random.nextInt(4);
  }

  private <T> T any(ImmutableList<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  private LoopBlock block() {
    loops.clear();
    carried.clear();
    nextCarried = random.nextInt(3);
    large = chance(4);
    longLoop = false;
    int depth = chance(6) ? 1 : 2 + random.nextInt(3);
    ImmutableList.Builder<Loop> built = ImmutableList.builder();
    for (int d = 0; d < depth; d++) {
      built.add(loop(d, d == depth - 1));
    }
    return new LoopBlock(built.build());
  }

  private Loop loop(int depth, boolean innermost) {
    IndexExpression start = chance(8) ? simpleIndex() : new Constant(0);
    IndexExpression once = new Arithmetic(Operator.ADD, start, new Constant(1));
    IndexExpression end = chance(12) ? once : end();
    int id = 2 * depth + random.nextInt(2);
    loops.add(id);
    List<CarriedVariable> own = new ArrayList<>();
    for (int c = random.nextInt(5) - 2; c > 0; c--) {
      own.add(carriedVariable());
    }
    carried.addAll(own);
    List<Statement> statements = new ArrayList<>();
    int count = innermost ? 1 + random.nextInt(2) : random.nextInt(5) - 2;
    for (int s = 0; s < count; s++) {
      statements.add(statement());
    }
    return new Loop(id, start, end, ImmutableList.copyOf(own), ImmutableList.copyOf(statements));
  }

  private CarriedVariable carriedVariable() {
    ImmutableList<ReduceOperator> operators = ImmutableList.copyOf(ReduceOperator.values());
    ReduceOperator operator = operators.get(random.nextInt(operators.size()));
    boolean extreme = EXTREMES.contains(operator);
    ElementType type = chance(2) ? ElementType.FLOAT32 : TYPES[random.nextInt(extreme ? 5 : 4)];
    return new CarriedVariable(nextCarried++, operator, type);
  }

  private IndexExpression end() {
    if (large && !longLoop && chance(2)) {
      longLoop = true;
      return new Constant(250 + random.nextInt(400));
    }
    return switch (random.nextInt(16)) {
      case 0 -> small(simpleIndex());
      case 1 -> new Constant(extent());
      case 2 -> small(new Arithmetic(Operator.ADD, simpleIndex(), new Constant(1)));
      case 3 -> small(new Arithmetic(Operator.DIVIDE, simpleIndex(), new Constant(2)));
      default -> axisSize();
    };
  }

  /** An end that depends on a loop, unless that may be a long one. */
  private IndexExpression small(IndexExpression end) {
    return longLoop ? new Constant(extent()) : end;
  }

  private IndexExpression axisSize() {
    int t = random.nextInt(tensors.size());
    int rank = tensors.get(t).rank();
    if (rank == 0) {
      return new Constant(extent());
    }
    int axis = random.nextInt(rank);
    return shapes.get(t)[axis] > 9
        ? new Constant(extent())
        : new IndexExpression.AxisSize("x" + t, axis);
  }

  private IndexExpression simpleIndex() {
    return loops.isEmpty()
        ? new Constant(random.nextInt(3))
        : new LoopIndex(loops.get(random.nextInt(loops.size())));
  }

  private IndexExpression index(int depth) {
    return switch (random.nextInt(depth > 2 ? 5 : 14)) {
      case 0 -> new Constant(random.nextInt(5) - 1);
      case 5 -> new Arithmetic(Operator.ADD, index(depth + 1), index(depth + 1));
      case 6 -> new Arithmetic(Operator.SUBTRACT, index(depth + 1), index(depth + 1));
      case 7 -> new Arithmetic(Operator.MULTIPLY, index(depth + 1), new Constant(2));
      case 8 ->
          new Arithmetic(
              Operator.DIVIDE,
              index(depth + 1),
              new Constant(chance(2) ? 2 : -1 - random.nextInt(2)));
      case 9 -> new IndexExpression.Negation(index(depth + 1));
      case 10 ->
          new Arithmetic(Operator.MULTIPLY, new IndexExpression.Parameter("p"), index(depth + 1));
      case 11 ->
          new Arithmetic(Operator.DIVIDE, index(depth + 1), new IndexExpression.Parameter("q"));
      case 12 -> chance(2) ? element(depth + 1) : simpleIndex();
      case 13 -> new Arithmetic(Operator.SUBTRACT, axisSize(), simpleIndex());
      default -> simpleIndex();
    };
  }

  private IndexExpression element(int depth) {
    for (int t = 0; ; t++) {
      ElementType type = tensors.get(t).type();
      boolean last = t == (exact ? 3 : tensors.size() - 1);
      boolean integer = type == ElementType.INT64 || type == ElementType.INT32;
      if (integer && (last || chance(2))) {
        return new Element("x" + t, indices(t, depth + 1));
      }
      if (last) {
        return new Element("x0", indices(0, depth + 1));
      }
    }
  }

  private ImmutableList<IndexExpression> indices(int t, int depth) {
    ImmutableList.Builder<IndexExpression> at = ImmutableList.builder();
    int offset = random.nextInt(4);
    for (int axis = 0; axis < tensors.get(t).rank(); axis++) {
      boolean inOrder = offset + axis < loops.size() && !chance(4);
      at.add(inOrder ? new LoopIndex(loops.get(offset + axis)) : index(depth));
    }
    return at.build();
  }

  private Statement statement() {
    if (!carried.isEmpty() && chance(2)) {
      CarriedVariable variable = carried.get(random.nextInt(carried.size()));
      return new Statement.Fold(
          variable.id(),
          expression(variable.type(), 0),
          variable.operator().isPosition() ? Optional.of(index(1)) : Optional.empty());
    }
    int t = 4 + random.nextInt(3);
    ElementType type = tensors.get(t).type();
    Access target = new Access("x" + t, indices(t, 1), true);
    if (chance(2)) {
      return new Statement.Assignment(target, expression(type, 0));
    }
    boolean bool = type == ElementType.BOOL;
    ReduceOperator operator = any(bool ? EXTREMES : VALUES);
    return new Statement.Accumulation(target, operator, expression(type, 0));
  }

  private Expression expression(ElementType type, int depth) {
    int form = random.nextInt(depth > 2 ? 3 : 8);
    return switch (form) {
      case 0, 1 -> leaf(type);
      case 2 -> load(type);
      case 3 -> unary(type, depth);
      case 4 ->
          new Expression.Conditional(
              expression(ElementType.BOOL, depth + 1),
              expression(type, depth + 1),
              expression(type, depth + 1));
      case 5 -> new Expression.Cast(type, expression(TYPES[random.nextInt(5)], depth + 1));
      default -> binary(type, depth);
    };
  }

  private Expression leaf(ElementType type) {
    if (chance(3)) {
      return switch (type) {
        case FLOAT32 -> new Expression.ScalarParameter("f");
        case FLOAT64 -> new Expression.ScalarParameter("g");
        case INT32 -> new Expression.ScalarParameter("q");
        case INT64 -> new Expression.IndexValue(index(0));
        case BOOL -> new Expression.ScalarParameter("b");
        default -> throw new AssertionError(type);
      };
    }
    if (chance(2)) {
      for (CarriedVariable variable : carried) {
        ElementType result = variable.operator().isPosition() ? ElementType.INT64 : variable.type();
        if (result == type && chance(2)) {
          return new Expression.CarriedValue(variable.id());
        }
      }
    }
    return type.isFloating()
        ? new Expression.FloatLiteral(type, random.nextInt(9) * 0.25 - 1)
        : new Expression.IntegerLiteral(
            type, type == ElementType.BOOL ? random.nextInt(2) : random.nextInt(7) - 3);
  }

  private Expression load(ElementType type) {
    int first = random.nextInt(tensors.size());
    for (int k = 0; k < tensors.size(); k++) {
      int t = (first + k) % tensors.size();
      if (tensors.get(t).type() == type) {
        return new Expression.Load(
            Access.of("x" + t, indices(t, 1)), chance(4) ? random.nextInt(5) - 2 : 0);
      }
    }
    return leaf(type);
  }

  private Expression unary(ElementType type, int depth) {
    UnaryOperator operator = any(exact ? EXACT : ImmutableList.copyOf(UnaryOperator.values()));
    if (type == ElementType.BOOL) {
      operator = UnaryOperator.NOT;
    } else if (!type.isFloating()) {
      operator = any(SIGNS);
    } else if (operator == UnaryOperator.NOT) {
      operator = UnaryOperator.NEGATE;
    }
    return new Expression.Unary(operator, expression(type, depth + 1));
  }

  private Expression binary(ElementType type, int depth) {
    BinaryOperator operator = any(ARITHMETIC);
    if (exact && type.isFloating() && operator == BinaryOperator.POWER) {
      operator = BinaryOperator.DIVIDE;
    }
    ElementType operand = type;
    if (type == ElementType.BOOL) {
      operand = TYPES[random.nextInt(5)];
      boolean bool = operand == ElementType.BOOL;
      operator = any(chance(3) ? EQUALITIES : bool ? LOGIC : ORDERS);
    } else if (chance(2)) {
      operator = chance(2) ? BinaryOperator.MULTIPLY : BinaryOperator.ADD;
    }
    return new Expression.Binary(
        operator, expression(operand, depth + 1), expression(operand, depth + 1));
  }
}
