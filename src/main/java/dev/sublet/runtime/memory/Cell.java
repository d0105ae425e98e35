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
 * One instance of a variable at run time: what a name in a scope stands for. Which of the fields
 * count follows from what was put there; tensors are read and written through the {@link Memory}.
 */
public final class Cell {

  /**
   * What is known of a tensor whose elements are elsewhere.
   *
   * @param type the element type
   * @param shape the extents
   * @param lod the sequences
   */
  record Header(
      ElementType type, ImmutableLongArray shape, ImmutableList<ImmutableLongArray> lod) {}

  /** The declaration; null if the runtime made the instance by itself. */
  final @Nullable public Variable variable;

  /** The scope whose variable it is; null if the runtime made the instance by itself. */
  final @Nullable Scope scope;

  /** The tensor, unless the memory keeps its elements elsewhere; null if nothing wrote it. */
  @Nullable LodTensor tensor;

  /** Of a tensor whose elements are elsewhere; null if nothing wrote it. */
  @Nullable Header header;

  /** The elements of an array; one that was skipped is null. */
  public final List<@Nullable LodTensor> array = new ArrayList<>();

  /** The scopes that a control operator kept here, in the order of its iterations. */
  public final List<Scope> scopes = new ArrayList<>();

  /** An ordering of sequences; null if nothing wrote it. */
  @Nullable public RankTable rankTable;

  private Cell(@Nullable Variable variable, @Nullable Scope scope) {
    this.variable = variable;
    this.scope = scope;
  }

  /** An instance of a declared variable in a scope. */
  public static Cell of(Variable variable, Scope scope) {
    return new Cell(variable, scope);
  }

  /** An instance that nothing declares. */
  public static Cell undeclared() {
    return new Cell(null, null);
  }

  /** Whether the variable is declared to be an array of tensors. */
  public boolean isArray() {
    return variable != null && variable.kind() == Variable.Kind.TENSOR_ARRAY;
  }

  /** Makes the array equal to another one. */
  public void setArray(List<@Nullable LodTensor> elements) {
    List<@Nullable LodTensor> copy = new ArrayList<>(elements);
    array.clear();
    array.addAll(copy);
  }
}
