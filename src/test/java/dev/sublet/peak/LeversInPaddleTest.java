package dev.sublet.peak;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.paddle.CorpusModels;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.Program;
import java.util.Comparator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Changes that {@link Levers} lists, made in real programs, and run in a real Paddle. */
final class LeversInPaddleTest {

  /** What the changes must leave of the arena, at most. */
  private static final double MOST = 0.9;

  @BeforeAll
  static void needsRuntimeAndCorpus() {
    PaddleRuntime.assumeAvailable();
    CorpusModels.assumeAvailable();
  }

  private static void assertEqualResults(Model model, Program changed) {
    for (Mode mode : new Mode[] {Mode.PLAIN, Mode.OPTIMIZING_MEMORY}) {
      assertWithMessage("%s, %s", model, mode)
          .that(
              PaddleRuntime.run(model.with(changed), mode)
                  .differencesFrom(PaddleRuntime.run(model, mode)))
          .isEmpty();
    }
  }

  private static long residentPeak(Model model, Program program, Mode mode) {
    return PaddleRuntime.run(model.with(program), mode).residentPeak();
  }

  private static void print(Model model, String what, long arena, Program program) {
    System.out.printf("%s %s arena %d", model, what, arena);
    for (Mode mode : new Mode[] {Mode.MEASURED, Mode.OPTIMIZING_MEMORY_MEASURED}) {
      System.out.printf(" %s %d kB", mode, residentPeak(model, program, mode));
    }
    System.out.println();
  }

  private static void splits(String name, String feed, int height) {
    Model model =
        CorpusModels.read(name).withFeeds(Feeds.none().withImage(feed, 4, 3, height, height));
    TranspileOptions options =
        TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
    PlanResult whole = Transpiler.plan(model.program(), options);
    PlanPeak peak = PlanPeak.of(whole.facts(), whole.plan());
    BatchSplit split =
        BatchSplit.of(whole.facts(), peak.node()).stream()
            .min(
                Comparator.comparingLong(
                    each -> Transpiler.plan(each.program(), options).plan().arenaBytes()))
            .orElseThrow();
    long arena = Transpiler.plan(split.program(), options).plan().arenaBytes();
    assertThat((double) arena).isAtMost(MOST * whole.plan().arenaBytes());
    Program rewritten = Transpiler.transpile(split.program(), options).program();
    assertEqualResults(model, split.program());
    assertEqualResults(model, rewritten);
    print(model, "saved", whole.plan().arenaBytes(), model.program());
    print(
        model,
        "rewritten",
        whole.plan().arenaBytes(),
        Transpiler.transpile(model.program(), options).program());
    print(model, "halves", arena, split.program());
    print(model, "halves rewritten", arena, rewritten);
    for (Mode mode : new Mode[] {Mode.FUSED, Mode.FUSED_OPTIMIZING_MEMORY}) {
      System.out.println(
          mode
              + " "
              + PaddleRuntime.run(model.with(split.program()), mode)
                  .differencesFrom(PaddleRuntime.run(model, mode)));
    }
  }

  @Test
  void halvesOfTheBatch() {
    splits("clas_huxj", "x", 224);
    splits("t66y", "image", 250);
  }

  @Test
  void reusedFeeds() {
    for (String name : new String[] {"luong_infer", "t66y"}) {
      Model model = CorpusModels.read(name);
      TranspileOptions options =
          TranspileOptions.defaults().withShapes(model.feeds().shapeOptions());
      ObservationOptions seen = options.observation();
      TranspileOptions reusing =
          options.withObservation(
              new ObservationOptions(seen.fetch(), seen.keep(), true, seen.aliases()));
      long before = Transpiler.plan(model.program(), options).plan().arenaBytes();
      long after = Transpiler.plan(model.program(), reusing).plan().arenaBytes();
      assertThat((double) after).isAtMost(MOST * before);
      Program rewritten = Transpiler.transpile(model.program(), reusing).program();
      assertEqualResults(model, rewritten);
      print(model, "saved", before, model.program());
      print(
          model, "rewritten", before, Transpiler.transpile(model.program(), options).program());
      print(model, "reusing", after, rewritten);
    }
  }
}
