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
 * Which variables are touched inside a loop only, and which it shares with the rest of the program.
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

  /** By block: how many operators name it. */
  private final int[] references;

  /** By block: the variables of its arguments, and of others that the runtime links to them. */
  private final ImmutableIntArray.Builder[] touches;

  /** By variable: how often it is among these. */
  private final int[] totals;

  /** By block: what of that is not local to a loop inside, each variable once, and how often. */
  private final ImmutableIntArray[] shared;

  private final ImmutableIntArray[] counts;

  /** By block: whether it holds an operator that is not followed, or runs a block that does. */
  private final boolean[] isOpaque;

  /** By variable: the body of the innermost loop that it is local to, or {@link #NONE}. */
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
   * The block of an operator that is followed: the only one that names it, in a known way; or -1.
   */
  int body(Operation operation) {
    ImmutableList<Integer> blocks = operation.blocks();
    boolean isFollowed =
        blocks.size() == 1
            && references[blocks.get(0)] == 1
            && catalog.lookup(operation.type()).control() != ControlKind.NONE;
    return isFollowed ? blocks.get(0) : NONE;
  }

  /** Whether a loop, but no loop inside of it, touches all that is done to a variable. */
  boolean isLocal(int variable, int body) {
    return homes[variable] == body;
  }

  /**
   * Whether all that a loop does to variables is known to be done by operators that are followed.
   */
  boolean isClosed(int body) {
    return !isOpaque[body];
  }

  /** The variables that a loop and the rest of the program touch. */
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

  /** Whatever {@link BodyLinks} may link by name counts as touched outside of the body, too. */
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
   * Adds up what a block and those that it runs touch, and takes what nothing else touches.
   *
   * @param inside zeros, by variable; zeros again at the end
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
