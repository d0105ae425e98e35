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
 * The variables in which an unrolled original counts its copies, wherever the rewritten program
 * counts its own. They are new, and only the counting operators use them. O(blocks) per variable.
 */
final class CopyCounters {

  private final Program original;
  private final Program rewritten;
  private final ProgramBuilder result;
  private final Map<Integer, String> counters = new HashMap<>();

  /**
   * Creates an empty set of counters.
   *
   * @param result the program in which they are declared
   */
  CopyCounters(Program original, Program rewritten, ProgramBuilder result) {
    this.original = original;
    this.rewritten = rewritten;
    this.result = result;
  }

  /**
   * Returns the arguments of a counting operator, by slot.
   *
   * @param other the rewritten program's operator
   * @param role the purpose of the operator
   */
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

  /**
   * The variable that counts in place of a variable of the rewritten program; declared at first
   * use.
   */
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
