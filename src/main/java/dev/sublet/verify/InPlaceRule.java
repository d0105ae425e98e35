package dev.sublet.verify;

import dev.sublet.operator.InPlacePair;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.Optional;

/**
 * Whether an operator may compute an output in the bytes of an input, and what it needs of one.
 *
 * <p>That the input's value is dead afterwards is not checked here: whoever reads it later finds
 * that it is gone.
 */
final class InPlaceRule {

  private final Program program;
  private final OperatorCatalog catalog;
  private final Sizes sizes;
  private final LodCarriers lodCarriers;
  private final Places places;
  private final ObservedVariables observed;

  InPlaceRule(
      Program program,
      OperatorCatalog catalog,
      Sizes sizes,
      Places places,
      ObservedVariables observed) {
    this.program = program;
    this.catalog = catalog;
    this.sizes = sizes;
    this.lodCarriers = LodCarriers.find(program, catalog);
    this.places = places;
    this.observed = observed;
  }

  /**
   * Whether the output variable may lie where the input variable lies, if operators run one after
   * the other. Either may be observed: that is only asked of the bytes at the end, and the run's
   * end checks it. If the input is still to be observed, the write has taken its value, and that is
   * found there; a value of an observed variable that dies before is like any other. O(arguments).
   */
  boolean allows(Operation operation, int input, int output) {
    return mayShare(operation, input, output, /* oneName= */ false);
  }

  /** The same if operators may run at the same time: not of what is observed. O(arguments). */
  boolean allowsInParallel(Operation operation, int input, int output) {
    return areUnobserved(input, output) && allows(operation, input, output);
  }

  /** Whether the output variable may be the input variable. O(arguments). */
  boolean allowsOneName(Operation operation, int input, int output) {
    return areUnobserved(input, output) && mayShare(operation, input, output, /* oneName= */ true);
  }

  private boolean areUnobserved(int input, int output) {
    return !observed.isObserved(input) && !observed.isObserved(output);
  }

  private boolean mayShare(Operation operation, int input, int output, boolean oneName) {
    OperatorSpec spec = catalog.lookup(operation.type());
    return operation.blocks().isEmpty()
        && isLegalPair(operation, spec, input, output, oneName)
        && operation.countInputs(input) == 1
        && areAlike(input, output);
  }

  /** Which variables of the program may carry sequence information in some run. */
  LodCarriers lodCarriers() {
    return lodCarriers;
  }

  /**
   * Whether the operator reads the input's elements, and not only its shape: the buffer of an input
   * of known shape that is in {@code no_need_buffer} slots only may be gone.
   */
  boolean needsBuffer(Operation operation, int input) {
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
