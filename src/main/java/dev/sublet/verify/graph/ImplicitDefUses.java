package dev.sublet.verify.graph;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.BitSet;
import java.util.Optional;

/**
 * The accesses of a followed control operator that are not in its slots, because the runtime
 * derives names from names. All lists are ascending.
 *
 * <pre>
 *   while_grad with X = [w], X@GRAD = [g]: whenever its body ends, the runtime reads the
 *   body's variable w@GRAD, which no slot names, and writes g
 * </pre>
 *
 * <p>Source: {@code while_grad}, {@code conditional_block_grad}, {@code recurrent} and {@code
 * recurrent_grad} of Paddle.
 */
public final class ImplicitDefUses {

  private static final String GRADIENT = "@GRAD";

  private final Program program;
  private final Operation operation;
  private final int body;
  private final BitSet entryReads = new BitSet();
  private final BitSet entryWrites = new BitSet();
  private final BitSet endReads = new BitSet();
  private final BitSet endWrites = new BitSet();
  private final BitSet pinned = new BitSet();

  private ImplicitDefUses(Program program, Operation operation) {
    this.program = program;
    this.operation = operation;
    this.body = operation.blocks().get(0);
  }

  /** Finds the implicit accesses of a followed operator. O(arguments × lookup). */
  static ImplicitDefUses of(Program program, Operation operation, ControlKind kind) {
    ImplicitDefUses accesses = new ImplicitDefUses(program, operation);
    switch (kind) {
      case NONE, WHILE, CONDITIONAL -> {}
      case WHILE_GRAD -> {
        accesses.linkOutputGradients();
        accesses.linkInputGradients("X", /* readsOuter= */ true);
      }
      case CONDITIONAL_GRAD -> accesses.linkInputGradients("Input", /* readsOuter= */ false);
      case RECURRENT -> accesses.linkSteps();
      case RECURRENT_GRAD -> accesses.linkEverything();
    }
    accesses.pinned.or(accesses.entryReads);
    accesses.pinned.or(accesses.entryWrites);
    accesses.pinned.or(accesses.endReads);
    accesses.pinned.or(accesses.endWrites);
    return accesses;
  }

  private void linkOutputGradients() {
    operation.attribute("original_output_grad").ifPresent(names -> addInner(names, entryWrites));
    operation.inputSlot("Out" + GRADIENT).ifPresent(slot -> addVariables(slot, pinned));
  }

  private void linkInputGradients(String name, boolean readsOuter) {
    Optional<Slot> inputs = operation.inputSlot(name);
    if (inputs.isEmpty()) {
      return;
    }
    addVariables(inputs.get(), pinned);
    Optional<Slot> gradients = operation.outputSlot(name + GRADIENT);
    int count = gradients.isEmpty() ? 0 : Math.min(inputs.get().size(), gradients.get().size());
    for (int i = 0; i < count; i++) {
      int outer = gradients.get().variable(i);
      if (outer == Program.NO_VARIABLE || inputs.get().variable(i) == Program.NO_VARIABLE) {
        continue;
      }
      add(program.resolve(body, inputs.get().argument(i) + GRADIENT), endReads);
      add(outer, endWrites);
      if (readsOuter) {
        add(outer, endReads);
      }
    }
  }

  private void linkSteps() {
    operation.inputSlot("inputs").ifPresent(slot -> addInner(slot, entryWrites));
    operation.attribute("ex_states").ifPresent(names -> addInner(names, entryWrites));
    operation.attribute("states").ifPresent(names -> addInner(names, endReads));
    operation.inputSlot("inputs").ifPresent(slot -> addVariables(slot, pinned));
    operation
        .outputSlot("outputs")
        .ifPresent(
            slot -> {
              addInner(slot, endReads);
              addVariables(slot, endWrites);
            });
  }

  private void linkEverything() {
    for (Slot slot : operation.inputSlots()) {
      addEveryForm(slot);
    }
    for (Slot slot : operation.outputSlots()) {
      addEveryForm(slot);
    }
    for (String name : new String[] {"states", "ex_states"}) {
      operation
          .attribute(name)
          .ifPresent(attribute -> attribute.strings().forEach(this::addEveryForm));
    }
    entryWrites.or(entryReads);
    endReads.or(entryReads);
    endWrites.or(entryReads);
  }

  private void addEveryForm(Slot slot) {
    for (int i = 0; i < slot.size(); i++) {
      addEveryForm(slot.argument(i));
    }
  }

  private void addEveryForm(String name) {
    for (int block : new int[] {body, operation.block()}) {
      add(program.resolve(block, name), entryReads);
      add(program.resolve(block, name + GRADIENT), entryReads);
    }
  }

  private void addInner(Attribute names, BitSet set) {
    for (String name : names.strings()) {
      add(program.resolve(body, name), set);
    }
  }

  private void addInner(Slot slot, BitSet set) {
    for (int i = 0; i < slot.size(); i++) {
      add(program.resolve(body, slot.argument(i)), set);
    }
  }

  private static void addVariables(Slot slot, BitSet set) {
    for (int i = 0; i < slot.size(); i++) {
      add(slot.variable(i), set);
    }
  }

  private static void add(int variable, BitSet set) {
    if (variable != Program.NO_VARIABLE) {
      set.set(variable);
    }
  }

  /** Returns the variables that are read whenever the body is entered. */
  public ImmutableIntArray entryReads() {
    return toArray(entryReads);
  }

  /** Returns the variables that may be written whenever the body is entered. */
  public ImmutableIntArray entryWrites() {
    return toArray(entryWrites);
  }

  /** Returns the variables that are read whenever the body ends. */
  public ImmutableIntArray endReads() {
    return toArray(endReads);
  }

  /**
   * Returns the variables that may be written whenever the body ends, after {@link #endReads} were
   * read.
   */
  public ImmutableIntArray endWrites() {
    return toArray(endWrites);
  }

  /**
   * Returns the variables that must keep their names, including those whose names the runtime
   * derives others from.
   */
  ImmutableIntArray pinned() {
    return toArray(pinned);
  }

  private static ImmutableIntArray toArray(BitSet set) {
    ImmutableIntArray.Builder builder = ImmutableIntArray.builder();
    for (int v = set.nextSetBit(0); v >= 0; v = set.nextSetBit(v + 1)) {
      builder.add(v);
    }
    return builder.build();
  }
}
