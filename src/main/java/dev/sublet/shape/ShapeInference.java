package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Block;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.OperatorTransfer.Mode;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The front door of shape inference: finds the bytes of every variable for given feeds. O(rule
 * calls): one call per operator, a few per operator in loops.
 *
 * <p>An abstract interpretation of the program on shapes, by the rules of the catalog. It also
 * computes the elements of small tensors, to find extents that the program itself computes. If no
 * rule determines an output, its declared shape is used, unless an extent is open or a given feed
 * differs from its declaration. If a rule contradicts the declaration, the shape of the rule is
 * used, because the operator determines the shape at run time; the variable then has bytes for the
 * larger of the two.
 */
public final class ShapeInference {

  private static final long MAX_TOTAL = Long.MAX_VALUE / 4;

  /** The bytes of a variable with a value of unknown size. */
  private static final long UNKNOWN = -1;

  /** The bytes of a variable before any of its values has been measured. */
  private static final long NOTHING = -2;

  /** The extents of a variable that has values of unknown rank, although its bytes are known. */
  private static final ImmutableLongArray UNRANKED = ImmutableLongArray.of(-1);

  /** The greatest number of elements that is counted exactly, as a double. */
  private static final double MAX_COUNT = 0x1p53;

  private static final ImmutableLongArray NO_DIMS = ImmutableLongArray.of();

  private final Program program;
  private final OperatorCatalog catalog;
  private final FeedShapes feeds;
  private final DeclaredShapes declared;
  private final ShapeInterpreter interpreter;
  private final long[] bytes;
  private final @Nullable SymbolicExtent[] formulas;
  private final boolean[] differs;
  private final ImmutableLongArray[] dims;
  private final String[] reasons;

  /** The variables whose declaration is larger than all their values. */
  private final BitSet declaredRoom = new BitSet();

  private ShapeInference(
      Program program, OperatorCatalog catalog, LodCarriers lod, ShapeOptions options) {
    this.program = program;
    this.catalog = catalog;
    ExtentExpressions table = new ExtentExpressions();
    this.feeds = new FeedShapes(program, lod, options, table);
    this.declared = new DeclaredShapes(program, feeds);
    this.interpreter = new ShapeInterpreter(program, catalog, feeds, declared, table);
    this.bytes = new long[program.variableCount()];
    this.formulas = new SymbolicExtent[program.variableCount()];
    this.differs = new boolean[program.variableCount()];
    this.dims = new ImmutableLongArray[program.variableCount()];
    this.reasons = new String[program.variableCount()];
    Arrays.fill(reasons, "");
  }

  /**
   * Finds the sizes of all variables.
   *
   * @throws ProgramException if a size, or the sum of all sizes, does not fit 64 bits; if an extent
   *     is below -1; or if a given shape is for a name that the entry block does not declare as a
   *     tensor, contradicts the batch or the sequences, or is not accepted by an operator
   */
  public static Sizes infer(
      Program program, OperatorCatalog catalog, LodCarriers lod, ShapeOptions options) {
    return new ShapeInference(program, catalog, lod, options)
        .infer(options.isDefault() ? Mode.LENIENT : Mode.STRICT);
  }

  /**
   * Finds the sizes of all variables, even if an operator does not accept its inputs. Its results
   * then have their declared sizes, or unknown ones.
   */
  public static Sizes inferLeniently(
      Program program, OperatorCatalog catalog, LodCarriers lod, ShapeOptions options) {
    return new ShapeInference(program, catalog, lod, options).infer(Mode.LENIENT);
  }

  private Sizes infer(Mode mode) {
    checkDeclarations();
    interpreter.run(mode);
    Arrays.fill(dims, NO_DIMS);
    Arrays.fill(bytes, NOTHING);
    long[] written = measureDefinitions();
    ImmutableList.Builder<DataType> dataTypes = ImmutableList.builder();
    for (Variable variable : program.variables()) {
      measure(variable);
      dataTypes.add(variable.tensorType().map(TensorType::dataType).orElse(DataType.UNKNOWN));
    }
    ArraySizes arrays = ArraySizes.measure(program, catalog, interpreter);
    long[] slots = add(arrays);
    checkTotal();
    appendOffsetsHint();
    VariableSizes variables =
        new VariableSizes(
            bytes,
            slots,
            arrays.turns(),
            formulas,
            dataTypes.build(),
            ImmutableList.copyOf(dims),
            reasons,
            declaredRoom);
    return new Sizes(
        feeds.batch(),
        variables,
        interpreter.definitions(),
        written,
        ImmutableSet.of(),
        declared.contradictions(interpreter.definitions()));
  }

