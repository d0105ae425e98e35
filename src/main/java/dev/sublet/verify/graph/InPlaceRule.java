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
 * Whether an operator may compute an output in the bytes of an input, and what it needs of one.
 *
 * <p>Not checked here: that the input's value is dead afterwards, as a later read finds that it is
 * gone; and whether either variable is observed, as the end of the run, or of the body that
 * declares the variable, finds what is there then.
 */
public final class InPlaceRule {

  private final Program program;
  private final OperatorCatalog catalog;
  private final Sizes sizes;
  private final LodCarriers lodCarriers;
  private final MemorySpaces places;

  /** A rule for the operators of this program. */
  public InPlaceRule(Program program, OperatorCatalog catalog, Sizes sizes, MemorySpaces places) {
    this.program = program;
    this.catalog = catalog;
    this.sizes = sizes;
    this.lodCarriers = LodCarriers.find(program, catalog);
    this.places = places;
  }

  /** Whether the output variable may lie where the input variable lies. O(arguments). */
  public boolean allows(Operation operation, int input, int output) {
    return mayShare(operation, input, output, /* oneName= */ false);
  }

  /** Whether the output variable may be the input variable. O(arguments). */
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

  /** Which variables of the program may carry sequence information in some run. */
  public LodCarriers lodCarriers() {
    return lodCarriers;
  }

  /**
   * Whether the operator reads the input's elements, and not only its shape: the buffer of an input
   * of known shape that is in {@code no_need_buffer} slots only may be gone.
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
