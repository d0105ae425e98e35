package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.diag.VisibleText;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Names;
import dev.sublet.report.format.LiveBytes;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.report.format.Quantity;
import java.util.BitSet;
import java.util.List;

/**
 * The control-flow graph in Graphviz's DOT language: one node per operator, two nodes per operator
 * whose block is followed, one cluster per block. The label of a node contains the bytes that are
 * live into it. The first node during which the most bytes are live is marked, and so are the nodes
 * at which chosen variables are live.
 *
 * <p>Source: the language as in "The DOT Language", graphviz.org.
 *
 * @param analysis the program and the facts about it
 * @param variables the variables whose live nodes are marked, by dense index
 */
public record FlowGraphReport(ProgramFacts analysis, ImmutableList<Integer> variables)
    implements Report {

  /** Returns one digraph. */
  @Override
  public String text() {
    ControlFlowGraph graph = analysis.liveness().graph();
    StringBuilder dot = new StringBuilder("digraph program {\n");
    dot.append("  label=").append(quoted(title())).append(";\n");
    dot.append("  labelloc=t;\n");
    dot.append("  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n");
    dot.append("  edge [fontname=\"sans-serif\", fontsize=9];\n");
    addNodes(dot);
    for (int node = 0; node < graph.nodeCount(); node++) {
      addEdges(node, dot);
    }
    return dot.append("}\n").toString();
  }

  /**
   * @throws UnsupportedOperationException always: a graph has no other form
   */
  @Override
  public String json() {
    throw new UnsupportedOperationException("a graph is not JSON");
  }

  private String title() {
    LiveBytes bytes = LiveBytes.of(analysis);
    String title = "bytes that are live into each operator";
    if (bytes.unknown() > 0) {
      title += "; " + bytes.unknown() + " variables of unknown size are not counted";
    }
    for (Block block : analysis.program().blocks()) {
      if (analysis.liveness().graph().regionOfBlock(block.index()) < 0) {
        title += "; block " + block.index() + " is not followed";
      }
    }
    if (!variables.isEmpty()) {
      String name = analysis.program().variable(variables.get(0)).name();
      title += "; dashed where '" + VisibleText.of(Names.display(name)) + "' is live";
    }
    return title;
  }

  private void addNodes(StringBuilder dot) {
    ControlFlowGraph graph = analysis.liveness().graph();
    LiveBytes bytes = LiveBytes.of(analysis);
    BitSet live = liveNodes();
    int peak = bytes.peakNode();
    int depth = 1;
    addClusterStart(graph.region(0), depth++, dot);
    for (int node = 0; node < graph.nodeCount(); node++) {
      depth -= graph.regionAtExit(node) >= 0 ? 1 : 0;
      if (graph.regionAtExit(node) >= 0) {
        dot.append("  ".repeat(depth)).append("}\n");
      }
      String label =
          graph.operation(node).index()
              + " "
              + graph.operation(node).type()
              + part(node)
              + "\n"
              + Quantity.count(bytes.in(node));
      if (node == peak) {
        label += "\npeak: " + Quantity.count(bytes.during(node));
      }
      dot.append("  ".repeat(depth)).append('n').append(node);
      dot.append(" [label=").append(quoted(label));
      dot.append(node == peak ? ", penwidth=3, color=red" : "");
      dot.append(live.get(node) ? ", style=dashed" : "").append("];\n");
      if (graph.regionAtHead(node) >= 0) {
        addClusterStart(graph.region(graph.regionAtHead(node)), depth++, dot);
      }
    }
    dot.append("  }\n");
    dot.append("  end [shape=oval];\n");
  }

  private String part(int node) {
    String part = new ProgramPoints(analysis.liveness().graph()).part(node);
    return part.isEmpty() ? "" : " " + part;
  }

  private void addClusterStart(Region region, int depth, StringBuilder dot) {
    String label = "block " + region.block();
    if (region.kind() != ControlKind.NONE) {
      label += ", " + analysis.liveness().graph().operation(region.head()).type();
    }
    String indent = "  ".repeat(depth);
    dot.append(indent).append("subgraph cluster_").append(region.index()).append(" {\n");
    dot.append(indent).append("  label=").append(quoted(label)).append(";\n");
  }

  /** The nodes at which one of the chosen variables is live. */
  private BitSet liveNodes() {
    BitSet nodes = new BitSet();
    LiveRanges ranges = analysis.liveness().ranges();
    for (int variable : variables) {
      for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
        for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
          nodes.set(ranges.begin(i) / 2, (ranges.end(i) + 1) / 2);
        }
      }
    }
    return nodes;
  }

  private void addEdges(int node, StringBuilder dot) {
    ControlFlowGraph graph = analysis.liveness().graph();
    List<Integer> successors = graph.successors(node);
    for (int i = 0; i < successors.size(); i++) {
      int next = successors.get(i);
      dot.append("  n").append(node).append(" -> ");
      dot.append(next == graph.nodeCount() ? "end" : "n" + next);
      if (next <= node) {
        dot.append(" [label=\"again\", style=bold, constraint=false]");
      } else if (i == 1) {
        dot.append(" [label=").append(quoted(exitLabel(node))).append(", style=dashed]");
      }
      dot.append(";\n");
    }
  }

  private String exitLabel(int head) {
    Region region =
        analysis.liveness().graph().region(analysis.liveness().graph().regionAtHead(head));
    if (region.leaves() >= 0) {
      return "leaves the loop";
    }
    return region.kind().isLoop() ? "ends" : "skipped";
  }

  /**
   * Returns a quoted string of the DOT language: names may contain quotes, backslashes and
   * entities.
   */
  static String quoted(String label) {
    String text = VisibleText.ofLines(label);
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '&' -> quoted.append("&amp;");
        case '\n' -> quoted.append("\\n");
        default -> quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
