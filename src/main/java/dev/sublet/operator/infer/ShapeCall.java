package dev.sublet.operator.infer;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of an operator, as its shape rule gets it: the abstract shapes of the inputs, the
 * attributes, and the place to store the shapes of the outputs.
 *
 * <p>Lookups are O(slots) and O(attributes).
 */
public final class ShapeCall {

  private final Program program;
  private final Operation operation;
  private final AbstractShape[] inputs;
  private final @Nullable AbstractShape[] previous;
  private final @Nullable AbstractShape[] results;
  private final ExtentExpressions formulas;

  /**
   * Creates a call.
   *
   * @param inputs the abstract shape of each input argument, in file order
   * @param previous the abstract shape of each output argument's variable before the operator runs,
   *     in file order; null if nothing has written the variable
   */
  public ShapeCall(
      Program program,
      Operation operation,
      AbstractShape[] inputs,
      @Nullable AbstractShape[] previous,
      ExtentExpressions formulas) {
    this.program = program;
    this.operation = operation;
    this.inputs = inputs.clone();
    this.previous = previous.clone();
    this.results = new AbstractShape[operation.outputCount()];
    this.formulas = formulas;
  }

  /** Returns the same call with only the facts that hold for all feeds. O(extents). */
  public ShapeCall withoutFeeds() {
    AbstractShape[] known = new AbstractShape[inputs.length];
    for (int i = 0; i < known.length; i++) {
      known[i] = inputs[i].withoutFeeds(formulas);
    }
    @Nullable AbstractShape[] before = new AbstractShape[previous.length];
    for (int i = 0; i < before.length; i++) {
      AbstractShape tensor = previous[i];
      before[i] = tensor == null ? null : tensor.withoutFeeds(formulas);
    }
    return new ShapeCall(program, operation, known, before, formulas);
  }

  /** The operator. */
  public Operation operation() {
    return operation;
  }

  /**
   * Whether the given shapes decide everything that is recorded about the inputs, so that a
   * mismatch is not one of bounds only. O(extents).
   */
  public boolean isConcrete() {
    for (int i = 0; i < inputs.length; i++) {
      if (operation.input(i) != Program.NO_VARIABLE && !inputs[i].isConcrete()) {
        return false;
      }
    }
    return true;
  }

  /**
   * The abstract shape that the rule has set for an output argument, in file order; null if none.
   */
  public @Nullable AbstractShape result(int output) {
    return results[output];
  }

  /** The abstract shape of an input argument, in file order. */
  public AbstractShape input(int position) {
    return inputs[position];
  }

  /** Whether an input slot has an argument. */
  public boolean has(String slot) {
    return inputAt(slot, 0) >= 0;
  }

  /**
   * The abstract shape of the first argument of an input slot.
   *
   * @throws UnknownShapeException if the slot has no argument
   */
  public AbstractShape in(String slot) {
    int position = inputAt(slot, 0);
    if (position < 0) {
      throw new UnknownShapeException("op '" + operation.type() + "' has no input " + slot);
    }
    return inputs[position];
  }

  /**
   * The first element of the first argument of an input slot.
   *
   * @throws UnknownShapeException if the elements are not tracked, or the tensor is empty
   */
  public SymbolicExtent number(String slot) {
    AbstractShape tensor = in(slot);
    if (tensor.elements().isEmpty()) {
      throw new UnknownShapeException("the tensor in " + slot + " is empty");
    }
    return tensor.elements().get(0);
  }

  /** The abstract shapes of all arguments of an input slot. */
  public List<AbstractShape> all(String slot) {
    ImmutableList.Builder<AbstractShape> arguments = ImmutableList.builder();
    for (int i = 0; inputAt(slot, i) >= 0; i++) {
      arguments.add(inputs[inputAt(slot, i)]);
    }
    return new GivenList<>("slot " + slot, arguments.build());
  }

  /** The position of an argument of an input slot, in file order; -1 if there is none. */
  public int inputAt(String name, int i) {
    int position = operation.inputAt(name, i);
    return position >= 0 && operation.input(position) != Program.NO_VARIABLE ? position : -1;
  }

