package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Builds the graph in one walk over the blocks in nesting order: numbers the nodes, opens a region
 * for each block that is followed, and collects accesses and pinned variables.
 */
final class GraphBuilder {

  private final Program program;
  private final OperatorCatalog catalog;
  private final Predicate<Operation> mayBeEmpty;
  private final int[] blockReferences;
  private final int[] regionOfBlock;
  private final List<Region> regions = new ArrayList<>();
  private final List<Operation> operations = new ArrayList<>();
  private final AccessCollector accesses;
  private final PinnedVariables pinned;
  private final ImplicitAccesses implicit;
  private final ImmutableIntArray.Builder regionOfNode = ImmutableIntArray.builder(1024);
  private final ImmutableIntArray.Builder regionAtHead = ImmutableIntArray.builder(1024);

  private GraphBuilder(Program program, OperatorCatalog catalog, Predicate<Operation> mayBeEmpty) {
    this.program = program;
    this.catalog = catalog;
    this.mayBeEmpty = mayBeEmpty;
    this.blockReferences = new int[program.blocks().size()];
    this.regionOfBlock = new int[program.blocks().size()];
    Arrays.fill(regionOfBlock, -1);
    this.accesses = new AccessCollector(program.variableCount());
    this.pinned = new PinnedVariables(program.variableCount());
    this.implicit = new ImplicitAccesses(program, accesses, pinned);
  }

  /**
   * Builds the graph.
   *
   * @throws ProgramException if a gradient operator comes before its forward operator, or a loop
   *     does not have exactly one condition
   */
  static ControlFlowGraph build(
      Program program, OperatorCatalog catalog, Predicate<Operation> mayBeEmpty) {
    GraphBuilder builder = new GraphBuilder(program, catalog, mayBeEmpty);
    builder.countBlockReferences();
    builder.regionOfBlock[0] = 0;
    builder.regions.add(new Region(0, -1, -1, 0, 0, ControlKind.NONE, false, -1, -1));
    builder.walk(program.block(0), 0);
    builder.close(0);
    builder.checkGradientOrder();
    builder.pinUnreachable();
    builder.pinGradientSharing();
    return builder.finish();
  }

