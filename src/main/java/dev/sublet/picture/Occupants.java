package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.picture.Picture.Occupant;
import dev.sublet.picture.Picture.Origin;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the variables of a picture, numbered in the order in which they are first used. */
final class Occupants {

  private final ImmutableMap<VariableId, Origin> origins;
  private final Map<VariableId, Integer> indices = new LinkedHashMap<>();
  private final List<String> types = new ArrayList<>();
  private final List<Long> declared = new ArrayList<>();
  private final List<Integer> holders = new ArrayList<>();
  private final List<List<String>> notes = new ArrayList<>();

  /**
   * Creates an empty collection.
   *
   * @param origins the kinds and source lines of variables, as far as they are known
   */
  Occupants(ImmutableMap<VariableId, Origin> origins) {
    this.origins = origins;
  }

  /** Returns the index of a variable, which gets a new index on the first call. O(1). */
  int indexOf(VariableId variable) {
    Integer known = indices.get(variable);
    if (known != null) {
      return known;
    }
    int index = indices.size();
    indices.put(variable, index);
    types.add("");
    declared.add(-1L);
    holders.add(index);
    notes.add(new ArrayList<>());
    return index;
  }

  /** Whether a variable has an index. */
  boolean has(VariableId variable) {
    return indices.containsKey(variable);
  }

  /** Sets the declared type of a variable, and its bytes; -1 if the type does not say. */
  void setType(int index, String type, long bytes) {
    types.set(index, type);
    declared.set(index, bytes);
  }

  /** Sets the variable whose name and bytes a variable has in the stage after. */
  void setHolder(int index, int holder) {
    holders.set(index, holder);
  }

  /** Returns the variable whose name and bytes a variable has in the stage after. */
  int holder(int index) {
    return holders.get(index);
  }

  /** Adds a note to a variable, unless it already has the same note. */
  void note(int index, String note) {
    if (!notes.get(index).contains(note)) {
      notes.get(index).add(note);
    }
  }

  /** The number of variables. */
  int count() {
    return indices.size();
  }

  /** Returns all variables. */
  ImmutableList<Occupant> build() {
    ImmutableList.Builder<Occupant> occupants = ImmutableList.builder();
    for (Map.Entry<VariableId, Integer> entry : indices.entrySet()) {
      int index = entry.getValue();
      VariableId id = entry.getKey();
      occupants.add(
          new Occupant(
              Labels.printable(id.name()),
              id.block(),
              types.get(index),
              declared.get(index),
              holders.get(index),
              String.join("; ", notes.get(index)),
              origins.getOrDefault(id, Origin.UNKNOWN)));
    }
    return occupants.build();
  }
}
