package dev.sublet.report.format;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.Location;
import dev.sublet.plan.Interval;
import dev.sublet.program.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes program points by operators: block, index and type, and for a control operator {@code
 * head} or {@code exit}. O(1) each.
 *
 * @param graph the control-flow graph to which the points belong
 * @param numbers the displayed index of each operator, by block and index; empty if operators are
 *     displayed with their own indices
 */
public record ProgramPoints(ControlFlowGraph graph, ImmutableList<ImmutableIntArray> numbers) {

  /** Creates the points of a program whose operators are displayed with their own indices. */
  public ProgramPoints(ControlFlowGraph graph) {
    this(graph, ImmutableList.of());
  }

  /** Describes a node, for example {@code block 0, op 3 (while) head}. */
  public String operator(int node) {
    Operation operation = graph.operation(node);
    String part = part(node);
    return Location.operation(operation.block(), number(operation), operation.type())
        + (part.isEmpty() ? "" : " " + part);
  }

  private int number(Operation operation) {
    return numbers.isEmpty()
        ? operation.index()
        : numbers.get(operation.block()).get(operation.index());
  }

  /** Returns {@code head} or {@code exit}; empty for an operator that is one node. */
  public String part(int node) {
    if (graph.regionAtHead(node) >= 0) {
      return "head";
    }
    return graph.regionAtExit(node) >= 0 ? "exit" : "";
  }

  /** The operator at which a point is; at the program's end the last one. */
  public String at(int point) {
    return operator(Math.min(point / 2, graph.nodeCount() - 1));
  }

  /** Describes an interval, for example {@code from block 0, op 1 (relu) to the program's end}. */
  public String describe(Interval interval) {
    boolean isOneNode = interval.begin() / 2 == (interval.end() - 1) / 2;
    if (isOneNode && interval.begin() > 0 && interval.end() < 2 * graph.nodeCount()) {
      return "at " + operator(interval.begin() / 2);
    }
    return from(interval.begin()) + " " + to(interval.end());
  }

  private String from(int begin) {
    if (begin == 0) {
      return "from the program's start";
    }
    // An interval that begins at a read is of an earlier value: a value from another iteration.
    return (begin % 2 == 1 ? "from " : "from before ") + operator(begin / 2);
  }

  private String to(int end) {
    if (end >= 2 * graph.nodeCount()) {
      return "to the program's end";
    }
    // An interval that ends at a write ends because an output takes over the bytes.
    return end % 2 == 0 ? "to " + operator(end / 2 - 1) : "until the write of " + operator(end / 2);
  }

  /** Describes several intervals, separated by semicolons. */
  public String describe(List<Interval> intervals) {
    List<String> parts = new ArrayList<>();
    for (Interval interval : intervals) {
      parts.add(describe(interval));
    }
    return String.join("; ", parts);
  }

  /** Returns the parts of a node's description as JSON. */
  public JsonObject json(int node) {
    Operation operation = graph.operation(node);
    JsonObject object = new JsonObject();
    object.addProperty("node", node);
    object.addProperty("block_idx", operation.block());
    object.addProperty("op_idx", number(operation));
    object.addProperty("op_type", operation.type());
    object.addProperty("part", part(node));
    return object;
  }

  /** The operator at which a point is; at the program's end the last one. */
  public JsonObject jsonAt(int point) {
    return json(Math.min(point / 2, graph.nodeCount() - 1));
  }

  /** Returns the intervals as JSON, each with its points and its first and last operator. */
  public JsonArray json(List<Interval> intervals) {
    JsonArray array = new JsonArray();
    for (Interval interval : intervals) {
      JsonObject object = new JsonObject();
      object.addProperty("begin", interval.begin());
      object.addProperty("end", interval.end());
      object.add("first", jsonAt(interval.begin()));
      object.add("last", jsonAt(interval.end() - 1));
      array.add(object);
    }
    return array;
  }
}
