package dev.sublet.loop.unroll;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.RotatingBuffers;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the program with repeated loop bodies, see {@link UnrolledProgram}. Copy 0 of a body stays
 * in the body's block; the blocks of the other copies come after all blocks of the program.
 */
final class UnrollLoops {

  /** A variable of the new program. */
  record NewName(int block, String name) {}

  /** An operator of the new program. */
  record Position(int block, int index) {}

  private final LoopCarriedValues carries;
  private final ControlFlowGraph graph;
  private final Program program;
  private final UnrolledNames names;
  private final LoopForm form;
  private final ProgramBuilder builder;
  private final List<CopyContext> contexts = new ArrayList<>();
  private final Set<String> used = new HashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<Position> readersOfMoved = new ArrayList<>();

  /** The original variable of each new one. */
  private final Map<NewName, Integer> originals = new HashMap<>();

  /** The node, or the head, of the original operator of each new one that is a copy. */
  private final Map<Position, Integer> copied = new HashMap<>();

  /** The head of each control operator with followed blocks, and the node of any other operator. */
  private final Map<Operation, Integer> nodes = new HashMap<>();

  private UnrollLoops(LoopCarriedValues carries, LoopForm.Maker form) {
    this.carries = carries;
    this.graph = carries.liveness().graph();
    this.program = graph.program();
    this.names = new UnrolledNames(carries);
    this.builder = ProgramBuilder.copyOf(program);
    for (int node = graph.nodeCount() - 1; node >= 0; node--) {
      nodes.put(graph.operation(node), node);
    }
    this.form = form.make(this);
  }

  /** Writes a program. O(size of the result). */
  static UnrolledProgram unroll(LoopCarriedValues carries, LoopForm.Maker form) {
    UnrollLoops unroll = new UnrollLoops(carries, form);
    Program unrolled = unroll.write();
    return new UnrolledProgram(
        unrolled,
        new UnrolledMap(carries, unroll.names, unroll.contexts, unroll.originals, unroll.copied),
        ImmutableSet.copyOf(unroll.notes),
        unroll.readersOfMoved(unrolled));
  }

  private ImmutableSet<Operation> readersOfMoved(Program unrolled) {
    ImmutableSet.Builder<Operation> readers = ImmutableSet.builder();
    for (Position position : readersOfMoved) {
      readers.add(unrolled.block(position.block()).operations().get(position.index()));
    }
    return readers.build();
  }

  private Program write() {
    CopyContext root = CopyContext.ofProgram(graph.nodeCount());
    contexts.add(root);
    fill(0, 0, root);
    form.atEnd(0, root);
    for (Block block : program.blocks()) {
      if (graph.regionOfBlock(block.index()) < 0) {
        useAll(block);
      }
    }
    return builder.build(this::isDeclared);
  }

  /**
   * Records the names that a block uses that is not followed. Such a block stays as it is, because
   * it is not known how it runs.
   */
  private void useAll(Block block) {
    for (Operation operation : block.operations()) {
      for (Slot slot : Iterables.concat(operation.inputSlots(), operation.outputSlots())) {
        for (int i = 0; i < slot.size(); i++) {
          used.add(slot.argument(i));
        }
      }
    }
  }

  /** Writes a copy of a block's variables and operators into a block. */
  private void fill(int source, int target, CopyContext context) {
    builder.clear(target);
    declare(source, target, context);
    for (Operation operation : program.block(source).operations()) {
      write(operation, target, context);
    }
  }

  private void declare(int source, int target, CopyContext context) {
    int firstPhase = carries.firstPhase(context.region);
    boolean isFirst = context.region == 0 || context.phase == firstPhase;
    boolean isBody = graph.regionOfBlock(source) == context.region;
    for (Variable variable : program.block(source).variables()) {
      int index = variable.index();
      if (isFirst || !isBody || !names.isShared(index)) {
        declare(target, index, names.plain(index, context));
      }
    }
    for (RotatingBuffers buffers : carries.allBuffers()) {
      if (program.variable(buffers.model()).block() == source) {
        for (int slot = 0; slot < buffers.length(); slot++) {
          if (buffers.bases()[slot] < 0 && carries.earlierSlot(buffers, slot) == null) {
            declare(target, buffers.model(), names.nameOfSlot(buffers, slot, context));
          }
        }
      }
    }
  }

  private void declare(int target, int variable, String name) {
    builder.declare(target, name, program.variable(variable));
    originals.put(new NewName(target, name), variable);
  }

  private void write(Operation operation, int target, CopyContext context) {
    int node = requireNonNull(nodes.get(operation));
    if (carries.isRemoved(node)) {
      form.insteadOf(operation, node, target, context);
      return;
    }
    form.before(operation, node, target, context);
    int region = graph.regionAtHead(node);
    if (region >= 0 && !carries.earlierLoops(region).isEmpty()) {
      writeVariants(operation, graph.region(region), target, context);
    } else if (region >= 0) {
      writeControl(operation, graph.region(region), target, context);
    } else {
      context.put(node, target, builder.operationCount(target));
      noteCopy(node, target);
      builder.add(target, renamed(operation, node, node, context));
    }
    form.after(operation, node, target, context);
  }

  /**
   * Writes a loop once for each of the ways in which earlier loops may have left its variables.
   * Each variant is in a block that may be skipped, since only one of them runs.
   */
  private void writeVariants(Operation operation, Region loop, int target, CopyContext outer) {
    int first = builder.operationCount(target);
    List<CopyContext> variants = variants(loop, outer);
    for (int i = 0; i < variants.size(); i++) {
      boolean isOriginal = i == 0 && target == operation.block();
      if (isOriginal) {
        clearBodies(loop);
      }
      int block = isOriginal ? loop.block() : builder.addBlock(target);
      builder.add(target, form.variant(loop, block, i == variants.size() - 1, outer));
      writeControl(operation, loop, block, variants.get(i));
    }
    outer.put(loop.head(), target, first);
    outer.put(loop.exit(), target, builder.operationCount(target) - 1);
  }

