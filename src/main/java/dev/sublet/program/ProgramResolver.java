package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import com.google.common.primitives.Ints;
import com.google.protobuf.ByteString;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Builds a {@link Program} from a message: declares the variables, then resolves every argument.
 */
final class ProgramResolver {

  private final ProgramDesc message;
  private final List<Variable> variables = new ArrayList<>();
  private final List<Map<String, Integer>> declarations = new ArrayList<>();
  private final int[][] lookupPaths;

  /** Each layout once. */
  private final Map<OperatorLayout, OperatorLayout> layouts = new HashMap<>();

  /** By type as the file has it: the layout of the last operator of the type. */
  private final Map<ByteString, OperatorLayout> lastLayouts = new HashMap<>();

  private ProgramResolver(ProgramDesc message) {
    this.message = message;
    this.lookupPaths = new int[message.getBlocksCount()][];
  }

  static Program resolve(ProgramDesc message) {
    ProgramResolver resolver = new ProgramResolver(message);
    resolver.checkBlocks();
    ImmutableList.Builder<Block> blocks = ImmutableList.builder();
    List<ImmutableList<Variable>> variables = new ArrayList<>();
    for (BlockDesc block : message.getBlocksList()) {
      variables.add(resolver.declare(block));
    }
    for (BlockDesc block : message.getBlocksList()) {
      resolver.lookupPaths[block.getIdx()] = resolver.lookupPath(block.getIdx());
    }
    for (BlockDesc block : message.getBlocksList()) {
      blocks.add(new Block(block, variables.get(block.getIdx()), resolver.operations(block)));
    }
    return new Program(
        message,
        blocks.build(),
        ImmutableList.copyOf(resolver.variables),
        ImmutableList.copyOf(resolver.declarations),
        resolver.lookupPaths);
  }

  private void checkBlocks() {
    int count = message.getBlocksCount();
    if (count == 0) {
      throw ProgramException.unreadable(
          Location.nowhere(), "the program has no block; is this a ProgramDesc?");
    }
    for (int i = 0; i < count; i++) {
      BlockDesc block = message.getBlocks(i);
      if (block.getIdx() != i) {
        throw ProgramException.unreadable(
            Location.block(i), "the block says that its index is " + block.getIdx());
      }
      if (i == 0 && block.getParentIdx() >= 0) {
        throw ProgramException.unreadable(
            Location.block(0), "the entry block has a parent, block " + block.getParentIdx());
      }
      checkBlockIndex(Location.block(i), "the parent", block.getParentIdx());
      checkBlockIndex(Location.block(i), "the forward block", block.getForwardBlockIdx());
      for (int j = 0; j < block.getOpsCount(); j++) {
        OpDesc operation = block.getOps(j);
        for (int k = 0; k < operation.getAttrsCount(); k++) {
          checkBlockAttribute(i, j, operation, operation.getAttrs(k));
        }
      }
    }
    checkAcyclic();
  }

  private void checkBlockAttribute(int block, int index, OpDesc operation, OpDesc.Attr attribute) {
    for (int target : new Attribute(attribute).blocks()) {
      Location place = Location.operation(block, index, operation.getType());
      if (target < 0) {
        throw ProgramException.unreadable(
            place, "attribute '" + attribute.getName() + "' names block " + target);
      }
      checkBlockIndex(place, "attribute '" + attribute.getName() + "'", target);
    }
  }

  private void checkBlockIndex(Location place, String what, int index) {
    if (index >= message.getBlocksCount()) {
      throw ProgramException.unreadable(
          place, what + " is block " + index + ", but the program has " + message.getBlocksCount());
    }
  }

  /**
   * Checks that no block runs inside itself and that no block is its own parent or forward block,
   * directly or not. Depth-first search over both relations.
   */
  private void checkAcyclic() {
    int count = message.getBlocksCount();
    List<int[]> runs = new ArrayList<>();
    List<int[]> looksUp = new ArrayList<>();
    for (BlockDesc block : message.getBlocksList()) {
      List<Integer> inner = new ArrayList<>();
      for (OpDesc operation : block.getOpsList()) {
        for (OpDesc.Attr attribute : operation.getAttrsList()) {
          inner.addAll(new Attribute(attribute).blocks());
        }
      }
      runs.add(Ints.toArray(inner));
      List<Integer> outer = new ArrayList<>();
      if (block.getParentIdx() >= 0) {
        outer.add(block.getParentIdx());
      }
      if (block.getForwardBlockIdx() >= 0) {
        outer.add(block.getForwardBlockIdx());
      }
      looksUp.add(Ints.toArray(outer));
    }
    checkAcyclic(runs, count, "runs inside itself");
    checkAcyclic(looksUp, count, "is its own parent or forward block");
  }

