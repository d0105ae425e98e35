package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import java.util.BitSet;

/** The forward values that a gradient reads. It records which values are read. */
final class ForwardValues {

  private final EmitProgram forward;
  private final MicroGraph graph;
  private final BitSet there;
  private final BitSet read = new BitSet();

  /**
   * Creates the values of a graph, none of them read yet.
   *
   * @param there the values that are available without extra cost: given, or known to be read
   */
  ForwardValues(MicroGraph graph, EmitProgram forward, BitSet there) {
    this.graph = requireNonNull(graph, "graph");
    this.forward = requireNonNull(forward, "forward");
    this.there = requireNonNull(there, "there");
  }

  /** Returns an element of a tensor, or the scalar, and records the read. */
  Expression load(MicroValue value, ImmutableList<IndexExpression> at) {
    note(value);
    return forward.load(value, at);
  }

  /** Returns the name of a value's tensor. */
  String tensor(MicroValue value) {
    note(value);
    return forward.tensor(value);
  }

  /** Whether reading a value adds no cost: it is available, or has been read before. */
  boolean isThere(MicroValue value) {
    return there.get(value.id()) || read.get(value.id());
  }

  /** Returns the values read so far. */
  BitSet read() {
    return read;
  }

  private void note(MicroValue value) {
    if (!graph.node(value).isScalar()) {
      read.set(value.id());
    }
  }
}
