package dev.sublet.report;

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
 * Program points as operators: block, index and type, and for a control operator {@code head} or
 * {@code exit}. O(1) each.
 *
 * @param graph whose nodes the points are of
 * @param numbers by block and index, by which index operators are known; empty if by their own
 */
record ProgramPoints(ControlFlowGraph graph, ImmutableList<ImmutableIntArray> numbers) {

  /** The points of a program whose operators are known by their own numbers. */
  ProgramPoints(ControlFlowGraph graph) {
    this(graph, ImmutableList.of());
  }

  /** A node, for example {@code block 0, op 3 (while) head}. */
  String operator(int node) {
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

  /** {@code head} or {@code exit}; empty for an operator that is one node. */
  String part(int node) {
    if (graph.regionAtHead(node) >= 0) {
      return "head";
    }
    return graph.regionAtExit(node) >= 0 ? "exit" : "";
  }

  /** The operator at which a point is; at the program's end the last one. */
  String at(int point) {
    return operator(Math.min(point / 2, graph.nodeCount() - 1));
  }

  /** An interval, for example {@code from block 0, op 1 (relu) to the program's end}. */
  String describe(Interval interval) {
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
    // What begins where an operator reads was there before it: a value from another iteration.
    return (begin % 2 == 1 ? "from " : "from before ") + operator(begin / 2);
  }

  private String to(int end) {
    if (end >= 2 * graph.nodeCount()) {
      return "to the program's end";
    }
    // What ends where an operator writes is handed over to an output.
    return end % 2 == 0 ? "to " + operator(end / 2 - 1) : "until the write of " + operator(end / 2);
  }

  /** Several intervals, separated by semicolons. */
  String describe(List<Interval> intervals) {
    List<String> parts = new ArrayList<>();
    for (Interval interval : intervals) {
      parts.add(describe(interval));
    }
    return String.join("; ", parts);
  }

  /** The parts of a node's name. */
  JsonObject json(int node) {
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
  JsonObject jsonAt(int point) {
    return json(Math.min(point / 2, graph.nodeCount() - 1));
  }

  /** The intervals, each with its points and the operators that it touches first and last. */
  JsonArray json(List<Interval> intervals) {
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
