package dev.sublet.diff;

import com.google.common.collect.ImmutableMultiset;
import dev.sublet.program.Attribute;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the differences between the attributes of two corresponding operators. */
final class AttributeChanges {

  /** The greatest length of a value in messages; longer values are cut. */
  private static final int MOST_SHOWN = 60;

  /** Whether two variables correspond. An implementation may count the uses. */
  interface Correspondence {
    boolean isSame(int before, int after);
  }

  private record Position(String attribute, int position) {}

  private AttributeChanges() {}

  /** The attributes that contain neither strings nor blocks, in any order. O(attributes). */
  static ImmutableMultiset<Attribute> withoutStrings(Operation operation) {
    ImmutableMultiset.Builder<Attribute> attributes = ImmutableMultiset.builder();
    for (Attribute attribute : operation.attributes()) {
      if (!attribute.holdsStrings() && !attribute.holdsBlocks()) {
        attributes.add(attribute);
      }
    }
    return attributes.build();
  }

  /**
   * Returns the changes as text for people. For blocks only their number is compared, because their
   * contents are compared separately. Strings that name variables are equal if the variables
   * correspond. O(strings × lookup).
   */
  static List<String> find(
      OperatorPair pair, Program before, Program after, Correspondence variables) {
    List<String> changes = new ArrayList<>();
    Map<Position, Integer> left = references(before, pair.before());
    Map<Position, Integer> right = references(after, pair.after());
    for (Attribute attribute : pair.before().attributes()) {
      Optional<Attribute> other = pair.after().attribute(attribute.name());
      if (other.isEmpty()) {
        changes.add("attribute " + attribute.name() + " removed, was " + shown(attribute));
      } else if (!areSame(attribute, other.get(), left, right, variables)) {
        changes.add(
            "attribute "
                + attribute.name()
                + " is "
                + shown(other.get())
                + " instead of "
                + shown(attribute));
      }
    }
    for (Attribute attribute : pair.after().attributes()) {
      if (pair.before().attribute(attribute.name()).isEmpty()) {
        changes.add("attribute " + attribute.name() + " added, " + shown(attribute));
      }
    }
    return changes;
  }

  private static Map<Position, Integer> references(Program program, Operation operation) {
    Map<Position, Integer> references = new HashMap<>();
    for (AttributeReference reference : program.attributeReferences(operation)) {
      references.put(
          new Position(reference.attribute(), reference.position()), reference.variable());
    }
    return references;
  }

  private static boolean areSame(
      Attribute before,
      Attribute after,
      Map<Position, Integer> left,
      Map<Position, Integer> right,
      Correspondence variables) {
    if (!before.hasSameNameAndType(after)) {
      return false;
    }
    if (before.holdsBlocks()) {
      return before.blocks().size() == after.blocks().size();
    }
    if (!before.holdsStrings()) {
      return before.equals(after);
    }
    List<String> names = before.strings();
    List<String> others = after.strings();
    boolean same = names.size() == others.size();
    for (int i = 0; i < names.size() && same; i++) {
      Integer variable = left.get(new Position(before.name(), i));
      Integer other = right.get(new Position(before.name(), i));
      boolean isRenamed = variable != null && other != null && variables.isSame(variable, other);
      same = isRenamed || names.get(i).equals(others.get(i));
    }
    return same;
  }

  private static String shown(Attribute attribute) {
    String text = attribute.display();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
