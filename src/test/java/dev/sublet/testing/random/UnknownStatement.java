package dev.sublet.testing.random;

import dev.sublet.testing.simulate.StraightLine;

/** An operator that the catalog does not contain, or that may leave its output unwritten. */
final class UnknownStatement {

  private UnknownStatement() {}

  /** Adds the operator: over a defined variable, or with a fresh one beside it. */
  static void add(ProgramDraft draft, BlockDraft block) {
    String input = draft.readable(block);
    String output = draft.writable(block, draft.dataType());
    if (block.isDefined(output) && draft.chance(60)) {
      block.add(new OperationDraft(StraightLine.MAY_WRITE).in("X", input).out("Out", output));
    } else {
      String other = draft.fresh(block, "t", draft.dataType());
      block.add(
          new OperationDraft(draft.chance(50) ? "mystery_a" : "mystery_b")
              .in("A", input)
              .out("B", output)
              .out("C", other));
    }
  }
}
