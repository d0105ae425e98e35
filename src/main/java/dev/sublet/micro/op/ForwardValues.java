package dev.sublet.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.micro.ir.Expression;
import dev.sublet.micro.ir.IndexExpression;
import java.util.BitSet;

/** The values of a graph as its gradient reads them; takes note of what is read. */
final class ForwardValues {

  private final EmitProgram forward;
  private final MicroGraph graph;
  private final BitSet given;
  private final BitSet read = new BitSet();

  ForwardValues(MicroGraph graph, EmitProgram forward, BitSet given) {
    this.graph = requireNonNull(graph, "graph");
    this.forward = requireNonNull(forward, "forward");
    this.given = requireNonNull(given, "given");
  }

  /** An element of a value, or the scalar. */
  Expression load(MicroValue value, ImmutableList<IndexExpression> at) {
    note(value);
    return forward.load(value, at);
  }

  /** The tensor of a value. */
  String tensor(MicroValue value) {
    note(value);
    return forward.tensor(value);
  }

  /** Whether reading a value costs nothing more: it is given, or has been read before. */
  boolean isThere(MicroValue value) {
    return given.get(value.id()) || read.get(value.id());
  }

  /** What was read so far. */
  BitSet read() {
    return read;
  }

  private void note(MicroValue value) {
    if (!graph.node(value).isScalar()) {
      read.set(value.id());
    }
  }
}
