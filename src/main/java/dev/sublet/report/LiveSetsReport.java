package dev.sublet.report;

import com.google.common.collect.ImmutableSortedSet;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveSets;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.ProgramPoints;
import java.util.ArrayList;
import java.util.List;

/**
 * The live-in and live-out sets of the textbook dataflow analysis, node by node. A control operator
 * whose block is followed has two nodes, its head and its exit.
 *
 * @param graph the control-flow graph
 * @param sets the live sets of the graph's nodes
 */
public record LiveSetsReport(ControlFlowGraph graph, LiveSets sets) implements Report {

  @Override
  public String text() {
    StringBuilder text = new StringBuilder();
    for (int node = 0; node < graph.nodeCount(); node++) {
      String part = part(node);
      text.append(node).append(": ").append(graph.operation(node));
      text.append(part.isEmpty() ? "" : " " + part).append('\n');
      text.append("  live_in = ").append(set(sets.liveIn(node))).append('\n');
      text.append("  live_out = ").append(set(sets.liveOut(node))).append('\n');
    }
    return text.toString();
  }

  private static String set(ImmutableSortedSet<String> names) {
    return "{" + String.join(", ", displayed(names)) + "}";
  }

  private static List<String> displayed(ImmutableSortedSet<String> names) {
    List<String> displayed = new ArrayList<>();
    for (String name : names) {
      displayed.add(Names.display(name));
    }
    return displayed;
  }

  private String part(int node) {
    return new ProgramPoints(graph).part(node);
  }

  @Override
  public String json() {
    JsonArray nodes = new JsonArray();
    for (int node = 0; node < graph.nodeCount(); node++) {
      Operation operation = graph.operation(node);
      JsonObject object = new JsonObject();
      object.addProperty("node", node);
      object.addProperty("block_idx", operation.block());
      object.addProperty("op_idx", operation.index());
      object.addProperty("op_type", operation.type());
      object.addProperty("part", part(node));
      object.add("live_in", JsonText.strings(displayed(sets.liveIn(node))));
      object.add("live_out", JsonText.strings(displayed(sets.liveOut(node))));
      nodes.add(object);
    }
    JsonObject object = new JsonObject();
    object.add("nodes", nodes);
    return JsonText.print(object);
  }
}
