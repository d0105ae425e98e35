package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.offset.OffsetPlan;
import dev.sublet.plan.MemoryPlan;

/**
 * A plan of a program that is still to be proved.
 *
 * @param facts the program
 * @param chosen the plan
 * @param bytesWithCopies the arena size of a plan in which loops make all copies of the program: of
 *     the best such plan if it is smaller than the chosen plan
 */
record PlanCandidate(ProgramFacts facts, OffsetPlan chosen, long bytesWithCopies) {

  /** A plan in which loops make all copies of the program. */
  static PlanCandidate asIs(ProgramFacts facts, OffsetPlan plan) {
    return new PlanCandidate(facts, plan, plan.plan().arenaBytes());
  }

  MemoryPlan plan() {
    return chosen.plan();
  }

  long bytes() {
    return plan().arenaBytes();
  }
}
