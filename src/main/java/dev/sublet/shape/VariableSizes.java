package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.DataType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The size of every variable, by dense variable index. Nobody modifies the arrays and the sets.
 *
 * @param bytes the bytes for the given feeds, or a bound; -1 if unknown
 * @param slots the slots of a tensor array of known size; 1 for other variables
 * @param turns the tensor arrays whose elements take turns in the slots
 * @param formulas the bytes for any feeds; null if no formula is known
 * @param dataTypes the element types
 * @param dims the extents for the given feeds, or bounds; -1 for an unknown extent
 * @param reasons the reasons why the bytes are unknown, or why a variable without bytes is never
 *     made for the given feeds; else empty
 * @param declaredRoom the variables whose declaration is larger than all their values
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record VariableSizes(
    long[] bytes,
    long[] slots,
    BitSet turns,
    @Nullable SymbolicExtent[] formulas,
    ImmutableList<DataType> dataTypes,
    ImmutableList<ImmutableLongArray> dims,
    String[] reasons,
    BitSet declaredRoom) {

  /** Returns these sizes, except that copies get the sizes of their originals. O(variables). */
  VariableSizes withThoseOf(VariableSizes other, CopiedFrom copies) {
    long[] newBytes = bytes.clone();
    long[] newSlots = slots.clone();
    @Nullable SymbolicExtent[] newFormulas = formulas.clone();
    String[] newReasons = reasons.clone();
    List<DataType> newTypes = new ArrayList<>(dataTypes);
    List<ImmutableLongArray> newDims = new ArrayList<>(dims);
    BitSet newTurns = new BitSet();
    newTurns.or(turns);
    BitSet newRoom = new BitSet();
    newRoom.or(declaredRoom);
    for (int v = 0; v < newBytes.length; v++) {
      int original = copies.variable(v);
      if (original >= 0) {
        newBytes[v] = other.bytes[original];
        newSlots[v] = other.slots[original];
        newTurns.set(v, other.turns.get(original));
        newFormulas[v] = other.formulas[original];
        newReasons[v] = other.reasons[original];
        newTypes.set(v, other.dataTypes.get(original));
        newDims.set(v, other.dims.get(original));
        newRoom.set(v, other.declaredRoom.get(original));
      }
    }
    return new VariableSizes(
        newBytes,
        newSlots,
        newTurns,
        newFormulas,
        ImmutableList.copyOf(newTypes),
        ImmutableList.copyOf(newDims),
        newReasons,
        newRoom);
  }
}
