package dev.sublet.testing.mutate;

import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.util.Optional;
import java.util.SplittableRandom;

/** Rewritings and plans with one to three random changes, which are mostly wrong. */
public final class Mutants {

  /** So many kinds of changes to programs, the first ones, rename: what is most often right. */
  private static final int RENAMINGS = 5;

  private Mutants() {}

  /** A changed program; empty if it cannot be read, or nothing has changed. */
  public static Optional<Program> rewriting(Program original, SplittableRandom random) {
    RewriteMutations.Kind[] kinds = RewriteMutations.Kind.values();
    RewriteMutations mutations = new RewriteMutations(random.nextLong());
    Program changed = original;
    try {
      for (int k = random.nextInt(3); k >= 0; k--) {
        int kind = random.nextInt(random.nextInt(3) > 0 ? RENAMINGS : kinds.length);
        changed = mutations.apply(kinds[kind], changed);
      }
    } catch (ProgramException malformed) {
      return Optional.empty(); // A name that nothing declares, a cycle of blocks.
    }
    return changed.toMessage().equals(original.toMessage())
        ? Optional.empty()
        : Optional.of(changed);
  }

  /** A changed plan; empty if nothing has changed. */
  public static Optional<MemoryPlan> plan(MemoryPlan plan, SplittableRandom random) {
    PlanMutations.Kind[] kinds = PlanMutations.Kind.values();
    PlanMutations mutations = new PlanMutations(random.nextLong());
    MemoryPlan changed = plan;
    for (int k = random.nextInt(3); k >= 0; k--) {
      changed = mutations.apply(kinds[random.nextInt(kinds.length)], changed);
    }
    return changed.equals(plan) ? Optional.empty() : Optional.of(changed);
  }
}
