package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the variable names in the attributes of an operator.
 *
 * <p>Source: {@code program-format} facts, section 4 rule 8: {@code op_role_var} and attributes of
 * type VAR and VARS name variables of the operator's block. The four attributes in {@code INNER}
 * contain names that are resolved in the operator's sub-block. Any other string that equals a
 * visible name may be a reference too (distributed operators have many such attributes), so the
 * variable of that name is pinned.
 */
final class NameAttributes {

  private static final ImmutableSet<String> OUTER = ImmutableSet.of("op_role_var");
  private static final ImmutableSet<String> INNER =
      ImmutableSet.of("states", "ex_states", "original_output_grad", "skip_eager_deletion_vars");

  /** Long strings that are never names: source locations and the like. */
  private static final ImmutableSet<String> NEVER =
      ImmutableSet.of(
          SourceLine.STACK,
          SourceLine.NODE,
          "op_namescope",
          "op_device",
          "data_format",
          "data_layout");

  private NameAttributes() {}

  /** All references in an operator's attributes, in file order. O(strings × lookup). */
  static ImmutableList<AttributeReference> find(Program program, Operation operation) {
    List<AttributeReference> references = new ArrayList<>(0);
    OpDesc message = operation.message();
    for (int i = 0; i < message.getAttrsCount(); i++) {
      OpDesc.Attr attribute = message.getAttrs(i);
      AttrType type = attribute.getType();
      boolean strings = type == AttrType.STRING || type == AttrType.STRINGS;
      boolean variables = type == AttrType.VAR || type == AttrType.VARS;
      if ((strings && !NEVER.contains(attribute.getName())) || variables) {
        findIn(program, operation, new Attribute(attribute), references);
      }
    }
    return ImmutableList.copyOf(references);
  }

  private static void findIn(
      Program program,
      Operation operation,
      Attribute attribute,
      List<AttributeReference> references) {
    boolean inner = INNER.contains(attribute.name());
    boolean known =
        (inner || OUTER.contains(attribute.name()) || attribute.holdsVariables())
            && !isRepeated(operation, attribute.name());
    ImmutableList<String> names = attribute.strings();
    for (int i = 0; i < names.size(); i++) {
      int outside = program.resolve(operation.block(), names.get(i));
      int inside = Program.NO_VARIABLE;
      if (inner) {
        for (int block : operation.blocks()) {
          inside = program.resolve(block, names.get(i));
        }
      }
      boolean ambiguous =
          inside != Program.NO_VARIABLE && outside != Program.NO_VARIABLE && inside != outside;
      if (inside != Program.NO_VARIABLE) {
        references.add(new AttributeReference(attribute.name(), i, inside, known && !ambiguous));
      }
      if (outside != Program.NO_VARIABLE && (inside == Program.NO_VARIABLE || ambiguous)) {
        references.add(new AttributeReference(attribute.name(), i, outside, known && !ambiguous));
      }
    }
  }

  /** Whether several attributes have the name, so that a reference to one of them is ambiguous. */
  private static boolean isRepeated(Operation operation, String name) {
    int count = 0;
    for (OpDesc.Attr attribute : operation.message().getAttrsList()) {
      count += attribute.getName().equals(name) ? 1 : 0;
    }
    return count > 1;
  }
}