  /** Takes the arrays into account; returns the slots of each variable. */
  private long[] add(ArraySizes arrays) {
    long[] slots = new long[bytes.length];
    for (int v = 0; v < slots.length; v++) {
      slots[v] = 1;
      if (arrays.isKnown(v)) {
        slots[v] = arrays.slots(v);
        bytes[v] = arrays.bytes(v);
        reasons[v] = "";
      } else if (!arrays.reason(v).isEmpty()) {
        reasons[v] = arrays.reason(v);
      }
    }
    return slots;
  }

  /** Appends the option that states sequences to the reasons that name unknown sequences. */
  private void appendOffsetsHint() {
    String option = feeds.offsetsHint();
    for (int i = 0; i < reasons.length; i++) {
      if (Offsets.UNKNOWN.equals(reasons[i])) {
        reasons[i] += option;
      }
    }
  }

  /** Checks that every declared size fits 64 bits, even of variables that are not used. */
  private void checkDeclarations() {
    for (Variable variable : program.variables()) {
      if (variable.tensorType().isPresent()) {
        TensorType type = variable.tensorType().get();
        ImmutableLongArray.Builder extents = ImmutableLongArray.builder();
        for (int i = 0; i < type.dims().length(); i++) {
          long extent = type.dims().get(i);
          extents.add(extent >= 0 ? extent : i == 0 ? feeds.batch() : 1);
        }
        multiply(variable, type.dataType(), extents.build());
      }
    }
  }

