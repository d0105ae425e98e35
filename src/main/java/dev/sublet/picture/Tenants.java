package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.picture.Picture.Tenant;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The variables of a picture while it is made, numbered in the order in which they are met. */
final class Tenants {

  private final Map<VariableId, Integer> indices = new LinkedHashMap<>();
  private final List<String> types = new ArrayList<>();
  private final List<Integer> holders = new ArrayList<>();
  private final List<List<String>> notes = new ArrayList<>();

  /** The index of a variable, a new one if it was not met before. O(1). */
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

  /** Whether the variable was met. */
  boolean has(VariableId variable) {
    return indices.containsKey(variable);
  }

  /** Says of what type a variable is declared to be. */
  void setType(int index, String type) {
    types.set(index, type);
  }

  /** Says whose name and bytes a variable has after. */
  void setHolder(int index, int holder) {
    holders.set(index, holder);
  }

  /** Whose name and bytes a variable has after. */
  int holder(int index) {
    return holders.get(index);
  }

  /** Says something more of a variable. */
  void note(int index, String note) {
    if (!notes.get(index).contains(note)) {
      notes.get(index).add(note);
    }
  }

  /** How many there are. */
  int count() {
    return indices.size();
  }

  /** All of them. */
  ImmutableList<Tenant> build() {
    ImmutableList.Builder<Tenant> tenants = ImmutableList.builder();
    for (Map.Entry<VariableId, Integer> entry : indices.entrySet()) {
      int index = entry.getValue();
      VariableId id = entry.getKey();
      tenants.add(
          new Tenant(
              Labels.printable(id.name()),
              id.block(),
              types.get(index),
              holders.get(index),
              String.join("; ", notes.get(index))));
    }
    return tenants.build();
  }
}
