package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Block;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of every variable of a program, by dense variable index, and of everything that an
 * operator writes. O(1) throughout.
 *
 * <p>A size is known if the variable is a dense tensor whose element width is known and whose
 * extents, or bounds of them, follow from the given feeds; zero extents make it zero. A variable
 * that is written several times has the size of the largest value, and one that is declared to be
 * larger than that may have {@linkplain #hasDeclaredRoom room} for it. Otherwise there is a {@link
 * #reason}.
 */
public final class Sizes {

  private final long batch;
  private final long[] bytes;
  private final @Nullable SymbolicExtent[] formulas;
  private final ImmutableList<DataType> dataTypes;
  private final ImmutableList<ImmutableLongArray> dims;
  private final String[] reasons;
  private final Definitions definitions;
  private final long[] bytesOfDefinition;

  /** Operators whose views are not to be made use of. */
  private final ImmutableSet<Operation> viewless;

  /** The variables that no value fills, but which are declared to be larger; not to be changed. */
  private final BitSet declaredRoom;

  private final ImmutableList<Contradiction> contradictions;

  Sizes(
      long batch,
      long[] bytes,
      @Nullable SymbolicExtent[] formulas,
      ImmutableList<DataType> dataTypes,
      ImmutableList<ImmutableLongArray> dims,
      String[] reasons,
      Definitions definitions,
      long[] bytesOfDefinition,
      ImmutableSet<Operation> viewless,
      BitSet declaredRoom,
      ImmutableList<Contradiction> contradictions) {
    this.batch = batch;
    this.bytes = bytes;
    this.formulas = formulas;
    this.dataTypes = dataTypes;
    this.dims = dims;
    this.reasons = reasons;
    this.definitions = definitions;
    this.bytesOfDefinition = bytesOfDefinition;
    this.viewless = viewless;
    this.declaredRoom = declaredRoom;
    this.contradictions = contradictions;
  }

  /** The same, but for operators whose arguments are not to be views of each other. O(1). */
  public Sizes withoutViewsOf(ImmutableSet<Operation> operations) {
    return new Sizes(
        batch,
        bytes,
        formulas,
        dataTypes,
        dims,
        reasons,
        definitions,
        bytesOfDefinition,
        operations,
        declaredRoom,
        contradictions);
  }

  /**
   * The same, but what stands for something of another program is as large as that, and operators
   * do what those do that they stand for. Where a loop's body is repeated, more can be inferred for
   * each copy than holds of the body in every iteration. An operator that stands for none, such as
   * the branch around a copy, may leave any value in a variable that stands for one. O(arguments).
   *
   * @param other the sizes of the other program's variables
   * @param program the program of these sizes
   * @param copies what stands for what of the other program
   */
  public Sizes withThoseOf(Sizes other, Program program, CopiedFrom copies) {
    long[] newBytes = bytes.clone();
    @Nullable SymbolicExtent[] newFormulas = formulas.clone();
    String[] newReasons = reasons.clone();
    List<DataType> newTypes = new ArrayList<>(dataTypes);
    List<ImmutableLongArray> newDims = new ArrayList<>(dims);
    for (int v = 0; v < newBytes.length; v++) {
      int original = copies.variable(v);
      if (original >= 0) {
        newBytes[v] = other.bytes[original];
        newFormulas[v] = other.formulas[original];
        newReasons[v] = other.reasons[original];
        newTypes.set(v, other.dataTypes.get(original));
        newDims.set(v, other.dims.get(original));
      }
    }
    BitSet newRoom = new BitSet();
    for (int v = 0; v < newBytes.length; v++) {
      int original = copies.variable(v);
      newRoom.set(v, original >= 0 ? other.declaredRoom.get(original) : declaredRoom.get(v));
    }
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
            writtenBytes[number] = newBytes[operation.output(i)];
          }
        }
      }
    }
    return new Sizes(
        batch,
        newBytes,
        newFormulas,
        ImmutableList.copyOf(newTypes),
        ImmutableList.copyOf(newDims),
        newReasons,
        written,
        writtenBytes,
        viewless,
        newRoom,
        contradictions);
  }

  /** What leading unknown extents of feeds were bound by. */
  public long batch() {
    return batch;
  }

  /** Whether the variable's bytes, or a bound of them, are known. */
  public boolean isKnown(int variable) {
    return bytes[variable] >= 0;
  }

  /** The variable's bytes for the given feeds, or a bound of them; -1 if unknown. */
  public long bytes(int variable) {
    return bytes[variable];
  }

  /** Whether the bytes are an upper bound: they depend on data, or on which value it is. */
  public boolean isBound(int variable) {
    SymbolicExtent formula = formulas[variable];
    return isKnown(variable) && (formula == null || !formula.isExact());
  }

  /**
   * What the variable's bytes are a multiple of in every run: nothing, the batch, a product of
   * extents that differ from run to run. Which of two variables is larger is the same in every run
   * if this is equal. Empty if its values have different sizes.
   */
  public Optional<Object> measure(int variable) {
    SymbolicExtent formula = formulas[variable];
    return formula == null ? Optional.empty() : Optional.of(formula.unit());
  }

  /**
   * Bytes to compare variables of one {@link #measure} by: the bytes if they are known, else how
   * many times what they are a multiple of; -1 if neither is known.
   */
  public long weight(int variable) {
    SymbolicExtent formula = formulas[variable];
    if (isKnown(variable)) {
      return bytes[variable];
    }
    boolean isWhole = formula != null && formula.coefficient() == Math.rint(formula.coefficient());
    return isWhole && formula.coefficient() > 0 ? (long) formula.coefficient() : -1;
  }

  /**
   * Whether the first variable is at most as large as the second: for the given feeds if their
   * bytes are known, else in every run.
   */
  public boolean isAtMost(int small, int large) {
    if (isKnown(small) || isKnown(large)) {
      return isKnown(small) && bytes[small] <= bytes[large];
    }
    return weight(small) >= 0
        && weight(small) <= weight(large)
        && measure(small).equals(measure(large));
  }

  /** Whether all values of the two have equally many bytes in every run, whatever the feeds are. */
  public boolean areSame(int a, int b) {
    SymbolicExtent left = formulas[a];
    SymbolicExtent right = formulas[b];
    return left != null && right != null && left.isSame(right);
  }

  /**
   * Whether the two arguments of an in-place pair have the same element type, and equally many
   * bytes in every run, whatever the feeds' shapes are. O(slots).
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
   * Whether an operator may get a tensor without elements. A tensor that has elements for the given
   * feeds is taken to have some in every run. O(1).
   */
  public boolean mayBeEmpty(Operation operation) {
    return definitions.mayBeEmpty(operation);
  }

  /**
   * Which arguments of an operator are views of each other, by the catalog's rule and for the given
   * feeds: bytes that the operator would copy unchanged. Empty for an operator that never runs.
   */
  public ImmutableList<View> views(Operation operation) {
    return viewless.contains(operation) ? ImmutableList.of() : definitions.views(operation);
  }

  /** Whether any operator has views. */
  public boolean hasViews() {
    return definitions.hasViews();
  }

  /**
   * Whether the variable is larger than what is written into it, as the program declares it to be:
   * room for a value that no rule tells of.
   */
  public boolean hasDeclaredRoom(int variable) {
    return declaredRoom.get(variable);
  }

  /** Where declarations contradict what operators make, in program order. */
  public ImmutableList<Contradiction> contradictions() {
    return contradictions;
  }

  /** The bytes of what an operator writes to an output argument, or a bound; -1 if unknown. */
  public long bytesWritten(Operation operation, int output) {
    return bytesOfDefinition[definitions.number(operation, output)];
  }

  /** What is known of what an operator writes to an output argument; null if it never runs. */
  public @Nullable AbstractShape written(Operation operation, int output) {
    return definitions.get(definitions.number(operation, output));
  }

  /** The element type; {@link DataType#UNKNOWN} for anything but a dense tensor. */
  public DataType dataType(int variable) {
    return dataTypes.get(variable);
  }

  /** The extents for the given feeds, or bounds of them; one that is unknown is -1. */
  public ImmutableLongArray dims(int variable) {
    return dims.get(variable);
  }

  /** Why the bytes are unknown, in a few words; empty if they are known. */
  public String reason(int variable) {
    return reasons[variable];
  }
}
