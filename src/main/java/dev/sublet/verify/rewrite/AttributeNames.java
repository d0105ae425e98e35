package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Attribute;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.Violations;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks that attributes are unchanged, except that each variable name in them follows the renaming
 * of that variable. O(attributes + strings × lookup).
 *
 * <pre>
 *   original    op_role_var = ["w"]      w is renamed to t
 *   rewritten   op_role_var = ["t"]      accepted; "w" is a violation
 * </pre>
 */
final class AttributeNames {

  private final Program original;
  private final Program rewritten;
  private final NameAssignment assignment;
  private final Violations violations;

  AttributeNames(
      Program original, Program rewritten, NameAssignment assignment, Violations violations) {
    this.original = original;
    this.rewritten = rewritten;
    this.assignment = assignment;
    this.violations = violations;
  }

  /**
   * Checks an operator against its counterpart. The slots of all operators must have been checked
   * before.
   */
  void check(Operation operation, Operation other) {
    List<Attribute> attributes = withoutCallstack(operation, other);
    ImmutableList<Attribute> others = other.attributes();
    boolean sameForm = attributes.size() == others.size();
    for (int i = 0; sameForm && i < attributes.size(); i++) {
      sameForm = attributes.get(i).hasSameNameAndType(others.get(i));
    }
    if (!sameForm) {
      violations.add(operation.location(), "attributes were added, removed or reordered");
      return;
    }
    ImmutableList<AttributeReference> references = original.attributeReferences(operation);
    for (int i = 0; i < attributes.size(); i++) {
      if (!attributes.get(i).equals(others.get(i))) {
        checkChanged(operation, attributes.get(i), others.get(i), references);
      }
    }
    if (!references.isEmpty()) {
      checkReferences(operation, other, references);
    }
  }

  /**
   * The operator's attributes, without the call stack if the counterpart lacks it: a call stack may
   * be dropped, but not changed.
   */
  private static List<Attribute> withoutCallstack(Operation operation, Operation other) {
    List<Attribute> attributes = new ArrayList<>(operation.attributes());
    if (other.attribute("op_callstack").isEmpty()) {
      attributes.removeIf(attribute -> attribute.name().equals("op_callstack"));
    }
    return attributes;
  }

  private void checkChanged(
      Operation operation,
      Attribute attribute,
      Attribute other,
      ImmutableList<AttributeReference> references) {
    ImmutableList<String> strings = attribute.strings();
    ImmutableList<String> others = other.strings();
    Set<Integer> renamable = new HashSet<>();
    for (AttributeReference reference : references) {
      if (reference.attribute().equals(attribute.name()) && reference.renamable()) {
        renamable.add(reference.position());
      }
    }
    boolean legal =
        attribute.holdsStrings()
            && strings.size() == others.size()
            && attribute.hasSameFurtherFields(other);
    for (int i = 0; legal && i < strings.size(); i++) {
      legal = strings.get(i).equals(others.get(i)) || renamable.contains(i);
    }
    if (!legal) {
      violations.add(operation.location(), "attribute '" + attribute.name() + "' was changed");
    }
  }

  private void checkReferences(
      Operation operation, Operation other, ImmutableList<AttributeReference> references) {
    ImmutableList<AttributeReference> others = rewritten.attributeReferences(other);
    for (AttributeReference reference : references) {
      int u = reference.variable();
      if (!isFollowed(operation, other, reference, others)) {
        violations.add(
            operation.location().at(Names.display(original.variable(u).name())),
            "attribute '"
                + reference.attribute()
                + "' names the variable, but does not follow its renaming");
      }
    }
  }

  private boolean isFollowed(
      Operation operation,
      Operation other,
      AttributeReference reference,
      ImmutableList<AttributeReference> others) {
    int u = reference.variable();
    if (assignment.hasSeveralNames(u)) {
      return false;
    }
    int expected = assignment.partner(u);
    if (expected < 0) {
      return string(operation, reference).equals(string(other, reference));
    }
    if (!reference.renamable() && expected != assignment.twin(u)) {
      return false;
    }
    for (AttributeReference candidate : others) {
      if (candidate.attribute().equals(reference.attribute())
          && candidate.position() == reference.position()
          && candidate.variable() == expected) {
        return true;
      }
    }
    return false;
  }

  private static String string(Operation operation, AttributeReference reference) {
    ImmutableList<String> strings =
        operation
            .attribute(reference.attribute())
            .map(Attribute::strings)
            .orElse(ImmutableList.of());
    return reference.position() < strings.size() ? strings.get(reference.position()) : "";
  }
}
