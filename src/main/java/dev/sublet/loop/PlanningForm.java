package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
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
 * A program to plan, not to run: behind a loop a variable that moves is in any of its places, so
 * whoever reads it there reads them all.
 */
final class PlanningForm implements LoopForm {

  /** Reads all places of a variable. No catalog knows it: it is taken to read its inputs. */
  static final String READ_PLACES = "sublet_read_places";

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
   * Reads what the loop's operator reads, as this copy calls it. That of a first iteration by
   * itself stands where the loop stood, so that it also writes what the loop's operator writes: a
   * result that nobody reads has a place behind it, too.
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

  /** The value that it would copy is there still, so that it makes no difference if it runs. */
  @Override
  public void insteadOf(Operation copy, int node, int block, CopyContext context) {
    context.put(node, block, unroll.builder().operationCount(block));
    String source = names.name(copy.input(0), node, /* writes= */ false, context);
    addRead(Set.of(unroll.use(source)), block);
  }

  /** Nothing may follow an operator that ends a loop by being skipped, or it would not end it. */
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

  private void readMoved(Operation operation, int node, int block, CopyContext context) {
    Set<String> places = new LinkedHashSet<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        addPlaces(operation.input(i), 2 * node, places, context);
      }
    }
    if (!places.isEmpty() && unroll.graph().regionAtHead(node) < 0) {
      unroll.addReaderOfMoved(block, context.index(node));
    }
    addRead(places, block);
  }

  @Override
  public void atEnd(int block, CopyContext context) {
    Set<String> places = new LinkedHashSet<>();
    for (Variable variable : unroll.graph().program().variables()) {
      if (unroll.carries().liveness().observation().isObserved(variable.index())) {
        addPlaces(variable.index(), ranges.endPoint() - 1, places, context);
      }
    }
    addRead(places, block);
  }

  private void addRead(Set<String> places, int block) {
    if (!places.isEmpty()) {
      unroll.builder().add(block, OperationBuilder.of(READ_PLACES).input("X", places));
    }
  }

  /** Adds all places of a variable that is read behind the loop that moves it. */
  private void addPlaces(int variable, int point, Set<String> places, CopyContext context) {
    int web = ranges.webAt(variable, point);
    @Nullable RotationPosition position = web < 0 ? null : unroll.carries().position(web);
    if (position != null && point > 2 * unroll.graph().region(position.buffers().region()).exit()) {
      for (int place = 0; place < position.buffers().length(); place++) {
        places.add(unroll.use(names.place(position.buffers(), place, context)));
      }
      InitialLocation first = position.first();
      if (first != null) {
        int node = first.copyNode();
        places.add(unroll.use(names.first(first, node, /* writes= */ false, context)));
      }
    }
  }
}
