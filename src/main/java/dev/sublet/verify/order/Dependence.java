package dev.sublet.verify.order;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.Violations;

/**
 * Two operators of a block that must keep their order.
 *
 * @param block the block
 * @param before the operator that must run first
 * @param after the operator that must run later
 * @param variable the variable that both use; {@link Program#NO_VARIABLE} if the reason is none
 * @param reason why the order counts
 */
record Dependence(int block, int before, int after, int variable, Reason reason) {

  /** Why the order of two operators counts. */
  enum Reason {
    READS_RESULT("reads the value that it writes"),
    OVERWRITES_READ("overwrites the value that it reads"),
    OVERWRITES_WRITTEN("writes the variable later"),
    ORDERED("both use more than their arguments"),
    BARRIER("may not be moved past it");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  /** Adds the violation of an order that breaks the dependence. */
  void report(Program program, Violations violations) {
    Operation first = program.block(block).operations().get(before);
    Operation second = program.block(block).operations().get(after);
    String message =
        "runs before op "
            + first.index()
            + " ("
            + first.type()
            + ") in the rewritten program, but "
            + reason.text;
    if (variable == Program.NO_VARIABLE) {
      violations.add(second.location(), message);
    } else {
      violations.add(second, program.variable(variable), message);
    }
  }
}
