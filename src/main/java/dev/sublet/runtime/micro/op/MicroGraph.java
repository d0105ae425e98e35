package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;

/**
 * A graph of micro ops and its outputs.
 *
 * @param name what the graph computes
 * @param parameters the scalars that the caller passes
 * @param nodes the nodes in topological order: operands before their readers
 * @param requirements pairs of extents that must be equal
 * @param outputs the output values by their external names; a value may have several names
 */
public record MicroGraph(
    String name,
    ImmutableList<ScalarDeclaration> parameters,
    ImmutableList<MicroNode> nodes,
    ImmutableList<Requirement> requirements,
    ImmutableMap<String, MicroValue> outputs) {

  /** Returns the node that computes a value. */
  public MicroNode node(MicroValue value) {
    return nodes.get(value.id());
  }

  /** Lowers the graph to loop nests without fusion: one block per op. O(ops × axes). */
  public MicroProgram emit() {
    return EmitProgram.of(this);
  }
}
