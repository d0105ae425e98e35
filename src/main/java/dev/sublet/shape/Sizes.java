package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Block;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of every variable of a program, by dense variable index, and of every value that an
 * operator writes. Every method is O(1) unless its comment gives another cost.
 *
 * <p>A size is known if the variable is a dense tensor whose element width is known and whose
 * extents, or bounds of them, follow from the given feeds. An extent of zero makes the size zero. A
 * tensor array of bounded length has one slot for each element, as large as its largest element; if
 * a loop reads the last few elements only, the elements take turns in as many slots. A variable
 * that is written several times has the size of its largest value. A variable whose declaration is
 * larger may have {@linkplain #hasDeclaredRoom room} for the declared shape. An unknown size has a
 * {@link #reason}.
 */
public final class Sizes {

  private final long batch;
  private final VariableSizes variables;
  private final Definitions definitions;
  private final long[] bytesOfDefinition;

  /** The operators whose views must not be used. */
  private final ImmutableSet<Operation> viewless;

  private final ImmutableList<Contradiction> contradictions;

  Sizes(
      long batch,
      VariableSizes variables,
      Definitions definitions,
      long[] bytesOfDefinition,
      ImmutableSet<Operation> viewless,
      ImmutableList<Contradiction> contradictions) {
    this.batch = batch;
    this.variables = variables;
    this.definitions = definitions;
    this.bytesOfDefinition = bytesOfDefinition;
    this.viewless = viewless;
    this.contradictions = contradictions;
  }

  /** The same sizes, without the views at the given operators. O(1). */
  public Sizes withoutViewsOf(ImmutableSet<Operation> operations) {
    return new Sizes(batch, variables, definitions, bytesOfDefinition, operations, contradictions);
  }

  /**
   * Returns these sizes, except that copies of variables and operators of another program get the
   * sizes of their originals.
   *
   * <p>Needed for unrolled loops: inference finds more about each copy of a body than holds for the
   * body in every iteration. An operator that is not a copy, such as the branch around a copy of
   * the body, may leave any value in a variable that is a copy. O(arguments).
   *
   * @param other the sizes of the other program
   * @param program the program of these sizes
   * @param copies the originals of the copies in {@code program}
   */
  public Sizes withThoseOf(Sizes other, Program program, CopiedFrom copies) {
    VariableSizes sizes = variables.withThoseOf(other.variables, copies);
    Definitions written = definitions.withThoseOf(other.definitions, program, copies);
    long[] writtenBytes = bytesOfDefinition.clone();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        boolean isCopy = copies.operation(operation) != null;
        for (int i = 0; i < operation.outputCount(); i++) {
          int number = written.number(operation, i);
          if (isCopy) {
            writtenBytes[number] = copies.bytesWritten(operation, i);
          } else if (operation.output(i) != Program.NO_VARIABLE
              && copies.variable(operation.output(i)) >= 0) {
            writtenBytes[number] = sizes.bytes()[operation.output(i)];
          }
        }
      }
    }
    return new Sizes(batch, sizes, written, writtenBytes, viewless, contradictions);
  }

  /** The number that replaced leading unknown extents of feeds. */
  public long batch() {
    return batch;
  }

  /** Whether the variable's bytes, or a bound of them, are known. */
  public boolean isKnown(int variable) {
    return variables.bytes()[variable] >= 0;
  }

  /** The variable's bytes for the given feeds, or a bound of them; -1 if unknown. */
  public long bytes(int variable) {
    return variables.bytes()[variable];
  }

  /**
   * The slots of a tensor array of known size, each of which has an equal part of the bytes.
   * Element k is in slot k mod that number. 1 for every other variable.
   */
  public long slots(int variable) {
    return variables.slots()[variable];
  }

  /**
   * Whether the elements of a tensor array take turns in its slots, so that the array does not keep
   * all of them.
   */
  public boolean takeTurns(int array) {
    return variables.turns().get(array);
  }

  /**
   * The variable's bytes if each slot of a tensor array begins at a multiple of an alignment; a
   * slot that is smaller than the alignment, at a multiple of the next power of two. {@link #bytes}
   * for a variable that is no tensor array.
   *
   * <pre>
   *   alignment 64: 21 slots of 8 bytes have 168 bytes, 21 slots of 100 bytes have 21 * 128
   * </pre>
   */
  public long bytes(int variable, long alignment) {
    long slots = variables.slots()[variable];
    long bytes = variables.bytes()[variable];
    if (slots == 1 || bytes == 0) {
      return bytes;
    }
    long each = bytes / slots;
    long unit = Math.min(alignment, LongMath.ceilingPowerOfTwo(each));
    return slots * ((each + unit - 1) / unit * unit);
  }

  /** Whether the bytes are an upper bound: they depend on data, or on which value it is. */
  public boolean isBound(int variable) {
    SymbolicExtent formula = variables.formulas()[variable];
    return isKnown(variable) && (formula == null || !formula.isExact());
  }

  /**
   * The unit of the variable's bytes, which are a multiple of it in every run: 1, the batch, or a
   * product of extents that differ from run to run. If two variables have equal units, their sizes
   * compare alike in every run. Empty if the values of the variable have different sizes.
   */
  public Optional<Object> measure(int variable) {
    SymbolicExtent formula = variables.formulas()[variable];
    return formula == null ? Optional.empty() : Optional.of(formula.unit());
  }

  /**
   * A number by which variables with an equal {@link #measure} compare: the bytes if they are
   * known, else the factor of the unit; -1 if neither is known.
   */
  public long weight(int variable) {
    SymbolicExtent formula = variables.formulas()[variable];
    if (isKnown(variable)) {
      return variables.bytes()[variable];
    }
    boolean isWhole = formula != null && formula.coefficient() == Math.rint(formula.coefficient());
    return isWhole && formula.coefficient() > 0 ? (long) formula.coefficient() : -1;
  }

  /**
   * Whether the first variable is at most as large as the second: for the given feeds if the bytes
   * of either are known, else in every run.
   */
  public boolean isAtMost(int small, int large) {
    if (isKnown(small) || isKnown(large)) {
      return isKnown(small) && variables.bytes()[small] <= variables.bytes()[large];
    }
    return weight(small) >= 0
        && weight(small) <= weight(large)
        && measure(small).equals(measure(large));
  }

  /** Whether all values of both variables have equally many bytes in every run, for all feeds. */
  public boolean areSame(int a, int b) {
    SymbolicExtent left = variables.formulas()[a];
    SymbolicExtent right = variables.formulas()[b];
    return left != null && right != null && left.isSame(right);
  }

  /**
   * Whether both arguments of an in-place pair have the same element type, and equally many bytes
   * in every run, for all shapes of the feeds. O(slots).
   */
  public boolean areSame(Operation operation, InPlacePair pair) {
    int input = operation.firstInput(pair.input());
    int output = operation.firstOutput(pair.output());
    if (input < 0 || output < 0) {
      return false;
    }
    int source = operation.input(input);
    int target = operation.output(output);
    return source != Program.NO_VARIABLE
        && target != Program.NO_VARIABLE
        && dataType(source) == dataType(target)
        && dataType(source) != DataType.UNKNOWN
        && definitions.isLikeInput(operation, output, input);
  }

  /**
   * Whether an operator may get a tensor without elements. Assumes that a tensor with elements for
   * the given feeds has elements in every run. O(1).
   */
  public boolean mayBeEmpty(Operation operation) {
    return definitions.mayBeEmpty(operation);
  }

  /**
   * The arguments of an operator that are views of each other, by the catalog's rule and for the
   * given feeds: the operator would copy their bytes unchanged. Empty for an operator that never
   * runs.
   */
  public ImmutableList<View> views(Operation operation) {
    return viewless.contains(operation) ? ImmutableList.of() : definitions.views(operation);
  }

  /** Whether any operator has views. */
  public boolean hasViews() {
    return definitions.hasViews();
  }

  /**
   * Whether the variable is larger than every value that operators write into it, because the
   * program declares it larger: room for a value that no rule describes.
   */
  public boolean hasDeclaredRoom(int variable) {
    return variables.declaredRoom().get(variable);
  }

  /** The contradictions between declared shapes and the shapes of operators, in program order. */
  public ImmutableList<Contradiction> contradictions() {
    return contradictions;
  }

  /** The bytes that an operator writes to an output argument, or a bound; -1 if unknown. */
  public long bytesWritten(Operation operation, int output) {
    return bytesOfDefinition[definitions.number(operation, output)];
  }

  /** The abstract shape of the value that an operator writes; null if the operator never runs. */
  public @Nullable AbstractShape written(Operation operation, int output) {
    return definitions.get(definitions.number(operation, output));
  }

  /**
   * Whether an operator surely writes an output argument with exactly the extents of its variable.
   * Variables of different shapes may share a name, whose {@link #dims} are then those of one
   * value. O(rank).
   */
  public boolean writesOwnDims(Operation operation, int output) {
    AbstractShape shape = written(operation, output);
    ImmutableLongArray own = dims(operation.output(output));
    if (shape == null || !shape.hasRank() || shape.rank() != own.length()) {
      return false;
    }
    for (int axis = 0; axis < own.length(); axis++) {
      if (!shape.dim(axis).isExact() || shape.dim(axis).value() != own.get(axis)) {
        return false;
      }
    }
    return true;
  }

  /** The element type; {@link DataType#UNKNOWN} unless the variable is a dense tensor. */
  public DataType dataType(int variable) {
    return variables.dataTypes().get(variable);
  }

  /**
   * The extents for the given feeds, or bounds of them; -1 for an unknown extent. A single -1 if
   * the rank is unknown, although the bytes may be known.
   */
  public ImmutableLongArray dims(int variable) {
    return variables.dims().get(variable);
  }

  /**
   * The reason why the bytes are unknown, in a few words, or why a variable without bytes is never
   * made for the given feeds; else empty.
   */
  public String reason(int variable) {
    return variables.reasons()[variable];
  }
}
