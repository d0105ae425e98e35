package dev.sublet.verify.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import dev.sublet.program.Variable;
import dev.sublet.verify.graph.DefUseIndex;
import dev.sublet.verify.rewrite.UnrolledLoop.Role;
import java.util.HashMap;
import java.util.Map;

/**
 * The variables in which a repeated original counts its copies where the rewritten program does:
 * new ones, which only the counting uses. O(blocks) for each.
 */
final class CopyCounters {

  private final Program original;
  private final Program rewritten;
  private final ProgramBuilder result;
  private final Map<Integer, String> counters = new HashMap<>();

  /**
   * None so far.
   *
   * @param result gets their declarations
   */
  CopyCounters(Program original, Program rewritten, ProgramBuilder result) {
    this.original = original;
    this.rewritten = rewritten;
    this.result = result;
  }

  /** The arguments of an operator that counts, by what it is for. */
  ImmutableMap<String, ImmutableList<String>> arguments(Operation other, Role role) {
    ImmutableMap.Builder<String, ImmutableList<String>> arguments = ImmutableMap.builder();
    switch (role) {
      case COUNT, NUMBER -> arguments.put("Out", counter(other.output(0)));
      case COMPARISON -> {
        arguments.put("X", counter(DefUseIndex.only(other.inputSlot("X"))));
        arguments.put("Y", counter(DefUseIndex.only(other.inputSlot("Y"))));
        arguments.put("Out", counter(other.output(0)));
      }
      case FIXUP -> arguments.put("Cond", counter(DefUseIndex.only(other.inputSlot("Cond"))));
    }
    return arguments.buildOrThrow();
  }

  /** The variable that counts here where another one does in the rewritten program. */
  private ImmutableList<String> counter(int variable) {
    Variable like = rewritten.variable(variable);
    String name =
        counters.computeIfAbsent(
            variable,
            v -> {
              String free = "count" + counters.size();
              while (isTaken(free)) {
                free += "_";
              }
              result.declare(like.block(), free, like);
              return free;
            });
    return ImmutableList.of(name);
  }

  private boolean isTaken(String name) {
    for (Program program : new Program[] {original, rewritten}) {
      for (Block block : program.blocks()) {
        if (program.declared(block.index(), name) != Program.NO_VARIABLE) {
          return true;
        }
      }
    }
    return false;
  }
}
