package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.offset.OffsetPlan;
import dev.sublet.plan.MemoryPlan;

/**
 * A plan of a program that is still to be proved.
 *
 * @param facts the program
 * @param chosen the plan
 * @param bytesWithCopies the arena size of the plan in which loops make all copies of the program
 */
record PlanCandidate(ProgramFacts facts, OffsetPlan chosen, long bytesWithCopies) {

  MemoryPlan plan() {
    return chosen.plan();
  }

  long bytes() {
    return plan().arenaBytes();
  }
}
