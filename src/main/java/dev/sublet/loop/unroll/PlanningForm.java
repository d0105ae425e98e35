package dev.sublet.loop.unroll;

import static java.util.Objects.requireNonNull;

import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.loop.EarlierSlot;
import dev.sublet.loop.InitialLocation;
import dev.sublet.loop.RotatingBuffers;
import dev.sublet.loop.RotationPosition;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form of an unrolled program for planning, not for running. After a loop, a variable that
 * moves may be in any of its slots, so an operator that reads the variable there reads all its
 * slots.
 */
final class PlanningForm implements LoopForm {

  /**
   * The type of an operator that reads all slots of a variable. No catalog contains the type, so
   * the analyses assume that the operator reads its inputs.
   */
  static final String READ_SLOTS = "sublet_read_slots";

  private final UnrollLoops unroll;
  private final UnrolledNames names;
  private final LiveRanges ranges;

  PlanningForm(UnrollLoops unroll) {
    this.unroll = unroll;
    this.names = unroll.names();
    this.ranges = unroll.carries().liveness().ranges();
  }

  @Override
  public void beforeLoop(Region loop, int block, CopyContext context) {}

  /**
   * Returns an operator that reads the inputs of the loop's operator, under their names in this
   * copy. The operator of a first iteration by itself takes the place of the loop. It therefore
   * also writes the outputs of the loop's operator, so that a result without a reader has a
   * location after it, too.
   */
  @Override
  public OperationBuilder entry(Region loop, int around, int block, CopyContext context) {
    Operation operation = unroll.graph().operation(loop.head());
    List<String> inputs = new ArrayList<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        inputs.add(unroll.use(names.nameAtStart(operation.input(i), loop, context)));
      }
    }
    CopyContext outer = requireNonNull(context.outer);
    return OperationBuilder.of("conditional_block")
        .input("Cond", List.of(unroll.condition(loop, outer)))
        .input("Input", inputs)
        .output("Out", context.phase < 0 ? outputs(loop, outer) : List.of())
        .blockAttribute("sub_block", block)
        .attribute("is_scalar_condition", true);
  }

  /**
   * Returns a conditional block. The last variant takes the place of the loop, so it also writes
   * the outputs of the loop's operator, as {@link #entry} does.
   */
  @Override
  public OperationBuilder variant(Region loop, int block, boolean isLast, CopyContext outer) {
    return OperationBuilder.of("conditional_block")
        .input("Cond", List.of(unroll.condition(loop, outer)))
        .input("Input", List.of())
        .output("Out", isLast ? outputs(loop, outer) : List.of())
        .blockAttribute("sub_block", block)
        .attribute("is_scalar_condition", true);
  }

  private List<String> outputs(Region loop, CopyContext outer) {
    Operation operation = unroll.graph().operation(loop.head());
    List<String> outputs = new ArrayList<>();
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output != Program.NO_VARIABLE) {
        outputs.add(unroll.use(names.name(output, loop.exit(), /* writes= */ true, outer)));
      }
    }
    return outputs;
  }

  @Override
  public void endOfCopy(Region loop, int block, CopyContext context) {}

  @Override
  public void finishLoop(Region loop, OperationBuilder operator, CopyContext context) {}

  @Override
  public void afterLoop(Region loop, int block, CopyContext context) {}

  /**
   * Reads the source of the copy instead: its value is still there at this point, so it makes no
   * difference whether the copy runs.
   */
  @Override
  public void insteadOf(Operation copy, int node, int block, CopyContext context) {
    context.put(node, block, unroll.builder().operationCount(block));
    String source = names.name(copy.input(0), node, /* writes= */ false, context);
    addRead(Set.of(unroll.use(source)), block);
  }

  /**
   * Adds the reads of an exit conditional before it: no operator may follow a conditional that ends
   * a loop by being skipped, or it would not end the loop.
   */
  @Override
  public void before(Operation operation, int node, int block, CopyContext context) {
    if (leavesLoop(node)) {
      readMoved(operation, node, block, context);
    }
  }

  @Override
  public void after(Operation operation, int node, int block, CopyContext context) {
    if (!leavesLoop(node)) {
      readMoved(operation, node, block, context);
    }
  }

  private boolean leavesLoop(int node) {
    int region = unroll.graph().regionAtHead(node);
    return region >= 0 && unroll.graph().region(region).leaves() >= 0;
  }

  /** Adds a read of all slots of those inputs of an operator that an earlier loop has moved. */
  private void readMoved(Operation operation, int node, int block, CopyContext context) {
    Set<String> slots = new LinkedHashSet<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        addSlots(operation.input(i), 2 * node, slots, context);
      }
    }
    if (!slots.isEmpty() && unroll.graph().regionAtHead(node) < 0) {
      unroll.addReaderOfMoved(block, context.index(node));
    }
    addRead(slots, block);
  }

  @Override
  public void atEnd(int block, CopyContext context) {
    Set<String> slots = new LinkedHashSet<>();
    for (Variable variable : unroll.graph().program().variables()) {
      if (unroll.carries().liveness().observation().isObserved(variable.index())) {
        addSlots(variable.index(), ranges.endPoint() - 1, slots, context);
      }
    }
    addRead(slots, block);
  }

  private void addRead(Set<String> slots, int block) {
    if (!slots.isEmpty()) {
      unroll.builder().add(block, OperationBuilder.of(READ_SLOTS).input("X", slots));
    }
  }

  /**
   * Adds all slots of a variable that is read after the loop that moves it, unless its slot is
   * known: in a variant of a later loop.
   */
  private void addSlots(int variable, int point, Set<String> slots, CopyContext context) {
    int web = ranges.webAt(variable, point);
    @Nullable RotationPosition position =
        web < 0 ? null : unroll.carries().position(web, point / 2);
    if (position == null) {
      return;
    }
    int region = position.buffers().region();
    boolean isKnown = context.of(region) != null;
    if (!isKnown && point > 2 * unroll.graph().region(region).exit()) {
      addSlots(position.buffers(), slots, context);
      InitialLocation first = position.first();
      if (first != null) {
        int node = first.copyNode();
        slots.add(unroll.use(names.first(first, node, /* writes= */ false, context)));
      }
    }
  }

  private void addSlots(RotatingBuffers buffers, Set<String> slots, CopyContext context) {
    for (int slot = 0; slot < buffers.length(); slot++) {
      EarlierSlot earlier = unroll.carries().earlierSlot(buffers, slot);
      if (earlier == null) {
        slots.add(unroll.use(names.nameOfSlot(buffers, slot, context)));
      } else {
        addSlots(earlier.buffers(), slots, context);
      }
    }
  }
}
