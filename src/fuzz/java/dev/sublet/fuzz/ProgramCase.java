package dev.sublet.fuzz;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.testing.Trial;
import dev.sublet.testing.TrialOptions;
import dev.sublet.testing.mutate.Mutants;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One case of the campaign: a random program, random options, and some mutants of the results. It
 * follows from its seed alone.
 *
 * @param seed the seed
 * @param kind which generator made the program
 * @param size what the generator was asked for
 * @param options the options
 */
record ProgramCase(long seed, ProgramKind kind, int size, TrialOptions options) {

  private static final int LARGEST = 60;
  private static final int MUTANTS = 4;

  static ProgramCase of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ImmutableList<ProgramKind> kinds = ImmutableList.copyOf(ProgramKind.values());
    ProgramKind kind = kinds.get(random.nextInt(kinds.size()));
    // Small programs are quick and easy to understand, large ones have more in them.
    int size = 2 + random.nextInt(random.nextBoolean() ? LARGEST / 4 : LARGEST);
    return new ProgramCase(seed, kind, size, TrialOptions.random(random));
  }

  Program program() {
    return kind.generate(seed, size);
  }

  /** What is wrong; empty if nothing is. */
  Optional<String> fault(Program program, Counts counts) {
    Optional<String> fault = new Trial(program, options, seed).fault();
    ImmutableMap<String, LodTensor> feeds = kind.feeds(seed);
    if (fault.isEmpty() && !feeds.isEmpty()) {
      fault = ExecutedCase.fault(program, feeds, options.toTranspileOptions());
      counts.add("executed");
    }
    return fault.isPresent() ? fault : mutantFault(program, counts);
  }

  /** A wrong rewriting or plan that a validator accepts. */
  private Optional<String> mutantFault(Program program, Counts counts) {
    Trial trial = new Trial(program, options, seed);
    SplittableRandom random = new SplittableRandom(seed);
    MemoryPlan plan = Transpiler.plan(program, options.toTranspileOptions()).plan();
    for (int i = 0; i < MUTANTS; i++) {
      Optional<Program> rewriting = Mutants.rewriting(program, random);
      counts.add("mutants of rewritings", rewriting.isPresent() ? 1 : 0);
      if (rewriting.isPresent() && isAccepted(program, rewriting.get())) {
        counts.add("accepted rewritings");
        String difference = trial.rewriteFault(rewriting.get());
        if (!difference.isEmpty()) {
          return Optional.of(
              "accepted rewriting: " + difference + "\n" + changes(program, rewriting.get()));
        }
      }
      Optional<MemoryPlan> changed = Mutants.plan(plan, random);
      counts.add("mutants of plans", changed.isPresent() ? 1 : 0);
      if (changed.isPresent()
          && Verifier.verifyPlan(program, changed.get(), options.toTranspileOptions()).isValid()) {
        counts.add("accepted plans");
        String difference = trial.differences(program, changed.get());
        if (!difference.isEmpty()) {
          return Optional.of("accepted plan: " + difference + "\n" + changed.get());
        }
      }
    }
    return Optional.empty();
  }

  /** The lines that a rewriting lacks and has more. */
  private static String changes(Program program, Program rewriting) {
    List<String> before = ProgramText.print(program).lines().toList();
    List<String> after = ProgramText.print(rewriting).lines().toList();
    List<String> changes = new ArrayList<>();
    before.stream().filter(line -> !after.contains(line)).forEach(line -> changes.add("-" + line));
    after.stream().filter(line -> !before.contains(line)).forEach(line -> changes.add("+" + line));
    return String.join("\n", changes);
  }

  private boolean isAccepted(Program program, Program rewriting) {
    try {
      return Verifier.verify(program, rewriting, options.toTranspileOptions()).isValid();
    } catch (ProgramException malformed) {
      return false; // a gradient that comes too early, a shape that does not fit
    }
  }

  @Override
  public String toString() {
    return kind + " seed " + seed + " size " + size + ": " + options;
  }
}