  /** Measures the values that operators write. */
  private long[] measureDefinitions() {
    long[] written = new long[interpreter.definitions().count()];
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount(); i++) {
          int number = interpreter.definitions().number(operation, i);
          AbstractShape tensor = interpreter.definitions().get(number);
          if (tensor == null
              && operation.output(i) != Program.NO_VARIABLE
              && interpreter.definitions().isSkipped(operation)) {
            addNothing(operation.output(i));
            continue;
          }
          written[number] =
              operation.output(i) == Program.NO_VARIABLE || tensor == null
                  ? UNKNOWN
                  : add(program.variable(operation.output(i)), tensor);
        }
      }
    }
    return written;
  }

  /** Measures the initial value of a variable, and the values that the runtime itself writes. */
  private void measure(Variable variable) {
    int index = variable.index();
    AbstractShape start = interpreter.start(index);
    AbstractShape implicit = interpreter.implicit(index);
    if (start != null) {
      add(variable, start);
    }
    if (implicit != null) {
      add(variable, implicit);
    }
    if (bytes[index] == NOTHING) {
      add(variable, feeds.start(index));
    }
    if (differs[index]) {
      formulas[index] = null;
    }
    boolean isNeverMade = AbstractShape.unknown(reasons[index]).isNeverMade();
    if (bytes[index] != UNKNOWN && !isNeverMade) {
      reasons[index] = "";
      makeRoom(variable);
    }
  }

  /**
   * Enlarges a variable to its declared shape, which the writer of the program has inferred. The
   * extents, and all shapes inferred from them, stay those of the rule.
   */
  private void makeRoom(Variable variable) {
    int index = variable.index();
    if (declared.hasRoom(variable)) {
      TensorType type = variable.tensorType().orElseThrow();
      long room = multiply(variable, type.dataType(), type.dims());
      if (room > bytes[index]) {
        bytes[index] = room;
        formulas[index] = SymbolicExtent.of(room);
        declaredRoom.set(index);
      }
    }
  }

  /** Takes a value of a variable into account; returns the bytes of the value. */
  private long add(Variable variable, AbstractShape tensor) {
    int index = variable.index();
    if (tensor.isNeverMade()) {
      reasons[index] = bytes[index] == NOTHING ? tensor.reason() : reasons[index];
      addNothing(index);
      return 0;
    }
    String reason = reasonNotToMeasure(variable, tensor);
    if (!reason.isEmpty()) {
      reasons[index] = bytes[index] == UNKNOWN ? reasons[index] : reason;
      bytes[index] = UNKNOWN;
      dims[index] = values(tensor);
      noteFormula(variable, tensor);
      return UNKNOWN;
    }
    DataType dataType = variable.tensorType().orElseThrow().dataType();
    boolean isRanked = tensor.hasRank() && !dims[index].equals(UNRANKED);
    ImmutableLongArray extents =
        tensor.hasRank() ? values(tensor) : ImmutableLongArray.of((long) tensor.count().value());
    long size = multiply(variable, dataType, extents);
    noteFormula(variable, tensor);
    reasons[index] = bytes[index] == UNKNOWN ? reasons[index] : "";
    if (bytes[index] != UNKNOWN && size > bytes[index]) {
      bytes[index] = size;
      dims[index] = extents;
    }
    dims[index] = isRanked ? dims[index] : UNRANKED;
    return size;
  }

  /**
   * Takes a value into account that is not written for the given shapes. It needs no bytes, but may
   * need some in other runs.
   */
  private void addNothing(int variable) {
    if (bytes[variable] == NOTHING) {
      bytes[variable] = 0;
    }
    differs[variable] = true;
  }

  /** Records the formula of a value's bytes, which can be known even if the number is unknown. */
  private void noteFormula(Variable variable, AbstractShape tensor) {
    int index = variable.index();
    int width = variable.tensorType().map(type -> type.dataType().bytes()).orElse(0);
    if (!tensor.hasCount() || width == 0) {
      differs[index] = true;
      return;
    }
    SymbolicExtent formula = tensor.count().times(width);
    SymbolicExtent before = formulas[index];
    differs[index] |= before != null && !before.equals(formula);
    formulas[index] = formula;
  }

  private static String reasonNotToMeasure(Variable variable, AbstractShape tensor) {
    if (variable.tensorType().isEmpty()) {
      return "not a dense tensor";
    }
    if (!tensor.hasRank()) {
      boolean isBounded =
          tensor.hasCount() && tensor.count().isKnown() && tensor.count().value() <= MAX_COUNT;
      return isBounded ? unmeasurable(variable) : tensor.reason();
    }
    if (isZero(tensor)) {
      return "";
    }
    for (int i = 0; i < tensor.rank(); i++) {
      SymbolicExtent extent = tensor.dim(i);
      if (!extent.isKnown()) {
        return extent.cause();
      }
      if (extent.value() < 0 || extent.value() != Math.rint(extent.value())) {
        return "extent " + i + " would be " + extent;
      }
    }
    return unmeasurable(variable);
  }

  private static String unmeasurable(Variable variable) {
    boolean measurable = variable.tensorType().orElseThrow().dataType().bytes() > 0;
    return measurable ? "" : "the element type has no fixed width";
  }

  private static boolean isZero(AbstractShape tensor) {
    for (int i = 0; i < tensor.rank(); i++) {
      if (tensor.dim(i).is(0)) {
        return true;
      }
    }
    return false;
  }

  private static ImmutableLongArray values(AbstractShape tensor) {
    if (!tensor.hasRank()) {
      return NO_DIMS;
    }
    ImmutableLongArray.Builder values = ImmutableLongArray.builder(tensor.rank());
    for (SymbolicExtent extent : tensor.dims()) {
      values.add(extent.isKnown() ? (long) extent.value() : -1);
    }
    return values.build();
  }

  private static long multiply(Variable variable, DataType dataType, ImmutableLongArray extents) {
    if (extents.contains(0)) {
      return 0;
    }
    try {
      long product = dataType.bytes();
      for (int i = 0; i < extents.length(); i++) {
        product = Math.multiplyExact(product, extents.get(i));
      }
      return product;
    } catch (ArithmeticException e) {
      throw ProgramException.unreadable(
          place(variable), "the size of " + dataType + extents + " does not fit 64 bits");
    }
  }

  /** Checks that all later sums of sizes, padding included, will fit 64 bits. */
  private void checkTotal() {
    long total = 0;
    for (Variable variable : program.variables()) {
      total += Math.max(0, bytes[variable.index()]);
      if (total < 0 || total > MAX_TOTAL) {
        throw ProgramException.unreadable(
            place(variable), "together with those before it, its size does not fit 64 bits");
      }
    }
  }

  private static Location place(Variable variable) {
    return Location.variable(variable.block(), Names.display(variable.name()));
  }
}
