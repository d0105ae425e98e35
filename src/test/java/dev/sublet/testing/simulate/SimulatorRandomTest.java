package dev.sublet.testing.simulate;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Range;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.testing.random.RandomPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The simulator on random programs: it accepts what is right and notices what is wrong. */
final class SimulatorRandomTest {

  private static final int BYTES = 16;
  private static final int SEEDS = 200;

  /** Operators that may leave two variables equal, or their output as it was. */
  private static final ImmutableSet<String> COPIES_OR_PARTIAL =
      ImmutableSet.of("assign", "select_input", "feed", "fetch", StraightLine.MAY_WRITE);

  @Provide
  Arbitrary<RandomPrograms.Sample> samples() {
    return RandomPrograms.samples();
  }

  @Property(tries = 200)
  void aPlanWithoutSharing_isRight(@ForAll("samples") RandomPrograms.Sample sample) {
    Program program = sample.program();
    MemoryPlan plan = plan(program, plannable(program), BYTES);
    for (int seed = 0; seed < 3; seed++) {
      Simulator simulator = Simulator.of(Schedule.of(seed));

      assertThat(simulator.run(program, plan).differencesFrom(simulator.run(program))).isEmpty();
    }
  }

  /**
   * Merging v into u destroys u wherever v is written. So the merge must be noticed by every
   * schedule that notices the deletion of u behind one of these operators.
   */
  @Test
  void aMerge_isNoticedWhereverTheDeletionIs() {
    int cases = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Program program = RandomPrograms.generate(seed, 20);
      SplittableRandom random = new SplittableRandom(seed);
      for (Operation operation : writersOf(program)) {
        Variable written = program.variable(operation.output(0));
        List<Variable> others = mergeable(program);
        Variable other = others.get(random.nextInt(others.size()));
        if (other.index() == written.index()) {
          continue;
        }
        ImmutableListMultimap<String, Integer> argument =
            ImmutableListMultimap.of("X", other.index());
        Program deleted =
            ProgramEditor.of(program)
                .insertAfter(operation, "delete_var", argument, ImmutableListMultimap.of())
                .build();
        if (isNoticed(program, deleted, seed)) {
          cases++;
          assertWithMessage("seed %s: %s into %s at %s", seed, written, other, operation)
              .that(isNoticed(program, merged(program, written, other), seed))
              .isTrue();
        }
      }
    }
    assertThat(cases).isGreaterThan(SEEDS / 2);
  }

  /** Two variables of the entry block that are not used at the same time can have one name. */
  @Test
  void aMerge_ofVariablesThatAreNotUsedAtTheSameTime_isRight() {
    int cases = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Program program = RandomPrograms.generate(seed, 20);
      List<Variable> variables = mergeable(program);
      for (Variable first : variables) {
        for (Variable second : variables) {
          Range<Integer> before = uses(program, first);
          Range<Integer> behind = uses(program, second);
          if (!before.isEmpty()
              && !behind.isEmpty()
              && before.upperEndpoint() <= behind.lowerEndpoint()) {
            cases++;
            assertWithMessage("seed %s: %s into %s", seed, second, first)
                .that(isNoticed(program, merged(program, second, first), seed))
                .isFalse();
          }
        }
      }
    }
    assertThat(cases).isGreaterThan(SEEDS);
  }

  private static Program merged(Program program, Variable variable, Variable into) {
    return ProgramEditor.of(program).merge(variable.index(), into.index()).build();
  }

  private static boolean isNoticed(Program program, Program changed, long seed) {
    Simulator simulator = Simulator.of(Schedule.of(seed));
    return !simulator.run(changed, program).differencesFrom(simulator.run(program)).isEmpty();
  }

  /** The entry block's operators that surely give a mergeable variable a value of its own. */
  private static List<Operation> writersOf(Program program) {
    List<Variable> variables = mergeable(program);
    List<Operation> writers = new ArrayList<>();
    for (Operation operation : program.block(0).operations()) {
      boolean computes =
          operation.blocks().isEmpty()
              && operation.outputCount() > 0
              && operation.output(0) != Program.NO_VARIABLE
              && !COPIES_OR_PARTIAL.contains(operation.type());
      if (computes && variables.contains(program.variable(operation.output(0)))) {
        writers.add(operation);
      }
    }
    return writers;
  }

  /** The tensors of the entry block that are not observed. */
  private static List<Variable> mergeable(Program program) {
    ImmutableSet<VariableId> observed =
        Observer.observedIn(program, ImmutableSet.of(), InitialValues.feeds(program));
    List<Variable> variables = new ArrayList<>();
    for (Variable variable : program.block(0).variables()) {
      if (variable.kind() == Variable.Kind.TENSOR && !observed.contains(variable.id())) {
        variables.add(variable);
      }
    }
    return variables;
  }

  /**
   * From the first to behind the last operator that uses a variable; empty if there is none, or if
   * one of them is not an ordinary operator of the entry block.
   */
  private static Range<Integer> uses(Program program, Variable variable) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (uses(operation, variable.index())) {
          if (block.index() != 0 || !operation.blocks().isEmpty()) {
            return Range.closedOpen(0, 0);
          }
          first = Math.min(first, operation.index());
          last = operation.index();
        }
      }
    }
    return last < 0 ? Range.closedOpen(0, 0) : Range.closedOpen(first, last + 1);
  }

  private static boolean uses(Operation operation, int variable) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) == variable) {
        return true;
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) == variable) {
        return true;
      }
    }
    return false;
  }

  @Test
  void overlappingBytes_areMostlyNoticed() {
    int noticed = 0;
    for (int seed = 0; seed < 100; seed++) {
      Program program = RandomPrograms.generate(seed, 20);
      MemoryPlan plan = plan(program, plannable(program), BYTES - 1);
      Simulator simulator = Simulator.of(Schedule.of(seed));
      Observations expected = simulator.run(program);
      noticed += simulator.run(program, plan).differencesFrom(expected).isEmpty() ? 0 : 1;
    }

    assertThat(noticed).isGreaterThan(80);
  }

  /** Each variable has bytes for the whole run, the next one's begin that many bytes further on. */
  private static MemoryPlan plan(Program program, List<Variable> variables, int distance) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    long offset = 0;
    Interval always = new Interval(0, 2 * Numbering.of(program).count());
    for (Variable variable : variables) {
      allocations.add(
          new Allocation(variable.id(), /* arena= */ 0, offset, BYTES, ImmutableList.of(always)));
      offset += distance;
    }
    return new MemoryPlan(
        "",
        "none",
        1,
        ImmutableList.of(new Arena("cpu", offset + BYTES, 0, 1)),
        allocations.build(),
        ImmutableList.of(),
        ImmutableList.of());
  }

  /** The tensors but for persistables and for what has one copy for each iteration of a loop. */
  private static List<Variable> plannable(Program program) {
    Numbering numbering = Numbering.of(program);
    List<Variable> variables = new ArrayList<>();
    for (Variable variable : program.variables()) {
      boolean kept = false;
      for (int block = variable.block();
          block != Block.NONE;
          block = program.block(block).parent()) {
        kept |= numbering.isKept(block);
      }
      if (variable.kind() == Variable.Kind.TENSOR && !variable.isPersistable() && !kept) {
        variables.add(variable);
      }
    }
    return variables;
  }
}