  /** Empties the body of a loop and the bodies inside it: its variants have blocks of their own. */
  private void clearBodies(Region loop) {
    for (Region region : graph.regions()) {
      if (loop.head() <= region.head() && region.exit() <= loop.exit()) {
        builder.clear(region.block());
      }
    }
  }

  /** The contexts of a loop's variants: one for each combination of phases of earlier loops. */
  private List<CopyContext> variants(Region loop, CopyContext outer) {
    List<CopyContext> variants = List.of(outer);
    for (int earlier : carries.earlierLoops(loop.index())) {
      List<CopyContext> next = new ArrayList<>();
      for (CopyContext each : variants) {
        for (int phase = carries.firstPhase(earlier); phase < carries.repeat(earlier); phase++) {
          next.add(CopyContext.ofVariant(each, earlier, phase, loop));
        }
      }
      contexts.addAll(next);
      variants = next;
    }
    return variants;
  }

  private void writeControl(Operation operation, Region region, int target, CopyContext context) {
    boolean repeats = carries.isRepeated(region.index());
    if (repeats) {
      form.beforeLoop(region, target, context);
    }
    OperationBuilder copy = renamed(operation, region.head(), region.exit(), context);
    int inner = target == operation.block() ? region.block() : builder.addBlock(target);
    copy.withBlocks(block -> block == region.block() ? inner : block);
    if (carries.hasInitialLocation(region.index())) {
      writeFirstIteration(region, copy, target, inner, context);
      return;
    }
    int index = builder.operationCount(target);
    noteCopy(region.head(), target);
    builder.add(target, copy);
    context.put(region.head(), target, index);
    context.put(region.exit(), target, index);
    if (repeats) {
      repeat(region, inner, target, index, context);
      form.finishLoop(region, copy, context);
      builder.replace(target, index, copy);
      form.afterLoop(region, target, context);
    } else {
      fill(region.block(), inner, context);
    }
  }

  /** Writes the first iteration as a conditional block, and after it, in that block, the loop. */
  private void writeFirstIteration(
      Region loop, OperationBuilder copy, int target, int inner, CopyContext outer) {
    CopyContext first = CopyContext.ofBody(outer, loop, /* phase= */ -1);
    contexts.add(first);
    int index = builder.operationCount(target);
    builder.add(target, form.entry(loop, target, inner, first));
    outer.put(loop.head(), target, index);
    outer.put(loop.exit(), target, index);
    first.setEntry(target, index);
    fill(loop.block(), inner, first);
    int body = builder.addBlock(inner);
    copy.withBlocks(block -> block == inner ? body : block);
    int loopIndex = builder.operationCount(inner);
    noteCopy(loop.head(), inner);
    builder.add(inner, copy);
    repeat(loop, body, inner, loopIndex, outer);
  }

  /** Writes all copies of a loop's body, each but the first in a block inside the one before it. */
  private void repeat(Region loop, int first, int loopBlock, int loopIndex, CopyContext outer) {
    int block = first;
    for (int phase = 0; phase < carries.repeat(loop.index()); phase++) {
      CopyContext context = CopyContext.ofBody(outer, loop, phase);
      contexts.add(context);
      if (phase == 0) {
        context.setEntry(loopBlock, loopIndex);
      } else {
        int next = builder.addBlock(block);
        context.setEntry(block, builder.operationCount(block));
        builder.add(block, form.entry(loop, block, next, context));
        block = next;
      }
      fill(loop.block(), block, context);
      form.endOfCopy(loop, block, context);
    }
  }

  /** Records that the next operator of a block is a copy of an original operator. */
  private void noteCopy(int node, int target) {
    copied.put(new Position(target, builder.operationCount(target)), node);
  }

  private OperationBuilder renamed(Operation operation, int head, int exit, CopyContext context) {
    return OperationBuilder.copyOf(
        program,
        operation,
        variable -> use(names.name(variable, head, /* writes= */ false, context)),
        variable -> use(names.name(variable, exit, /* writes= */ true, context)));
  }

  /**
   * Whether a declaration stays. It goes if all accesses of its variable in the original are gone.
   */
  private boolean isDeclared(int block, String name) {
    Integer original = originals.get(new NewName(block, name));
    return original == null
        || used.contains(name)
        || !graph.accesses().isAccessed(original)
        || program.variable(original).kind() != Variable.Kind.TENSOR
        || program.variable(original).isPersistable();
  }

  /** The name of a loop's condition in the block around the loop. */
  String condition(Region loop, CopyContext outer) {
    Operation operation = graph.operation(loop.head());
    int position = operation.firstInput("Condition");
    if (position < 0) {
      throw new IllegalStateException(operation + " has no condition");
    }
    return use(names.name(operation.input(position), loop.head(), /* writes= */ false, outer));
  }

  /** Records that a name is used, and returns the name. */
  String use(String name) {
    used.add(name);
    return name;
  }

  /** Records a variable in which a loop writes how it was left. */
  void addNote(String name) {
    notes.add(name);
  }

  /**
   * Records an operator that reads, after a loop, a value that the loop may have left in several
   * slots.
   */
  void addReaderOfMoved(int block, int index) {
    readersOfMoved.add(new Position(block, index));
  }

  LoopCarriedValues carries() {
    return carries;
  }

  ControlFlowGraph graph() {
    return graph;
  }

  UnrolledNames names() {
    return names;
  }

  ProgramBuilder builder() {
    return builder;
  }
}