  private static void checkAcyclic(List<int[]> edges, int count, String complaint) {
    BitSet done = new BitSet(count);
    BitSet open = new BitSet(count);
    for (int root = 0; root < count; root++) {
      ArrayDeque<int[]> stack = new ArrayDeque<>();
      if (!done.get(root)) {
        stack.push(new int[] {root, 0});
        open.set(root);
      }
      while (!stack.isEmpty()) {
        int[] top = stack.peek();
        int[] targets = edges.get(top[0]);
        if (top[1] == targets.length) {
          open.clear(top[0]);
          done.set(top[0]);
          stack.pop();
          continue;
        }
        int next = targets[top[1]++];
        if (open.get(next)) {
          throw ProgramException.unreadable(
              Location.block(next), "the blocks form a cycle: the block " + complaint);
        }
        if (!done.get(next)) {
          stack.push(new int[] {next, 0});
          open.set(next);
        }
      }
    }
  }

  private ImmutableList<Variable> declare(BlockDesc block) {
    Map<String, Integer> names = Maps.newHashMapWithExpectedSize(block.getVarsCount());
    ImmutableList.Builder<Variable> declared =
        ImmutableList.builderWithExpectedSize(block.getVarsCount());
    for (VarDesc desc : block.getVarsList()) {
      String name = Names.decode(desc.getNameBytes());
      checkRank(block, name, desc.getType().getLodTensor().getTensor().getDimsCount());
      Variable variable =
          new Variable(desc, new VariableId(block.getIdx(), name), variables.size());
      if (names.put(name, variable.index()) != null) {
        throw ProgramException.unreadable(
            Location.variable(block.getIdx(), Names.display(name)),
            "the block declares this name twice");
      }
      variables.add(variable);
      declared.add(variable);
    }
    declarations.add(names);
    return declared.build();
  }

  private static void checkRank(BlockDesc block, String name, int rank) {
    if (rank > TensorType.MAX_RANK) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          Location.variable(block.getIdx(), Names.display(name)),
          rank + " extents are declared, but a tensor has at most " + TensorType.MAX_RANK);
    }
  }

  private int[] lookupPath(int start) {
    ArrayDeque<Integer> frontier = new ArrayDeque<>();
    BitSet visited = new BitSet();
    List<Integer> path = new ArrayList<>();
    frontier.add(start);
    while (!frontier.isEmpty()) {
      int block = frontier.remove();
      if (visited.get(block)) {
        continue;
      }
      visited.set(block);
      path.add(block);
      BlockDesc desc = message.getBlocks(block);
      if (desc.getForwardBlockIdx() >= 0) {
        frontier.add(desc.getForwardBlockIdx());
      }
      if (desc.getParentIdx() >= 0) {
        frontier.add(desc.getParentIdx());
      }
    }
    return Ints.toArray(path);
  }

  private ImmutableList<Operation> operations(BlockDesc block) {
    ImmutableList.Builder<Operation> operations =
        ImmutableList.builderWithExpectedSize(block.getOpsCount());
    for (int i = 0; i < block.getOpsCount(); i++) {
      OpDesc written = block.getOps(i);
      OperatorLayout layout = lastLayouts.get(written.getTypeBytes());
      OpDesc operation = written;
      // No layout has a slot twice, so an operator of a known layout needs no joining.
      if (layout == null || !layout.isOf(written)) {
        operation = RepeatedSlots.join(written);
        layout = layout(operation);
      }
      Operation.Arguments arguments =
          new Operation.Arguments(
              layout,
              resolve(block, i, operation.getInputsList(), layout.inputs()),
              resolve(block, i, operation.getOutputsList(), layout.outputs()));
      operations.add(new Operation(written, operation, block.getIdx(), i, arguments));
    }
    return operations.build();
  }

  private OperatorLayout layout(OpDesc operation) {
    OperatorLayout layout =
        layouts.computeIfAbsent(OperatorLayout.of(operation), Function.identity());
    lastLayouts.put(operation.getTypeBytes(), layout);
    return layout;
  }

  private int[] resolve(BlockDesc block, int index, List<OpDesc.Var> slots, SlotLayout layout) {
    int[] arguments = new int[layout.argumentCount()];
    int next = 0;
    for (OpDesc.Var slot : slots) {
      for (int i = 0; i < slot.getArgumentsCount(); i++) {
        arguments[next++] = resolve(block, index, slot, i);
      }
    }
    return arguments;
  }

  private int resolve(BlockDesc block, int index, OpDesc.Var slot, int i) {
    String name = Operation.argumentName(slot, i);
    if (name.isEmpty() || name.equals(Names.EMPTY)) {
      return Program.NO_VARIABLE;
    }
    for (int candidate : lookupPaths[block.getIdx()]) {
      Integer found = declarations.get(candidate).get(name);
      if (found != null) {
        return found;
      }
    }
    throw ProgramException.unreadable(
        Location.operation(block.getIdx(), index, block.getOps(index).getType())
            .at(Names.display(name)),
        "slot '"
            + slot.getParameter()
            + "' names a variable that neither the block nor any block around it declares");
  }
}
