package dev.sublet.micro.fuse;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.micro.ir.MicroProgramCheck;
import dev.sublet.tensor.Tensor;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simplified programs, and those after single passes, compute the same bits as the given ones. */
final class RandomProgramsTest {

  private static final int PROGRAMS = Integer.getInteger("sublet.fuse.programs", 400);

  private static final ImmutableList<String> PASSES =
      ImmutableList.of(
          "unify-extents",
          "drop-single-loops",
          "remove-dead-blocks",
          "inline-producers",
          "merge-blocks",
          "substitute-temporaries",
          "shrink-temporaries",
          "remove-bounds-checks",
          "renumber-loops");

  private static final int FIRST = Integer.getInteger("sublet.fuse.first", 0);

  @Test
  void graphs_simplified_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      Random random = new Random(seed);
      MicroProgram program = RandomGraphs.program(random, 1 + random.nextInt(14));
      assertSame("graph " + seed, program, SimplifyProgram.simplify(program).program(), random);
    }
  }

  @Test
  void graphs_passesInAnyOrder_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      Random random = new Random(seed);
      MicroProgram program = RandomGraphs.program(random, 1 + random.nextInt(14));
      assertPassesKeepResults("graph " + seed, program, random);
    }
  }

  @Test
  void nests_simplified_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + 4 * PROGRAMS; seed++) {
      Random random = new Random(seed);
      MicroProgram program = RandomNests.program(random);
      assertSame("nest " + seed, program, SimplifyProgram.simplify(program).program(), random);
    }
  }

  @Test
  void nests_passesInAnyOrder_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + 4 * PROGRAMS; seed++) {
      Random random = new Random(seed);
      assertPassesKeepResults("nest " + seed, RandomNests.program(random), random);
    }
  }

  private static void assertPassesKeepResults(String what, MicroProgram program, Random random) {
    MicroProgram now = program;
    StringBuilder applied = new StringBuilder(what);
    for (int i = 0; i < 4; i++) {
      String name = PASSES.get(random.nextInt(PASSES.size()));
      applied.append(' ').append(name);
      now = SimplifyProgram.pass(name).orElseThrow().apply(now);
      assertSame(applied.toString(), program, now, random);
    }
  }

  private static void assertSame(
      String what, MicroProgram given, MicroProgram simplified, Random random) {
    MicroProgramCheck.check(simplified);
    for (int run = 0; run < 3; run++) {
      long[] extents = new long[RandomGraphs.LABELS];
      for (int label = 0; label < extents.length; label++) {
        extents[label] = run == 0 ? 2 + label : random.nextInt(5);
      }
      ImmutableMap<String, Tensor> inputs = RandomRuns.inputs(given, random, extents);
      long p = random.nextInt(4) - 1;
      String expected = RandomRuns.outputs(given, inputs, p, 0.5) + "probe int64 [] [0]\n";
      String actual;
      try {
        actual = RandomRuns.outputs(Probes.in(simplified), inputs, p, 0.5);
      } catch (RuntimeException e) {
        throw new AssertionError(what + "\n" + given + "\n" + simplified, e);
      }
      assertWithMessage("%s\n%s\n%s", what, given, simplified).that(actual).isEqualTo(expected);
    }
  }
}
