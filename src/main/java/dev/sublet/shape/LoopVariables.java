package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.Arrays;

/**
 * The variables that only one loop accesses, and the variables that each loop shares with the rest
 * of the program.
 *
 * <pre>
 *   while 1 { t = relu(a); while 2 { u = relu(t); a = relu(u) } }
 *
 *   t is local to loop 1, u is local to loop 2; loop 1 shares a, loop 2 shares t and a
 * </pre>
 */
final class LoopVariables {

  private static final int NONE = -1;

  private final Program program;
  private final OperatorCatalog catalog;

  /** By block: the number of operators that name it. */
  private final int[] references;

  /** By block: the variables of its arguments, and the variables that the runtime links to them. */
  private final ImmutableIntArray.Builder[] touches;

  /** By variable: the number of its occurrences in {@link #touches}. */
  private final int[] totals;

  /**
   * By block: the accessed variables, nested blocks included, that are not local to this block or
   * to a loop inside; in {@link #counts}, the number of occurrences of each.
   */
  private final ImmutableIntArray[] shared;

  private final ImmutableIntArray[] counts;

  /** By block: whether it, or a block that it runs, contains an operator that is not followed. */
  private final boolean[] isOpaque;

  /** By variable: the body of the innermost loop with all its accesses, or {@link #NONE}. */
  private final int[] homes;

  private LoopVariables(Program program, OperatorCatalog catalog) {
    this.program = program;
    this.catalog = catalog;
    int blocks = program.blocks().size();
    references = new int[blocks];
    touches = new ImmutableIntArray.Builder[blocks];
    totals = new int[program.variableCount()];
    shared = new ImmutableIntArray[blocks];
    counts = new ImmutableIntArray[blocks];
    isOpaque = new boolean[blocks];
    homes = new int[program.variableCount()];
    Arrays.setAll(touches, block -> ImmutableIntArray.builder());
    Arrays.fill(homes, NONE);
  }

  /** Finds the variables of all loops. O(arguments + variables that each loop shares). */
  static LoopVariables find(Program program, OperatorCatalog catalog) {
    LoopVariables variables = new LoopVariables(program, catalog);
    for (Block block : program.blocks()) {
      block.operations().forEach(variables::countReferences);
    }
    for (Block block : program.blocks()) {
      block.operations().forEach(variables::touch);
    }
    for (ImmutableIntArray.Builder touches : variables.touches) {
      touches.build().forEach(variable -> variables.totals[variable]++);
    }
    variables.shareFromInside();
    return variables;
  }

  private void countReferences(Operation operation) {
    operation.blocks().forEach(target -> references[target]++);
  }

  /**
   * The block of an operator, if the block is followed: the operator is the only one that names it,
   * and the catalog knows how it runs; else -1.
   */
  int body(Operation operation) {
    ImmutableList<Integer> blocks = operation.blocks();
    boolean isFollowed =
        blocks.size() == 1
            && references[blocks.get(0)] == 1
            && catalog.lookup(operation.type()).control() != ControlKind.NONE;
    return isFollowed ? blocks.get(0) : NONE;
  }

  /** Whether a loop, but no loop inside it, contains all accesses of a variable. */
  boolean isLocal(int variable, int body) {
    return body != NONE && homes[variable] == body;
  }

  /**
   * Whether a loop is followed, and its body, nested blocks included, contains only operators whose
   * blocks are followed.
   */
  boolean isClosed(int body) {
    return body != NONE && !isOpaque[body];
  }

  /** The variables that both a loop and the rest of the program access. */
  ImmutableIntArray shared(int body) {
    return shared[body];
  }

  private void touch(Operation operation) {
    touchArguments(operation, operation.block());
    int body = body(operation);
    if (body == NONE) {
      return;
    }
    switch (catalog.lookup(operation.type()).control()) {
      case WHILE_GRAD, RECURRENT, RECURRENT_GRAD -> {
        touchArguments(operation, body);
        touchLinks(operation, body);
      }
      case WHILE, CONDITIONAL, CONDITIONAL_GRAD, NONE -> {}
    }
  }

  private void touchArguments(Operation operation, int block) {
    for (int i = 0; i < operation.inputCount(); i++) {
      touch(operation.input(i), block);
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      touch(operation.output(i), block);
    }
  }

  private void touch(int variable, int block) {
    if (variable != Program.NO_VARIABLE) {
      touches[block].add(variable);
    }
  }

  /** Adds the variables that {@link BodyLinks} may link by name, inside and outside the body. */
  private void touchLinks(Operation operation, int body) {
    for (Attribute attribute : operation.attributes()) {
      for (String name : attribute.strings()) {
        touchLink(program.resolve(body, name), operation, body);
        touchLink(program.resolve(body, name + "@GRAD"), operation, body);
      }
    }
    for (Slot slot : Iterables.concat(operation.inputSlots(), operation.outputSlots())) {
      for (int i = 0; i < slot.size(); i++) {
        touchLink(program.declared(body, slot.argument(i)), operation, body);
      }
    }
  }

  private void touchLink(int variable, Operation operation, int body) {
    touch(variable, operation.block());
    touch(variable, body);
  }

  private void shareFromInside() {
    int[] inside = new int[program.variableCount()];
    int[] order = new int[program.blocks().size()];
    boolean[] isLoop = new boolean[order.length];
    int count = 1;
    for (int next = 0; next < count; next++) {
      for (Operation operation : program.block(order[next]).operations()) {
        int body = body(operation);
        if (body != NONE) {
          isLoop[body] = catalog.lookup(operation.type()).control().isLoop();
          order[count++] = body;
        }
      }
    }
    for (int i = count - 1; i >= 0; i--) {
      share(program.block(order[i]), isLoop[order[i]], inside);
    }
  }

  /**
   * Counts the accesses of a block and of the blocks that it runs. If the block is the body of a
   * loop, the variables with no other accesses become local to the loop.
   *
   * @param inside scratch space by variable; all zeros before and after the call
   */
  private void share(Block block, boolean isLoop, int[] inside) {
    int index = block.index();
    ImmutableIntArray.Builder found = ImmutableIntArray.builder();
    ImmutableIntArray own = touches[index].build();
    for (int i = 0; i < own.length(); i++) {
      add(own.get(i), 1, inside, found);
    }
    for (Operation operation : block.operations()) {
      int body = body(operation);
      isOpaque[index] |= body == NONE ? !operation.blocks().isEmpty() : isOpaque[body];
      for (int i = 0; body != NONE && i < shared[body].length(); i++) {
        add(shared[body].get(i), counts[body].get(i), inside, found);
      }
    }
    ImmutableIntArray.Builder rest = ImmutableIntArray.builder();
    ImmutableIntArray.Builder restCounts = ImmutableIntArray.builder();
    found
        .build()
        .forEach(
            variable -> {
              if (isLoop && inside[variable] == totals[variable]) {
                homes[variable] = index;
              } else {
                rest.add(variable);
                restCounts.add(inside[variable]);
              }
              inside[variable] = 0;
            });
    shared[index] = rest.build();
    counts[index] = restCounts.build();
  }

  private static void add(int variable, int count, int[] inside, ImmutableIntArray.Builder found) {
    if (inside[variable] == 0) {
      found.add(variable);
    }
    inside[variable] += count;
  }
}
