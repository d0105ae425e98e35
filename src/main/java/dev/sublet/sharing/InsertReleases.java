package dev.sublet.sharing;

import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Inserts {@code delete_var} operators after the last uses of the entry block's variables.
 *
 * <p>Releases only variables that the entry block declares, because its operators run once. A
 * variable that a loop's body deletes would be missing in the next iteration. Observed and pinned
 * variables stay. The operator erases variables from their scope, so the program needs an executor
 * that creates its variables anew for each run.
 */
public final class InsertReleases {

  private InsertReleases() {}

  /**
   * Returns the program with releases, unchanged if there is nothing to release. Skips variables
   * that the program itself deletes at their last use. O(variables + operators).
   */
  public static Program insert(Liveness liveness) {
    ControlFlowGraph graph = liveness.graph();
    Program program = graph.program();
    LiveRanges ranges = liveness.ranges();
    Map<Integer, List<Integer>> dyingAt = new TreeMap<>();
    for (Variable variable : program.block(0).variables()) {
      int index = variable.index();
      if (graph.accesses().isAccessed(index)
          && ranges.hasRange(index)
          && !isReleased(graph, index)
          && !liveness.observation().keepsName(index)
          && !graph.pinned().isPinned(index)) {
        int last = 0;
        for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
          last = Math.max(last, ranges.lastPoint(web));
        }
        int node = outermost(graph, (last - 1) / 2);
        dyingAt.computeIfAbsent(node, k -> new ArrayList<>()).add(index);
      }
    }
    ProgramEditor editor = ProgramEditor.of(program);
    for (Map.Entry<Integer, List<Integer>> dying : dyingAt.entrySet()) {
      Operation position = graph.operation(dying.getKey());
      ImmutableListMultimap.Builder<String, Integer> inputs = ImmutableListMultimap.builder();
      inputs.putAll("X", dying.getValue());
      editor.insertAfter(position, "delete_var", inputs.build(), ImmutableListMultimap.of());
    }
    return editor.build();
  }

  /** Whether the last access of the variable is a {@code delete_var} of the program itself. */
  private static boolean isReleased(ControlFlowGraph graph, int variable) {
    int last = graph.accesses().node(graph.accesses().end(variable) - 1);
    return graph.operation(last).type().equals("delete_var");
  }

  /**
   * The node of the entry block's operator that runs a node: the node itself, or the head of a
   * control operator.
   */
  private static int outermost(ControlFlowGraph graph, int node) {
    int result = node;
    while (graph.regionOfNode(result) != 0) {
      result = graph.region(graph.regionOfNode(result)).head();
    }
    return result;
  }
}
