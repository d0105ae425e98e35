package dev.sublet.codec.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;

/**
 * Offsets in the form that TFLite Micro reads from the metadata {@code OfflineMemoryAllocation} of
 * a model: 32-bit integers, little-endian.
 *
 * <pre>
 * 0      1: the version of the format
 * 1      0: the index of the subgraph
 * 2      n: how many tensors there are
 * 3 + i  the offset of tensor i, or -1: placed when the model is loaded
 * </pre>
 *
 * <p>Tensor i is the i-th variable that block 0 declares, or row i of a table of buffers. TFLite
 * Micro refuses a model that does not have exactly n tensors. It places the tensors with offset -1
 * around the others, from its own analysis of their live ranges.
 *
 * <p>Source: TensorFlow Lite Micro, docs/memory_management.md, "Offline planned tensor
 * allocations", and micro_allocation_info.cc.
 *
 * @param offsets the offsets of the tensors; {@link #UNPLANNED} for tensors without one
 * @param names the names of the tensors, as plans write them; empty if they are not known
 * @param reasons one reason per tensor for a missing offset, empty if the tensor has an offset; or
 *     an empty list
 */
public record OfflineAllocation(
    ImmutableIntArray offsets, ImmutableList<String> names, ImmutableList<String> reasons) {

  /** The offset of a tensor that is placed when the model is loaded. */
  public static final int UNPLANNED = -1;

  static final int VERSION = 1;
  static final int SUBGRAPH = 0;
  static final int HEADER_WORDS = 3;

  public OfflineAllocation {
    requireNonNull(offsets, "offsets");
    requireNonNull(names, "names");
    requireNonNull(reasons, "reasons");
  }

  /**
   * Returns the offsets of a plan. O(allocations + tensors).
   *
   * @param subject the subject of the plan, which states the variable of each tensor
   * @param log gets a warning if some of the plan's offsets cannot be expressed
   * @throws dev.sublet.diag.ProgramException if the tensors are not known, or no offset can be
   *     expressed
   */
  public static OfflineAllocation of(MemoryPlan plan, PlanSubject subject, DiagnosticLog log) {
    return OfflineOffsets.of(plan, subject, log);
  }

  /**
   * Returns the same offsets with the names of the tensors.
   *
   * @throws dev.sublet.diag.ProgramException if the number of names differs from the number of
   *     offsets
   */
  public OfflineAllocation named(ImmutableList<VariableId> tensors) {
    if (tensors.size() != offsets.length()) {
      throw OfflineAllocationReader.malformed(
          "it has " + offsets.length() + " offsets, but there are " + tensors.size() + " tensors");
    }
    ImmutableList.Builder<String> known = ImmutableList.builder();
    for (VariableId tensor : tensors) {
      known.add(PlanNames.encode(tensor.name()));
    }
    return new OfflineAllocation(
        offsets,
        known.build(),
        reasons.isEmpty()
            ? ImmutableList.copyOf(Collections.nCopies(tensors.size(), ""))
            : reasons);
  }

  /**
   * Returns the offsets by row of a table of buffers; {@link BufferTable#NO_OFFSET} for rows
   * without one.
   *
   * @throws dev.sublet.diag.ProgramException if the number of offsets differs from the number of
   *     rows, or if a tensor has a name and its row has another id
   */
  public ImmutableLongArray offsetsOf(BufferTable table) {
    if (table.rows().size() != offsets.length()) {
      throw OfflineAllocationReader.malformed(
          "it has "
              + offsets.length()
              + " offsets, but the table has "
              + table.rows().size()
              + " rows");
    }
    ImmutableLongArray.Builder byRow = ImmutableLongArray.builder(offsets.length());
    for (int i = 0; i < offsets.length(); i++) {
      String id = table.rows().get(i).id();
      if (!names.isEmpty() && !names.get(i).equals(PlanNames.encode(id))) {
        throw OfflineAllocationReader.malformed(
            "its tensor "
                + i
                + " is '"
                + names.get(i)
                + "', but that row of the table is '"
                + id
                + "'");
      }
      byRow.add(offsets.get(i) == UNPLANNED ? BufferTable.NO_OFFSET : offsets.get(i));
    }
    return byRow.build();
  }

  /** Returns the array as JSON, with the tensors' names and the reasons for missing offsets. */
  public byte[] toJson() {
    return OfflineJson.print(this).getBytes(UTF_8);
  }

  /** Returns the array in binary form. */
  public byte[] toBytes() {
    int[] words = words();
    ByteBuffer bytes =
        ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int word : words) {
      bytes.putInt(word);
    }
    return bytes.array();
  }

  int[] words() {
    int[] words = new int[HEADER_WORDS + offsets.length()];
    words[0] = VERSION;
    words[1] = SUBGRAPH;
    words[2] = offsets.length();
    for (int i = 0; i < offsets.length(); i++) {
      words[HEADER_WORDS + i] = offsets.get(i);
    }
    return words;
  }
}
