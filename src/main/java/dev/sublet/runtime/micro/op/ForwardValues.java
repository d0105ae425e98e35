package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import java.util.BitSet;

/** The values of a graph as its gradient reads them; takes note of what is read. */
final class ForwardValues {

  private final EmitProgram forward;
  private final MicroGraph graph;
  private final BitSet there;
  private final BitSet read = new BitSet();

  /**
   * @param there the values that are there anyway: given, or known to be read
   */
  ForwardValues(MicroGraph graph, EmitProgram forward, BitSet there) {
    this.graph = requireNonNull(graph, "graph");
    this.forward = requireNonNull(forward, "forward");
    this.there = requireNonNull(there, "there");
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

  /** Whether reading a value costs nothing more: it is there anyway, or has been read before. */
  boolean isThere(MicroValue value) {
    return there.get(value.id()) || read.get(value.id());
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