  /** The declared element type of the first argument of an input slot. */
  public DataType dataType(String slot) {
    Optional<Slot> arguments = operation.inputSlot(slot);
    boolean present = arguments.isPresent() && has(slot);
    return present ? dataType(arguments.get().variable(0)) : DataType.UNKNOWN;
  }

  /** The declared element type of the first argument of an output slot. */
  public DataType outputType(String slot) {
    Optional<Slot> arguments = operation.outputSlot(slot);
    boolean present =
        arguments.isPresent()
            && arguments.get().size() > 0
            && arguments.get().variable(0) != Program.NO_VARIABLE;
    return present ? dataType(arguments.get().variable(0)) : DataType.UNKNOWN;
  }

  /**
   * Whether a shape has more elements than the declaration of the first argument of an output slot
   * has room for; false if either count is unknown.
   */
  public boolean outgrowsDeclaration(String slot, AbstractShape shape) {
    int output = operation.firstOutput(slot);
    if (output < 0 || operation.output(output) == Program.NO_VARIABLE || !shape.hasRank()) {
      return false;
    }
    ImmutableLongArray declared =
        program
            .variable(operation.output(output))
            .tensorType()
            .map(TensorType::dims)
            .orElse(ImmutableLongArray.of());
    double room = declared.isEmpty() ? Double.POSITIVE_INFINITY : 1;
    for (int i = 0; i < declared.length(); i++) {
      room *= declared.get(i) < 0 ? Double.POSITIVE_INFINITY : declared.get(i);
    }
    SymbolicExtent count = shape.count();
    return count.isKnown() && count.value() > room;
  }

  /** A shape of which nothing is known, also not from its declaration, because it varies. */
  public static AbstractShape varying(String detail) {
    return AbstractShape.unknown(SymbolicExtent.VARIES + ": " + detail);
  }

  private DataType dataType(int variable) {
    return program
        .variable(variable)
        .tensorType()
        .map(TensorType::dataType)
        .orElse(DataType.UNKNOWN);
  }

  /** The number of arguments of an output slot. */
  public int outputs(String slot) {
    return operation.outputSlot(slot).map(Slot::size).orElse(0);
  }

  /**
   * The abstract shape of the first argument of an output slot before the operator runs; null if
   * nothing has written the variable.
   */
  public @Nullable AbstractShape before(String slot) {
    int position = outputAt(slot, 0);
    return position < 0 ? null : previous[position];
  }

  /**
   * Replaces the sequence offsets of an output, by position in file order, if the rule has set its
   * shape; null if they are not known.
   */
  public void setLod(int output, @Nullable ImmutableList<ImmutableLongArray> lod) {
    AbstractShape result = results[output];
    if (result != null) {
      results[output] = result.withLod(lod);
    }
  }

  /** The shape that the rule has set for the first argument of an output slot; null if none. */
  public @Nullable AbstractShape out(String slot) {
    int position = outputAt(slot, 0);
    return position < 0 ? null : results[position];
  }

  /** Sets the shape of the first argument of an output slot; does nothing if the slot has none. */
  public void out(String slot, AbstractShape tensor) {
    out(slot, 0, tensor);
  }

  /**
   * Sets the shape of an argument of an output slot; does nothing if the slot has no such argument.
   */
  public void out(String slot, int i, AbstractShape tensor) {
    int position = outputAt(slot, i);
    if (position >= 0) {
      checkExtents(tensor);
      results[position] = representable(position, tensor);
    }
  }

  /** The shape without elements if the type of an output cannot represent one of them. */
  private AbstractShape representable(int position, AbstractShape tensor) {
    if (!tensor.hasElements() || operation.output(position) == Program.NO_VARIABLE) {
      return tensor;
    }
    DataType type = dataType(operation.output(position));
    for (SymbolicExtent element : tensor.elements()) {
      boolean isRepresentable =
          element.isExact()
              ? NumberTypes.represents(type, element.value())
              : !element.isKnown() || NumberTypes.representsUpTo(type, element.value());
      if (!isRepresentable) {
        return tensor.withElements(null);
      }
    }
    return tensor;
  }

