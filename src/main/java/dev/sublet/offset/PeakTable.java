package dev.sublet.offset;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.VisibleText;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.program.SourceLine;
import dev.sublet.program.VariableId;
import java.util.Optional;
import java.util.function.Function;

/**
 * The contents of an arena at its peak, in words: the time, and a row for each buffer that occupies
 * bytes then.
 *
 * <pre>
 *   at block 0, op 12 (tanh), 638,976 (624.00 KiB) are in use:
 *     262,144  256.00 KiB   41 %  relu6_2  live: block 0, op 11 (relu6) to block 0, op 12 (tanh)
 * </pre>
 *
 * @param bytes the occupied bytes; a byte that several buffers share counts once
 * @param at the time of the peak
 * @param rows the buffers, the largest first
 */
public record PeakTable(long bytes, String at, ImmutableList<Row> rows) {

  /** The greatest number of rows that the text lists. */
  private static final int MOST_LISTED = 10;

  /**
   * A buffer.
   *
   * @param name the name of the variable, or the id of the buffer
   * @param bytes its size
   * @param live when it occupies its bytes: the interval around the peak
   * @param kind the kind of the variable, such as {@code activation}; empty if not known
   * @param source the line of code that made it
   */
  public record Row(
      String name, long bytes, String live, String kind, Optional<SourceLine> source) {}

  /**
   * Returns the peak of an arena of a plan. O(n log n) for n intervals.
   *
   * @param arena its index in the plan
   * @param graph of the plan's program, if that is known
   * @param kinds what the variables of allocations are for; empty if that is not known
   */
  public static PeakTable of(
      MemoryPlan plan,
      int arena,
      Optional<ControlFlowGraph> graph,
      Function<Allocation, String> kinds) {
    ArenaPeak peak = ArenaPeak.of(plan, arena);
    ImmutableList.Builder<Row> rows = ImmutableList.builder();
    for (int index : peak.allocations()) {
      Allocation allocation = plan.allocations().get(index);
      rows.add(
          new Row(
              Names.display(allocation.variable().name()),
              allocation.bytes(),
              live(allocation, peak.begin(), graph),
              kinds.apply(allocation),
              graph.flatMap(known -> source(allocation, peak.begin(), known))));
    }
    return new PeakTable(peak.bytes(), at(peak.begin() / 2, graph), rows.build());
  }

  private static Optional<SourceLine> source(
      Allocation allocation, int point, ControlFlowGraph graph) {
    VariableId id = allocation.variable();
    int node = graph.accesses().writer(graph.program().declared(id.block(), id.name()), point / 2);
    return node < 0 ? Optional.empty() : SourceLine.of(graph.operation(node));
  }

  private static String live(Allocation allocation, int point, Optional<ControlFlowGraph> graph) {
    for (Interval interval : allocation.live()) {
      if (interval.begin() <= point && point < interval.end()) {
        int first = interval.begin() / 2;
        int last = (interval.end() - 1) / 2;
        return first == last ? at(first, graph) : at(first, graph) + " to " + at(last, graph);
      }
    }
    throw new AssertionError(allocation);
  }

  /** Describes a node; in a program without operators, and after the last one, the last point. */
  private static String at(int node, Optional<ControlFlowGraph> graph) {
    if (graph.isEmpty()) {
      return "operator " + node;
    }
    int last = graph.get().nodeCount() - 1;
    return last < 0 || node > last ? "the end" : graph.get().operation(node).location().toString();
  }

  /** Returns the peak of a table of buffers with offsets. O(n log n) for n rows and gaps. */
  static PeakTable of(BufferTable table, PeakSweep.Peak peak) {
    ImmutableList.Builder<Row> rows = ImmutableList.builder();
    for (PeakSweep.Segment segment : peak.segments()) {
      String live = "[" + segment.begin() + ", " + segment.end() + ")";
      long bytes = segment.high() - segment.low();
      rows.add(
          new Row(
              table.rows().get(segment.owner()).id(),
              bytes,
              live,
              /* kind= */ "",
              Optional.empty()));
    }
    String at = "time [" + peak.begin() + ", " + peak.end() + ")";
    return new PeakTable(peak.bytes(), at, rows.build());
  }

  /** Returns a headline and a line per buffer, at most ten, without line feeds. */
  public ImmutableList<String> lines() {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add("  at " + at + ", " + ByteText.exact(bytes) + " are in use:");
    ImmutableList<Row> listed = rows.subList(0, Math.min(rows.size(), MOST_LISTED));
    int nameWidth = 0;
    for (Row row : listed) {
      nameWidth = Math.max(nameWidth, VisibleText.of(row.name()).length());
    }
    long rest = 0;
    for (Row row : rows.subList(listed.size(), rows.size())) {
      rest += row.bytes();
    }
    int width = ByteText.count(bytes).length();
    for (Row row : listed) {
      String name = Strings.padEnd(VisibleText.of(row.name()), nameWidth, ' ');
      String kind = row.kind().isEmpty() ? "" : "; " + row.kind();
      String source = row.source().map(line -> "; " + line.words()).orElse("");
      lines.add(cells(row.bytes(), width) + name + "  live: " + row.live() + kind + source);
    }
    if (rest > 0) {
      lines.add(cells(rest, width) + ByteText.count(rows.size() - listed.size()) + " more");
    }
    return lines.build();
  }

  private String cells(long size, int width) {
    return "    "
        + Strings.padStart(ByteText.count(size), width, ' ')
        + Strings.padStart(ByteText.rounded(size), 12, ' ')
        + Strings.padStart(Math.round(100.0 * size / bytes) + " %", 7, ' ')
        + "  ";
  }
}
