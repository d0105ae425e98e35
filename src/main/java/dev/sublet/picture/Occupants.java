package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.picture.Picture.Occupant;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the variables of a picture, numbered in the order in which they are first used. */
final class Occupants {

  private final Map<VariableId, Integer> indices = new LinkedHashMap<>();
  private final List<String> types = new ArrayList<>();
  private final List<Integer> holders = new ArrayList<>();
  private final List<List<String>> notes = new ArrayList<>();

  /** Returns the index of a variable, which gets a new index on the first call. O(1). */
  int indexOf(VariableId variable) {
    Integer known = indices.get(variable);
    if (known != null) {
      return known;
    }
    int index = indices.size();
    indices.put(variable, index);
    types.add("");
    holders.add(index);
    notes.add(new ArrayList<>());
    return index;
  }

  /** Whether a variable has an index. */
  boolean has(VariableId variable) {
    return indices.containsKey(variable);
  }

  /** Sets the declared type of a variable. */
  void setType(int index, String type) {
    types.set(index, type);
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
              holders.get(index),
              String.join("; ", notes.get(index))));
    }
    return occupants.build();
  }
}
