package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.DataType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The size of every variable, by dense variable index. Nobody modifies the arrays and the set. */
final class VariableSizes {

  /** The bytes for the given feeds, or a bound; -1 if unknown. */
  final long[] bytes;

  /** The slots of a tensor array of known size; 1 for other variables. */
  final long[] slots;

  /** The tensor arrays whose elements take turns in the slots. */
  final BitSet turns;

  /** The bytes for any feeds; null if no formula is known. */
  final @Nullable SymbolicExtent[] formulas;

  final ImmutableList<DataType> dataTypes;

  /** The extents for the given feeds, or bounds; -1 for an unknown extent. */
  final ImmutableList<ImmutableLongArray> dims;

  /** The reasons why the bytes are unknown; empty if they are known. */
  final String[] reasons;

  /** The variables whose declaration is larger than all their values. */
  final BitSet declaredRoom;

  VariableSizes(
      long[] bytes,
      long[] slots,
      BitSet turns,
      @Nullable SymbolicExtent[] formulas,
      ImmutableList<DataType> dataTypes,
      ImmutableList<ImmutableLongArray> dims,
      String[] reasons,
      BitSet declaredRoom) {
    this.bytes = bytes;
    this.slots = slots;
    this.turns = turns;
    this.formulas = formulas;
    this.dataTypes = dataTypes;
    this.dims = dims;
    this.reasons = reasons;
    this.declaredRoom = declaredRoom;
  }

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
