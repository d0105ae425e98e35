package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;

/**
 * Micro ops and which of their values are wanted.
 *
 * @param name what it computes
 * @param parameters the scalars that the caller gives
 * @param nodes an operand comes before what reads it
 * @param requirements extents that must be equal
 * @param outputs the wanted values by their names outside; a value may have several
 */
public record MicroGraph(
    String name,
    ImmutableList<ScalarDeclaration> parameters,
    ImmutableList<MicroNode> nodes,
    ImmutableList<Requirement> requirements,
    ImmutableMap<String, MicroValue> outputs) {

  public MicroGraph {
    requireNonNull(name, "name");
    requireNonNull(parameters, "parameters");
    requireNonNull(nodes, "nodes");
    requireNonNull(requirements, "requirements");
    requireNonNull(outputs, "outputs");
  }

  /** How a value is made. */
  public MicroNode node(MicroValue value) {
    return nodes.get(value.id());
  }

  /** The loop nests of the graph: one block an op, nothing merged. O(ops × axes). */
  public MicroProgram emit() {
    return EmitProgram.of(this);
  }
}