  private void checkExtents(AbstractShape tensor) {
    if (tensor.hasRank() && tensor.rank() > TensorType.MAX_RANK) {
      throw new ShapeMismatchException(
          "op '" + operation.type() + "' cannot make an output of " + tensor.rank() + " extents");
    }
    for (int i = 0; tensor.hasRank() && i < tensor.rank(); i++) {
      if (tensor.dim(i).isExact() && tensor.dim(i).value() < 0) {
        throw new ShapeMismatchException(
            "op '" + operation.type() + "' cannot make an output of " + tensor.dims());
      }
    }
  }

  /** Sets the shapes of all arguments of all output slots but {@link Slot#EXTRA}. */
  public void outAll(AbstractShape tensor) {
    checkExtents(tensor);
    for (int i = 0; i < operation.outputCount(); i++) {
      if (!operation.slotOfOutput(i).equals(Slot.EXTRA)) {
        results[i] = representable(i, tensor);
      }
    }
  }

  /** The position of an argument of an output slot, in file order; -1 if there is none. */
  public int outputAt(String name, int i) {
    return operation.outputAt(name, i);
  }

  /** Whether the operator has an attribute. */
  public boolean hasAttribute(String name) {
    return operation.attribute(name).isPresent();
  }

  /**
   * The value of an integer attribute; the default if the attribute is absent.
   *
   * @throws ShapeMismatchException if it does not fit 32 bits
   */
  public int integer(String name, long defaultValue) {
    return checkedInt(name, whole(name, defaultValue));
  }

