package dev.sublet.verify.graph;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a program in the order of their numbers: the operators of block 0 in order, where a
 * followed control operator is a head, the nodes of its body, and an exit.
 *
 * <pre>
 *   block 0: fill, while(block 1), relu        nodes: 0 fill, 1 while (head), 2 less_than,
 *   block 1: less_than                                3 while (exit), 4 relu
 * </pre>
 *
 * <p>A control operator is followed if it has exactly one block, no other operator names that
 * block, and, for a gradient operator, the forward block is known. Any other operator with blocks
 * is opaque: one node that touches all variables that its blocks touch. O(operators + variables
 * that opaque blocks touch).
 */
public final class NodeOrder {

  private static final int NOT_RUN = -1;

  private final Program program;
  private final OperatorCatalog catalog;
  private final List<Operation> operations = new ArrayList<>();

  /** By node: the exit of a head, the head of an exit, and -1 for any other node. */
  private final IntList partners = new IntList();

  /** By node: the control kind of a head or exit; meaningless for any other node. */
  private final List<ControlKind> kinds = new ArrayList<>();

  private final int[] headOfBlock;
  private final int[] references;
  private final Map<Integer, ImmutableIntArray> touches = new HashMap<>();

  private NodeOrder(Program program, OperatorCatalog catalog) {
    this.program = program;
    this.catalog = catalog;
    this.headOfBlock = new int[program.blocks().size()];
    Arrays.fill(headOfBlock, NOT_RUN);
    this.references = new int[program.blocks().size()];
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int target : operation.blocks()) {
          references[target]++;
        }
      }
    }
  }

  /** Numbers the operators of a program. O(operators). */
  public static NodeOrder of(Program program, OperatorCatalog catalog) {
    NodeOrder nodes = new NodeOrder(program, catalog);
    nodes.number();
    return nodes;
  }

  /**
   * Numbers depth first with an explicit stack, because a program may nest deeper than Java's
   * stack.
   */
  private void number() {
    ArrayDeque<int[]> open = new ArrayDeque<>(); // block, next operator, head
    open.push(new int[] {0, 0, NOT_RUN});
    while (!open.isEmpty()) {
      int[] top = open.peek();
      Block block = program.block(top[0]);
      if (top[1] < block.operations().size()) {
        Operation operation = block.operations().get(top[1]++);
        int node = append(operation, -1);
        if (isFollowed(operation)) {
          int body = operation.blocks().get(0);
          headOfBlock[body] = node;
          open.push(new int[] {body, 0, node});
        } else if (!operation.blocks().isEmpty()) {
          touches.put(node, touchedOutside(operation));
        }
        continue;
      }
      open.pop();
      if (top[2] != NOT_RUN) {
        int exit = append(operations.get(top[2]), top[2]);
        partners.set(top[2], exit);
      }
    }
  }

  private int append(Operation operation, int partner) {
    operations.add(operation);
    kinds.add(catalog.lookup(operation.type()).control());
    partners.add(partner);
    return operations.size() - 1;
  }

  private boolean isFollowed(Operation operation) {
    ControlKind kind = catalog.lookup(operation.type()).control();
    if (kind == ControlKind.NONE
        || operation.blocks().size() != 1
        || references[operation.blocks().get(0)] != 1) {
      return false;
    }
    Block body = program.block(operation.blocks().get(0));
    return !kind.isGradient() || body.forward() != Block.NONE || isOldGradient(kind, body);
  }

  /** Before Paddle 0.12 a gradient block named its forward block as its parent. */
  private boolean isOldGradient(ControlKind kind, Block body) {
    if (body.parent() == Block.NONE || headOfBlock[body.parent()] == NOT_RUN) {
      return false;
    }
    ControlKind forward = control(headOfBlock[body.parent()]);
    return switch (kind) {
      case WHILE_GRAD -> forward == ControlKind.WHILE;
      case CONDITIONAL_GRAD -> forward == ControlKind.CONDITIONAL;
      case RECURRENT_GRAD -> forward == ControlKind.RECURRENT;
      default -> false;
    };
  }

  private ImmutableIntArray touchedOutside(Operation operation) {
    BitSet inside = new BitSet();
    BitSet touched = new BitSet();
    ArrayDeque<Integer> open = new ArrayDeque<>(operation.blocks());
    while (!open.isEmpty()) {
      int block = open.pop();
      if (inside.get(block)) {
        continue;
      }
      inside.set(block);
      for (Operation inner : program.block(block).operations()) {
        for (int i = 0; i < inner.inputCount(); i++) {
          touch(inner.input(i), touched);
        }
        for (int i = 0; i < inner.outputCount(); i++) {
          touch(inner.output(i), touched);
        }
        open.addAll(inner.blocks());
      }
    }
    IntList outside = new IntList();
    for (int v = touched.nextSetBit(0); v >= 0; v = touched.nextSetBit(v + 1)) {
      if (!inside.get(program.variable(v).block())) {
        outside.add(v);
      }
    }
    return outside.toImmutable();
  }

  private static void touch(int variable, BitSet touched) {
    if (variable != Program.NO_VARIABLE) {
      touched.set(variable);
    }
  }

  /** Returns the program. */
  public Program program() {
    return program;
  }

  /** Returns the number of nodes. */
  public int nodeCount() {
    return operations.size();
  }

  /** Returns the operator of a node; a head and its exit have the same operator. */
  public Operation operation(int node) {
    return operations.get(node);
  }

  /** Whether the node begins a control operator. */
  public boolean isHead(int node) {
    return partners.get(node) > node;
  }

  /** Whether the node ends a control operator. */
  public boolean isExit(int node) {
    return partners.get(node) >= 0 && partners.get(node) < node;
  }

  /** Returns the exit of a head. */
  public int exitOf(int head) {
    return partners.get(head);
  }

  /** Returns the head of an exit. */
  public int headOf(int exit) {
    return partners.get(exit);
  }

  /** Returns the block that a head's operator runs. */
  public int body(int head) {
    return operations.get(head).blocks().get(0);
  }

  /** Returns how the operator of a head or exit runs its block. */
  public ControlKind control(int head) {
    return kinds.get(head);
  }

  /** Whether the operators of the block have nodes. */
  public boolean isRun(int block) {
    return block == 0 || headOfBlock[block] != NOT_RUN;
  }

  /** Returns the head whose body is the block, or -1. */
  public int headOfBlock(int block) {
    return headOfBlock[block];
  }

  /** Returns the variables that the blocks of an opaque operator touch and do not declare. */
  public ImmutableIntArray touches(int node) {
    return isOpaque(node) ? requireNonNull(touches.get(node)) : ImmutableIntArray.of();
  }

  /** Whether the node is an opaque operator. */
  boolean isOpaque(int node) {
    return !touches.isEmpty() && touches.containsKey(node); // without a number object for each node
  }
}
