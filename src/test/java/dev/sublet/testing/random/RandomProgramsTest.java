package dev.sublet.testing.random;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.truth.extensions.proto.ProtoTruth;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.testing.simulate.Observations;
import dev.sublet.testing.simulate.Schedule;
import dev.sublet.testing.simulate.Simulator;
import dev.sublet.testing.simulate.Values;
import dev.sublet.testing.text.ProgramText;
import java.util.BitSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class RandomProgramsTest {

  private static final int SEEDS = 500;
  private static final int SIZE = 30;

  /** What at least one program in fifty must hold. */
  private static final ImmutableList<String> EXPECTED =
      ImmutableList.of(
          "while",
          "while is_test",
          "conditional_block",
          "conditional_block_infer",
          "select_input",
          "logical_not",
          "recurrent",
          "while_grad",
          "conditional_block_grad",
          "mystery_a",
          "mystery_maybe",
          "mystery_runner",
          "write_to_array",
          "read_from_array",
          "batch_norm",
          "depth 1",
          "depth 2",
          "depth 3",
          "in place",
          "dead output",
          "written twice",
          "hides an outer variable",
          "writes an outer variable",
          "local crosses the back edge",
          "gradient block at depth 2",
          "empty gradient",
          "sgd",
          "assign",
          "lod",
          "two fetches",
          "probe");

  @Provide
  Arbitrary<RandomPrograms.Sample> samples() {
    return RandomPrograms.samples();
  }

  @Property(tries = 200)
  void aSeed_alwaysMakesTheSameProgram(@ForAll("samples") RandomPrograms.Sample sample) {
    Program again = RandomPrograms.generate(sample.seed(), sample.size());

    ProtoTruth.assertThat(again.toMessage()).isEqualTo(sample.program().toMessage());
  }

  @Property(tries = 200)
  void theText_ofAProgram_isTheProgram(@ForAll("samples") RandomPrograms.Sample sample) {
    Program parsed = ProgramText.parse(ProgramText.print(sample.program()));

    ProtoTruth.assertThat(parsed.toMessage()).isEqualTo(sample.program().toMessage());
  }

  @Property(tries = 200)
  void aProgram_isAsGoodAsItself(@ForAll("samples") RandomPrograms.Sample sample) {
    for (int seed = 0; seed < 3; seed++) {
      Simulator simulator = Simulator.of(Schedule.of(seed));
      Observations observations = simulator.run(sample.program());

      assertThat(observations.undefinedControl()).isFalse();
      assertThat(simulator.run(sample.program()).differencesFrom(observations)).isEmpty();
    }
  }

  @Property(tries = 200)
  void onlyProbes_mayBeUndefined(@ForAll("samples") RandomPrograms.Sample sample) {
    Observations observations = Simulator.of(Schedule.of(1)).run(sample.program());

    for (String key : observations.values().keySet()) {
      if (key.startsWith("end ") && !key.startsWith("end 0:" + RandomPrograms.PROBE)) {
        assertWithMessage(key)
            .that(observations.values().get(key))
            .doesNotContain(Values.UNDEFINED);
      }
    }
  }

  @Test
  void programs_holdEverythingThatMatters() {
    Multiset<String> found = HashMultiset.create();
    for (int seed = 0; seed < SEEDS; seed++) {
      Program program = RandomPrograms.generate(seed, SIZE);
      Multiset<String> here = HashMultiset.create();
      for (Block block : program.blocks()) {
        here.add("depth " + depth(program, block));
        for (Operation operation : block.operations()) {
          countOperation(program, operation, here);
        }
      }
      countVariables(program, here);
      found.addAll(here.elementSet());
    }
    for (String what : EXPECTED) {
      assertWithMessage("%s in %s", what, found).that(found.count(what)).isAtLeast(SEEDS / 50);
    }
  }

  private static int depth(Program program, Block block) {
    return block.parent() == Block.NONE ? 0 : 1 + depth(program, program.block(block.parent()));
  }

  private static void countOperation(Program program, Operation operation, Multiset<String> found) {
    found.add(operation.type());
    if (operation.type().equals("while") && operation.flag("is_test")) {
      found.add("while is_test");
    }
    if (operation.type().equals("fetch") && found.count("fetch") > 1) {
      found.add("two fetches");
    }
    Block block = program.block(operation.block());
    if (block.forward() != Block.NONE && depth(program, block) > 1) {
      found.add("gradient block at depth 2");
    }
    BitSet inputs = new BitSet();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        inputs.set(operation.input(i));
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output == Program.NO_VARIABLE) {
        found.add("empty gradient");
      } else {
        if (inputs.get(output) && operation.type().equals("relu")) {
          found.add("in place");
        }
        if (program.variable(output).block() != operation.block()) {
          found.add("writes an outer variable");
        }
      }
    }
  }

  private static void countVariables(Program program, Multiset<String> found) {
    int[] writes = new int[program.variableCount()];
    BitSet read = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.outputCount() && operation.blocks().isEmpty(); i++) {
          if (operation.output(i) != Program.NO_VARIABLE) {
            writes[operation.output(i)]++;
          }
        }
        for (int i = 0; i < operation.inputCount(); i++) {
          if (operation.input(i) != Program.NO_VARIABLE) {
            read.set(operation.input(i));
          }
        }
      }
    }
    for (Variable variable : program.variables()) {
      if (writes[variable.index()] > 0 && !read.get(variable.index())) {
        found.add("dead output");
      }
      if (writes[variable.index()] > 1 && !variable.isPersistable()) {
        found.add("written twice");
      }
      if (variable.name().startsWith("guarded")) {
        found.add("local crosses the back edge");
      }
      if (variable.name().startsWith(RandomPrograms.PROBE)) {
        found.add("probe");
      }
      if (variable.tensorType().isPresent() && variable.tensorType().get().lodLevel() > 0) {
        found.add("lod");
      }
      Block home = program.block(variable.block());
      if (home.parent() != Block.NONE
          && program.resolve(home.parent(), variable.name()) != Program.NO_VARIABLE) {
        found.add("hides an outer variable");
      }
    }
  }
}
