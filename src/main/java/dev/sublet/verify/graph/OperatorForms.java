package dev.sublet.verify.graph;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Attribute;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.SourceLine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Numbers for the forms of operators. Two operators have one form if only the names of their
 * variables differ, or their call stacks. O(size of the operator) per call.
 */
public final class OperatorForms {

  private final ImmutableSet<String> ignored;
  private final Map<Form, Integer> numbers = new HashMap<>();

  /** Creates numbers for forms with all attributes but call stacks. */
  public OperatorForms() {
    this(ImmutableSet.of());
  }

  private OperatorForms(ImmutableSet<String> ignored) {
    this.ignored = ignored;
  }

  /** Creates numbers for forms without the names of ONNX nodes. */
  public static OperatorForms ofComputations() {
    return new OperatorForms(ImmutableSet.of(SourceLine.NODE));
  }

  private record Form(
      String type,
      boolean isTarget,
      ImmutableList<Object> inputs,
      ImmutableList<Object> outputs,
      ImmutableList<Attribute> attributes) {}

  /** Returns the number of an operator's form. */
  public int of(Program program, Operation operation) {
    Set<String> naming = new HashSet<>(ignored);
    naming.add("op_callstack");
    for (AttributeReference reference : program.attributeReferences(operation)) {
      naming.add(reference.attribute());
    }
    ImmutableList.Builder<Attribute> attributes = ImmutableList.builder();
    for (Attribute attribute : operation.attributes()) {
      if (!naming.contains(attribute.name())) {
        attributes.add(attribute);
      }
    }
    Form form =
        new Form(
            operation.type(),
            operation.isTarget(),
            slots(operation.inputSlots()),
            slots(operation.outputSlots()),
            attributes.build());
    return numbers.computeIfAbsent(form, each -> numbers.size());
  }

  /** The names of slots, with the arguments that are variables. */
  private static ImmutableList<Object> slots(ImmutableList<Slot> slots) {
    ImmutableList.Builder<Object> arguments = ImmutableList.builder();
    for (Slot slot : slots) {
      arguments.add(slot.name());
      for (int i = 0; i < slot.size(); i++) {
        arguments.add(slot.variable(i) != Program.NO_VARIABLE);
      }
    }
    return arguments.build();
  }
}
