package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.loop.Carries;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.sharing.SharingReasons;

/**
 * Everything that is needed to say why the variables of a program are where they are.
 *
 * @param analysis the program and the facts about it
 * @param carries what its loops hand to their next iterations
 * @param shared the program whose names were shared: that of the analysis, or one in which its
 *     loops copy less
 * @param names what became of the names of that program
 * @param plan the offsets of the program as it is
 * @param diagnostics warnings and notes, in order
 */
public record Explanation(
    Analysis analysis,
    Carries carries,
    Analysis shared,
    SharingReasons names,
    MemoryPlan plan,
    ImmutableList<Diagnostic> diagnostics) {

  public Explanation {
    requireNonNull(analysis, "analysis");
    requireNonNull(carries, "carries");
    requireNonNull(shared, "shared");
    requireNonNull(names, "names");
    requireNonNull(plan, "plan");
    requireNonNull(diagnostics, "diagnostics");
  }
}
