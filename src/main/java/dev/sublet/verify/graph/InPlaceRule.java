package dev.sublet.verify.graph;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import java.util.Optional;

/**
 * The rule by which an operator may compute an output in the bytes of an input.
 *
 * <p>Two conditions are not checked here. The input's value must be dead afterwards: the
 * interpreters find a later read of the lost value. And neither variable may be observed with the
 * other's value: the interpreters find this at the end of the run, or of the body that declares the
 * variable.
 */
public final class InPlaceRule {

  private final Program program;
  private final OperatorCatalog catalog;
  private final Sizes sizes;
  private final LodCarriers lodCarriers;
  private final MemorySpaces places;

  /** Creates the rule for the operators of a program. */
  public InPlaceRule(Program program, OperatorCatalog catalog, Sizes sizes, MemorySpaces places) {
    this.program = program;
    this.catalog = catalog;
    this.sizes = sizes;
    this.lodCarriers = LodCarriers.find(program, catalog);
    this.places = places;
  }

  /** Whether the output variable may have the bytes of the input variable. O(arguments). */
  public boolean allows(Operation operation, int input, int output) {
    return mayShare(operation, input, output, /* oneName= */ false);
  }

  /** Whether the output and the input may be one variable. O(arguments). */
  public boolean allowsOneName(Operation operation, int input, int output) {
    return mayShare(operation, input, output, /* oneName= */ true);
  }

  private boolean mayShare(Operation operation, int input, int output, boolean oneName) {
    OperatorSpec spec = catalog.lookup(operation.type());
    return operation.blocks().isEmpty()
        && isLegalPair(operation, spec, input, output, oneName)
        && operation.countInputs(input) == 1
        && areAlike(input, output);
  }

  /** Returns the variables of the program that may carry LoD in some run. */
  public LodCarriers lodCarriers() {
    return lodCarriers;
  }

  /**
   * Whether the operator reads the elements of the input, and not only its shape. The buffer of an
   * input may be gone if its shape is known and it is in {@code no_need_buffer} slots only.
   */
  public boolean needsBuffer(Operation operation, int input) {
    OperatorSpec spec = catalog.lookup(operation.type());
    if (spec.noNeedBuffer().isEmpty() || !sizes.isKnown(input)) {
      return true;
    }
    for (Slot slot : operation.inputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        if (slot.variable(i) == input && !spec.noNeedBuffer().contains(slot.name())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isLegalPair(
      Operation operation, OperatorSpec spec, int input, int output, boolean oneName) {
    for (InPlacePair pair : catalog.inPlacePairs(spec, program.version())) {
      if (first(operation.inputSlot(pair.input())) == input
          && first(operation.outputSlot(pair.output())) == output
          && (!oneName || pair.canShareName(operation))
          && sizes.areSame(operation, pair)) {
        return true;
      }
    }
    return false;
  }

  private static int first(Optional<Slot> slot) {
    return slot.isEmpty() || slot.get().size() == 0 ? Program.NO_VARIABLE : slot.get().variable(0);
  }

  private boolean areAlike(int input, int output) {
    return lodCarriers.carries(input) == lodCarriers.carries(output)
        && places.areSame(input, output);
  }
}
