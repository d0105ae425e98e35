package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.op.Differentiate;
import dev.sublet.runtime.micro.op.Gradient;
import dev.sublet.runtime.micro.op.GradientRequest;
import dev.sublet.runtime.micro.op.MicroGraph;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simplified programs, and those after single passes, compute the same bits as the given ones. */
final class RandomProgramsTest {

  private static final int PROGRAMS =
      Integer.getInteger("sublet.fuse.programs", LongForm.tries(/* usual= */ 140, /* all= */ 400));

  private static final ImmutableList<String> PASSES =
      ImmutableList.of(
          "unify-extents",
          "drop-single-loops",
          "remove-dead-blocks",
          "inline-producers",
          "drop-constant-axes",
          "merge-blocks",
          "substitute-temporaries",
          "shrink-temporaries",
          "remove-bounds-checks",
          "renumber-loops");

  /** What {@link Probes} say of a program whose unchecked accesses are inside. */
  private static final String NOT_OUTSIDE = "probe int64 [] [0]\n";

  private static final int FIRST = Integer.getInteger("sublet.fuse.first", 0);

  @Test
  void graphs_simplified_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      Random random = new Random(seed);
      MicroProgram program = RandomGraphs.graph(random, 1 + random.nextInt(14)).emit();
      assertSame("graph " + seed, program, SimplifyProgram.simplify(program).program(), random);
    }
  }

  @Test
  void graphs_passesInAnyOrder_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      Random random = new Random(seed);
      MicroProgram program = RandomGraphs.graph(random, 1 + random.nextInt(14)).emit();
      assertPassesKeepResults("graph " + seed, program, random);
    }
  }

  @Test
  void gradientsOfGraphs_simplified_giveTheSameBits() {
    for (int seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      Random random = new Random(seed);
      MicroGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(8));
      GradientRequest request = GradientRequest.fromInputs(graph);
      if (!request.wanted().isEmpty()) {
        Gradient gradient = Differentiate.gradient(graph, request);
        assertGradientSame("gradient " + seed, graph, gradient, random);
      }
    }
  }

  private static void assertGradientSame(
      String what, MicroGraph graph, Gradient gradient, Random random) {
    MicroProgram simplified =
        SimplifyProgram.simplify(gradient.program(), random.nextBoolean()).program();
    MicroProgramCheck.check(simplified);
    for (int run = 0; run < 2; run++) {
      MicroProgram forward = graph.emit();
      ImmutableMap<String, Tensor> inputs =
          RandomRuns.inputs(forward, random, extents(run, random));
      ImmutableMap<String, Tensor> outputs = RandomRuns.run(forward, inputs, 1, 0.5);
      ImmutableMap.Builder<String, Tensor> all = ImmutableMap.builder();
      all.putAll(inputs);
      gradient
          .outputGradients()
          .forEach(
              (output, name) -> {
                Tensor value = requireNonNull(outputs.get(output));
                all.put(name, RandomRuns.tensor(value.type(), value.shape(), random));
              });
      ImmutableMap<String, Tensor> given = all.buildOrThrow();
      assertWithMessage("%s\n%s\n%s", what, gradient.program(), simplified)
          .that(RandomRuns.outputs(Probes.in(simplified), given, 1, 0.5))
          .isEqualTo(RandomRuns.outputs(gradient.program(), given, 1, 0.5) + NOT_OUTSIDE);
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
      ImmutableMap<String, Tensor> inputs = RandomRuns.inputs(given, random, extents(run, random));
      long p = random.nextInt(4) - 1L;
      String expected = RandomRuns.outputs(given, inputs, p, 0.5) + NOT_OUTSIDE;
      String actual;
      try {
        actual = RandomRuns.outputs(Probes.in(simplified), inputs, p, 0.5);
      } catch (RuntimeException e) {
        throw new AssertionError(what + "\n" + given + "\n" + simplified, e);
      }
      assertWithMessage("%s\n%s\n%s", what, given, simplified).that(actual).isEqualTo(expected);
    }
  }

  /** Different ones first, then any, also 0 and 1. */
  private static long[] extents(int run, Random random) {
    long[] extents = new long[RandomGraphs.LABELS];
    for (int label = 0; label < RandomGraphs.LABELS; label++) {
      extents[label] = run == 0 ? 2 + label : random.nextInt(5);
    }
    return extents;
  }
}