  /** The value of an integer attribute of up to 64 bits; the default if the attribute is absent. */
  public long whole(String name, long defaultValue) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() ? attribute.get().asLong(defaultValue) : defaultValue;
  }

  /**
   * The value of a positive integer attribute; the default if the attribute is absent.
   *
   * @throws ShapeMismatchException if it is not positive, or does not fit 32 bits
   */
  public int positive(String name, long defaultValue) {
    int number = integer(name, defaultValue);
    if (number <= 0) {
      throw new ShapeMismatchException("attribute '" + name + "' is " + number);
    }
    return number;
  }

  /**
   * The number of an attribute as an {@code int}.
   *
   * @throws ShapeMismatchException if it does not fit 32 bits
   */
  static int checkedInt(String name, long number) {
    if (number != (int) number) {
      throw new ShapeMismatchException("attribute '" + name + "' is " + number);
    }
    return (int) number;
  }

  /** The value of a number attribute; the default if the attribute is absent. */
  public double real(String name, double defaultValue) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() ? attribute.get().asDouble(defaultValue) : defaultValue;
  }

  /** The value of a boolean attribute; the default if the attribute is absent. */
  public boolean flag(String name, boolean defaultValue) {
    Optional<Attribute> attribute = operation.attribute(name);
    return attribute.isPresent() ? attribute.get().asBoolean() : defaultValue;
  }

  /** The value of a string attribute; the default if the attribute is absent. */
  public String text(String name, String defaultValue) {
    Optional<Attribute> attribute = operation.attribute(name);
    boolean present = attribute.isPresent() && !attribute.get().strings().isEmpty();
    return present ? attribute.get().strings().get(0) : defaultValue;
  }

  /**
   * The numbers of an attribute that is an integer or a list of integers; empty if it is absent.
   */
  public List<Long> integers(String name) {
    Optional<Attribute> attribute = operation.attribute(name);
    ImmutableList<Long> numbers =
        attribute.isPresent() ? attribute.get().longs() : ImmutableList.of();
    return new GivenList<>("attribute '" + name + "'", numbers);
  }

  /**
   * The numbers of an attribute that is an integer or a list of integers.
   *
   * @throws UnknownShapeException if it is absent
   */
  public List<Long> required(String name) {
    if (!hasAttribute(name)) {
      throw new UnknownShapeException(
          "op '" + operation.type() + "' has no attribute '" + name + "'");
    }
    return integers(name);
  }

  /** The numbers of an attribute that is a number or a list of numbers; empty if it is absent. */
  public List<Double> reals(String name) {
    Optional<Attribute> attribute = operation.attribute(name);
    ImmutableList<Double> numbers =
        attribute.isPresent() ? attribute.get().doubles() : ImmutableList.of();
    return new GivenList<>("attribute '" + name + "'", numbers);
  }

  /**
   * A number that depends on data and is at most the bound. The same name at the same operator
   * stands for the same number.
   */
  public SymbolicExtent atMost(String name, SymbolicExtent bound) {
    return bound.isKnown()
        ? SymbolicExtent.atMost(formulas, symbolName(name), bound.value())
        : SymbolicExtent.unknown(formulas, symbolName(name), bound.cause());
  }

  /**
   * A number that is known for this run and may differ in other runs. The same name at the same
   * operator stands for the same number.
   */
  public SymbolicExtent computed(String name, long value) {
    return SymbolicExtent.symbol(formulas, symbolName(name), value);
  }

  /**
   * A number about which nothing is known, with the cause. The same name at the same operator
   * stands for the same number.
   */
  public SymbolicExtent unknown(String name, String cause) {
    return SymbolicExtent.unknown(formulas, symbolName(name), cause);
  }

  /** A number that the named function computes from sequence offsets. */
  public SymbolicExtent counted(
      ImmutableList<ImmutableLongArray> lod, String function, long value) {
    return SymbolicExtent.counted(formulas, lod, function, value);
  }

  /** The sequence offsets that the operator produces, the coarsest level first. */
  public ImmutableList<ImmutableLongArray> offsets(ImmutableLongArray... levels) {
    return formulas.offsets(symbolName("offsets"), ImmutableList.copyOf(levels));
  }

  /**
   * The abstract shape of the same tensor in another execution: every inexact extent and element
   * gets a fresh symbol.
   */
  public AbstractShape another(AbstractShape tensor) {
    return tensor.detached(formulas, symbolName("another"));
  }

  /** The join of two shapes: the facts that hold for a tensor that has either shape. */
  public AbstractShape either(AbstractShape left, AbstractShape right) {
    return left.or(right, formulas, symbolName("either"));
  }

  /**
   * A shape that an output has in this run only, because a number that decides it may be another
   * one in other runs.
   *
   * @param everyRun what is known about the output in all runs
   */
  public AbstractShape inThisRun(AbstractShape shape, AbstractShape everyRun) {
    return shape.inThisRun(everyRun, formulas, symbolName("this run"));
  }

  private String symbolName(String name) {
    return operation.block() + "/" + operation.index() + "/" + name;
  }

  /**
   * The extent that two extents broadcast to.
   *
   * <p>An extent that is greater than 1 for the given feeds is taken to be greater than 1 in every
   * run: the other extent is equal to it or 1, or the operator fails. So the result is this extent
   * with its formula. If both extents are greater than 1, the result is the right one if it is a
   * constant, else the left one.
   *
   * @throws ShapeMismatchException if they do not broadcast
   */
  public SymbolicExtent broadcast(
      SymbolicExtent left, SymbolicExtent right, Object leftShape, Object rightShape) {
    if (left.isSame(right)) {
      return left;
    }
    if (left.isConstant() && left.is(1)) {
      return right;
    }
    if (right.isConstant() && right.is(1)) {
      return left;
    }
    boolean clash =
        left.isExact() && right.isExact() && !left.is(1) && !right.is(1) && !left.is(right.value());
    if (clash) {
      throw new ShapeMismatchException(
          "the shapes " + leftShape + " and " + rightShape + " do not broadcast");
    }
    if (isMany(right) && (right.isConstant() || !isMany(left))) {
      return right;
    }
    if (isMany(left)) {
      return left;
    }
    // Extents of 1 and 0 broadcast to 0.
    boolean isEmpty = left.isExact() && right.isExact() && (left.is(0) || right.is(0));
    return isEmpty ? left.combined("broadcast", right, 0) : left.max(right);
  }

  private static boolean isMany(SymbolicExtent extent) {
    return extent.isExact() && extent.value() > 1;
  }

  /**
   * The given axis of a tensor of the given rank, counted from the front. For a tensor of rank 0,
   * the axis is 0, because older versions of Paddle give a single number one extent.
   *
   * @throws ShapeMismatchException if there is no such axis
   */
  public int axis(long axis, int rank) {
    long result = axis < 0 ? axis + rank : axis;
    if (result < 0 || result >= Math.max(rank, 1)) {
      throw new ShapeMismatchException("there is no axis " + axis + " in " + rank + " extents");
    }
    return (int) result;
  }
}