  private void countBlockReferences() {
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int target : operation.blocks()) {
          blockReferences[target]++;
        }
      }
    }
  }

  private void walk(Block block, int region) {
    for (Operation operation : block.operations()) {
      pinAttributeNames(operation);
      OperatorSpec spec = catalog.lookup(operation.type());
      ImmutableList<Integer> blocks = operation.blocks();
      if (isFollowed(spec.control(), blocks)) {
        walkControl(operation, spec, program.block(blocks.get(0)), region);
      } else {
        walkStraight(operation, spec, blocks, region);
      }
    }
  }

  private boolean isFollowed(ControlKind kind, ImmutableList<Integer> blocks) {
    if (kind == ControlKind.NONE || blocks.size() != 1 || blockReferences[blocks.get(0)] != 1) {
      return false;
    }
    return !kind.isGradient() || forwardBlock(kind, program.block(blocks.get(0))) != Block.NONE;
  }

  /** The forward block of a gradient block. Before version 0.12 it was the parent block. */
  private int forwardBlock(ControlKind kind, Block gradient) {
    if (gradient.forward() != Block.NONE) {
      return gradient.forward();
    }
    int parent = gradient.parent();
    if (parent == Block.NONE || regionOfBlock[parent] <= 0) {
      return Block.NONE;
    }
    ControlKind forward = regions.get(regionOfBlock[parent]).kind();
    boolean matches =
        switch (kind) {
          case WHILE_GRAD -> forward == ControlKind.WHILE;
          case CONDITIONAL_GRAD -> forward == ControlKind.CONDITIONAL;
          case RECURRENT_GRAD -> forward == ControlKind.RECURRENT;
          default -> false;
        };
    return matches ? parent : Block.NONE;
  }

  /** Rejects a gradient operator before its forward operator, whose scopes it needs. */
  private void checkGradientOrder() {
    for (Region region : regions) {
      if (region.kind().isGradient() && region.forward() < 0) {
        int forward = forwardBlock(region.kind(), program.block(region.block()));
        if (forward != Block.NONE && regionOfBlock[forward] > 0) {
          throw ProgramException.unreadable(
              operations.get(region.head()).location(),
              "runs before the operator of block "
                  + forward
                  + ", whose gradient it computes: put it after that operator");
        }
      }
    }
  }

  private int addNode(Operation operation, int region, int atHead) {
    int node = operations.size();
    operations.add(operation);
    regionOfNode.add(region);
    regionAtHead.add(atHead);
    return node;
  }

  private void walkStraight(
      Operation operation, OperatorSpec spec, ImmutableList<Integer> blocks, int region) {
    int node = addNode(operation, region, -1);
    readInputs(operation, spec, node);
    writeInputs(operation, spec, node);
    boolean feed = operation.type().equals("feed") && operation.block() == 0;
    boolean isEmpty = spec.effects().dependOnElements() && mayBeEmpty.test(operation);
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE) {
        // A feed has its value before the program starts, so the operator is an update.
        Effect effect =
            feed
                ? Effect.READ_WRITE
                : spec.effects().on(operation.slotOfOutput(i), isArray(variable), isEmpty);
        accesses.add(variable, node, flags(effect));
      }
    }
    if (spec.aliases(program.version())) {
      pinAliases(operation);
    }
    if (operation.type().equals("feed")) {
      pinFedLists(operation);
      if (operation.block() != 0) {
        // Paddle 2.3.2 does not run it, so no run can judge whether another name is right.
        pinAll(operation, "a feed inside a block");
      }
    }
    if (operation.type().equals("delete_var")) {
      pinAll(operation, "the program deletes it by name (delete_var)");
    }
    if (!blocks.isEmpty()) {
      touchOpaqueBlocks(operation, blocks, node);
    }
  }

  /**
   * Pins the list of feeds, whatever its declared type: the runtime looks it up by name to fill it.
   */
  private void pinFedLists(Operation operation) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        pinned.pin(operation.input(i), "a feed operator reads it");
      }
    }
  }

  private boolean isArray(int variable) {
    return program.variable(variable).kind() == Variable.Kind.TENSOR_ARRAY;
  }

  private void writeInputs(Operation operation, OperatorSpec spec, int node) {
    for (String name : spec.writtenInputs()) {
      Slot slot = operation.inputSlot(name).orElse(null);
      for (int i = 0; slot != null && i < slot.size(); i++) {
        if (slot.variable(i) != Program.NO_VARIABLE) {
          accesses.add(slot.variable(i), node, flags(Effect.READ_WRITE));
          pinned.pinUnplanned(slot.variable(i), "is changed by its reader " + operation.type());
        }
      }
    }
  }

  private static int flags(Effect effect) {
    return switch (effect) {
      case MUST_WRITE -> AccessTable.WRITE | AccessTable.KILL;
      case MAY_WRITE -> AccessTable.WRITE;
      case READ_WRITE -> AccessTable.READ | AccessTable.WRITE;
    };
  }

  private void readInputs(Operation operation, OperatorSpec spec, int node) {
    if (spec.noNeedBuffer().isEmpty()) {
      for (int i = 0; i < operation.inputCount(); i++) {
        if (operation.input(i) != Program.NO_VARIABLE) {
          accesses.add(operation.input(i), node, AccessTable.READ);
        }
      }
      return;
    }
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        boolean shapeOnly = spec.noNeedBuffer().contains(operation.slotOfInput(i));
        int flags = AccessTable.READ | (shapeOnly ? AccessTable.SHAPE_ONLY : 0);
        accesses.add(operation.input(i), node, flags);
      }
    }
  }

  private void walkControl(Operation operation, OperatorSpec spec, Block body, int region) {
    ControlKind kind = spec.control();
    if (kind == ControlKind.WHILE
        && ConditionIndex.onlyInput(operation, "Condition") == Program.NO_VARIABLE) {
      throw ProgramException.unreadable(
          operation.location(), "slot 'Condition' of a loop must name exactly one variable");
    }
    int forward = -1;
    if (kind.isGradient()) {
      int runs = regionOfBlock[forwardBlock(kind, body)];
      if (runs > 0) {
        forward = runs;
        regions.set(forward, regions.get(forward).withScopesKept());
      }
    }
    int index = regions.size();
    int head = addNode(operation, region, index);
    regions.add(new Region(index, region, head, -1, body.index(), kind, false, forward, -1));
    regionOfBlock[body.index()] = index;
    readControlInputs(operation, spec, head);
    implicit.add(operation, kind, body, head);
    walk(body, index);
    int exit = addNode(operation, region, index);
    close(index);
    if (ExitConditionals.endsWithOne(body, operation, kind)) {
      // If the exit conditional is skipped, the loop reads its condition once more before it ends.
      int condition = ConditionIndex.onlyInput(operation, "Condition");
      accesses.add(condition, exit, AccessTable.READ | AccessTable.IMPLICIT);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        accesses.add(operation.output(i), exit, AccessTable.WRITE);
      }
    }
    implicit.add(operation, kind, body, exit);
  }

  /**
   * Adds the reads of a control operator's input slots. An input that is also an output is the
   * value of an earlier iteration; such a read is implicit, so that it does not make the variable a
   * feed.
   */
  private void readControlInputs(Operation operation, OperatorSpec spec, int head) {
    Set<Integer> outputs = new HashSet<>();
    for (int i = 0; i < operation.outputCount(); i++) {
      outputs.add(operation.output(i));
    }
    for (Slot slot : operation.inputSlots()) {
      boolean shapeOnly = spec.noNeedBuffer().contains(slot.name());
      int flags = AccessTable.READ | (shapeOnly ? AccessTable.SHAPE_ONLY : 0);
      for (int i = 0; i < slot.size(); i++) {
        int input = slot.variable(i);
        if (input != Program.NO_VARIABLE) {
          int implicitly = outputs.contains(input) ? AccessTable.IMPLICIT : 0;
          accesses.add(input, head, flags | implicitly);
        }
      }
    }
  }

  /** Sets the exit of a region: the latest node, or the end of the program for region 0. */
  private void close(int index) {
    int exit = index == 0 ? operations.size() : operations.size() - 1;
    regions.set(index, regions.get(index).withExit(exit));
  }

  private void pinAttributeNames(Operation operation) {
    for (AttributeReference reference : program.attributeReferences(operation)) {
      if (!reference.renamable()) {
        pinned.pin(
            reference.variable(),
            "attribute '"
                + reference.attribute()
                + "' of an operator '"
                + operation.type()
                + "' holds its name");
      }
    }
  }

  private void pinAliases(Operation operation) {
    String reason = "shares its buffer at run time (" + operation.type() + ")";
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        pinned.alias(operation.input(i), reason);
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        pinned.alias(operation.output(i), reason);
      }
    }
  }

  private void touchOpaqueBlocks(Operation operation, ImmutableList<Integer> blocks, int node) {
    String reason = "used in a block of an operator '" + operation.type() + "'";
    List<Integer> pending = new ArrayList<>(blocks);
    boolean[] seen = new boolean[program.blocks().size()];
    while (!pending.isEmpty()) {
      int index = pending.remove(pending.size() - 1);
      if (seen[index]) {
        continue;
      }
      seen[index] = true;
      for (Operation inner : program.block(index).operations()) {
        pending.addAll(inner.blocks());
        for (int i = 0; i < inner.inputCount(); i++) {
          touch(inner.input(i), node, reason);
        }
        for (int i = 0; i < inner.outputCount(); i++) {
          touch(inner.output(i), node, reason);
        }
        for (AttributeReference reference : program.attributeReferences(inner)) {
          touch(reference.variable(), node, reason);
        }
      }
    }
  }

  private void touch(int variable, int node, String reason) {
    if (variable != Program.NO_VARIABLE) {
      pinned.keep(variable, reason);
      accesses.add(variable, node, AccessTable.READ | AccessTable.WRITE);
    }
  }

  /** Pins the variables that blocks which are not followed declare or name. */
  private void pinUnreachable() {
    for (Block block : program.blocks()) {
      if (regionOfBlock[block.index()] >= 0) {
        continue;
      }
      String reason = "declared in a block that no operator is known to run";
      for (Variable variable : block.variables()) {
        pinned.pinUnplanned(variable.index(), reason);
      }
      for (Operation operation : block.operations()) {
        pinAll(operation, "named in a block that no operator is known to run");
      }
    }
  }

  private void pinAll(Operation operation, String reason) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        pinned.pin(operation.input(i), reason);
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        pinned.pin(operation.output(i), reason);
      }
    }
    for (AttributeReference reference : program.attributeReferences(operation)) {
      pinned.pin(reference.variable(), reason);
    }
  }

  /**
   * Pins the names that both a forward body and its gradient body declare: the bodies share a
   * scope, so both declarations are one variable at run time.
   */
  private void pinGradientSharing() {
    for (Region region : regions) {
      if (!region.kind().isGradient() || region.forward() <= 0) {
        continue;
      }
      int forwardBlock = regions.get(region.forward()).block();
      for (Variable variable : program.block(region.block()).variables()) {
        int twin = program.declared(forwardBlock, variable.name());
        if (twin != Program.NO_VARIABLE) {
          String reason = "declared in both a forward block and its gradient block";
          pinned.pinUnplanned(variable.index(), reason);
          pinned.pinUnplanned(twin, reason);
        }
      }
    }
  }

  private ControlFlowGraph finish() {
    AccessTable table = accesses.build();
    ExitConditionals.mark(program, operations, regions);
    ControlFlowGraph graph =
        graph(table, new ExclusiveBranches(ImmutableMap.of(), ImmutableList.of()));
    KeptLocals.find(graph);
    return graph(table, ExclusiveBranchFinder.find(graph));
  }

  private ControlFlowGraph graph(AccessTable table, ExclusiveBranches exclusive) {
    RegionTable regionTable =
        new RegionTable(
            ImmutableList.copyOf(regions),
            ImmutableIntArray.copyOf(regionOfBlock),
            regionOfNode.build(),
            regionAtHead.build());
    return new ControlFlowGraph(
        program, regionTable, operations.toArray(new Operation[0]), table, pinned, exclusive);
  }
}
