package dev.sublet.runtime.memory;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a variable at run time, which a name in a scope denotes. A cell contains a
 * tensor, an array, scopes or a rank table, in the field for its kind. Tensors are read and written
 * through the {@link Memory}.
 */
public final class Cell {

  /**
   * The description of a tensor whose elements are in an arena.
   *
   * @param type the element type
   * @param shape the extents
   * @param lod the offsets of the sequences, per level
   */
  record Header(
      ElementType type, ImmutableLongArray shape, ImmutableList<ImmutableLongArray> lod) {}

  /** The declaration; null if the runtime created the instance without one. */
  public final @Nullable Variable variable;

  /** The scope of the variable; null if the runtime created the instance without a declaration. */
  final @Nullable Scope scope;

  /** The tensor, unless its elements are in an arena; null if nothing has written it. */
  @Nullable LodTensor tensor;

  /** The description of a tensor in an arena; null if nothing has written it. */
  @Nullable Header header;

  /** The elements of an array; null for an index that nothing has written. */
  public final List<@Nullable LodTensor> array = new ArrayList<>();

  /** Whether an operator on sequences of ONNX has written the array. */
  private boolean isSequence;

  /** Whether the value is an optional of ONNX that contains nothing. */
  private boolean isEmptyOptional;

  /** The scopes that a control operator kept here, in the order of its iterations. */
  public final List<Scope> scopes = new ArrayList<>();

  /** A ranking of sequences by length; null if nothing has written it. */
  public @Nullable RankTable rankTable;

  private Cell(@Nullable Variable variable, @Nullable Scope scope) {
    this.variable = variable;
    this.scope = scope;
  }

  /** Creates an instance of a declared variable in a scope. */
  public static Cell of(Variable variable, Scope scope) {
    return new Cell(variable, scope);
  }

  /**
   * Creates an instance of the same variable for a name in another scope. A memory that gives the
   * variable bytes gives these to both instances.
   */
  public Cell inAnotherScope() {
    return new Cell(variable, scope);
  }

  /** Creates an instance without a declaration. */
  public static Cell undeclared() {
    return new Cell(null, null);
  }

  /** Whether the variable is declared to be an array of tensors. */
  public boolean isArray() {
    return variable != null && variable.kind() == Variable.Kind.TENSOR_ARRAY;
  }

  /**
   * Whether the cell contains an array: the variable is declared to be one, or it is a sequence of
   * ONNX, which a model need not declare.
   */
  public boolean holdsArray() {
    return isArray() || isSequence;
  }

  /** Whether the value is an optional of ONNX that contains nothing; no tensor and no array. */
  public boolean isEmptyOptional() {
    return isEmptyOptional;
  }

  /** Makes the value of a cell without a tensor an optional of ONNX that contains nothing. */
  void setEmptyOptional() {
    isEmptyOptional = true;
  }

  /** Removes a sequence or an empty optional of ONNX: the variable has no value. */
  void clearSequence() {
    isEmptyOptional = false;
    if (!isArray()) {
      isSequence = false;
      array.clear();
    }
  }

  /** Replaces the elements of the array by a copy of a list. */
  public void setArray(List<@Nullable LodTensor> elements) {
    isSequence = true;
    isEmptyOptional = false;
    List<@Nullable LodTensor> copy = new ArrayList<>(elements);
    array.clear();
    array.addAll(copy);
  }
}
