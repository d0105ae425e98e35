package dev.sublet.testing;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Block;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/**
 * The simulator on random programs: it accepts what cannot be wrong and notices most of the rest.
 */
final class SimulatorRandomTest {

  private static final int BYTES = 16;

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

  @Test
  void mergingVariablesAtRandom_isMostlyNoticed() {
    int tried = 0;
    int noticed = 0;
    for (int seed = 0; seed < 300; seed++) {
      Program program = RandomPrograms.generate(seed, 20);
      List<Variable> variables = plannable(program);
      SplittableRandom random = new SplittableRandom(seed);
      Variable from = variables.get(random.nextInt(variables.size()));
      Variable into = variables.get(random.nextInt(variables.size()));
      if (from.block() == into.block() && from.index() != into.index()) {
        Program merged = ProgramEditor.of(program).merge(from.index(), into.index()).build();
        tried++;
        noticed += isNoticed(program, merged) ? 1 : 0;
      }
    }

    assertThat(tried).isGreaterThan(100);
    assertThat(noticed).isGreaterThan(tried / 2);
    assertThat(noticed).isLessThan(tried);
  }

  private static boolean isNoticed(Program program, Program merged) {
    for (int seed = 0; seed < 5; seed++) {
      Simulator simulator = Simulator.of(Schedule.of(seed));
      if (!simulator.run(merged, program).differencesFrom(simulator.run(program)).isEmpty()) {
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
