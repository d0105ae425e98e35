package dev.sublet.picture;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Piece;
import dev.sublet.picture.TimeAxis.AxisStep;
import dev.sublet.picture.TimeAxis.Presence;
import dev.sublet.program.Program;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which operators and variables of two programs a picture takes for the same. */
class RewriteSceneTest {

  private static final TranspileOptions REUSE =
      TranspileOptions.defaults()
          .withObservation(
              new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));

  private static Picture optimize(Program program, TranspileOptions options) {
    TranspileResult result = Transpiler.transpile(program, options);
    ProgramFacts before = ProgramFacts.of(program, options.analysis(), new DiagnosticLog());
    Liveness needs = before.liveness().forOffsets(before.sizes()::isKnown);
    return Picture.ofRewrite(
        "test",
        new OriginalProgram(needs.graph(), needs.ranges(), before.sizes()),
        result.sharing(),
        ControlFlowGraph.build(result.program(), OperatorCatalog.standard()),
        result.plan(),
        ImmutableMap.of());
  }

  /** The steps, those of one stage only behind a sign. */
  private static String steps(Picture picture) {
    List<String> steps = new ArrayList<>();
    for (AxisStep step : picture.axis().steps()) {
      String sign =
          switch (step.presence()) {
            case BOTH -> "";
            case BEFORE -> "-";
            case AFTER -> "+";
          };
      steps.add(sign + (step.isExit() ? "/" : "") + step.label());
    }
    return String.join(" ", steps);
  }

  private static int index(Picture picture, String name) {
    for (int i = 0; i < picture.variables().size(); i++) {
      if (picture.variables().get(i).name().equals(name)) {
        return i;
      }
    }
    throw new AssertionError(name);
  }

  private static String holder(Picture picture, String name) {
    int holder = picture.variables().get(index(picture, name)).holder();
    return picture.variables().get(holder).name();
  }

  private static final String COPY_LOOP =
      """
      version 2004000
      default fp32[256]
      block 0
        feed f
        var i: int64[1] persistable
        var n: int64[1] persistable
        var c: bool[1] persistable
        x = relu(f)
        z = tanh(f)
        while(Condition: c, X: x z i n) -> (Out: x z i c, StepScopes: s) {sub_block: 1, is_test: true}
        r = elementwise_sub(x, z)
        fetch(r)
      block 1 parent 0
        y = exp(x)
        x = assign(y)
        w = exp(z)
        z = assign(w)
        i = increment(i)
        c = less_than(X: i, Y: n)
      """;

  @Test
  void droppedCopies_areStepsOfTheOriginalOnly() {
    Picture picture = optimize(ProgramText.parse(COPY_LOOP), REUSE);

    assertThat(steps(picture))
        .isEqualTo(
            "feed relu tanh while exp -assign exp -assign increment less_than /while"
                + " elementwise_sub fetch");
    // What was renamed by the loop is known from the operators.
    assertThat(holder(picture, "y")).isEqualTo(holder(picture, "x"));
    assertThat(holder(picture, "w")).isEqualTo(holder(picture, "z"));
    assertThat(holder(picture, "x")).isNotEqualTo(holder(picture, "z"));
  }

  @Test
  void releasesAndUnrolledLoops_areStepsOfTheRewrittenProgramOnly() throws Exception {
    TranspileOptions defaults = TranspileOptions.defaults();
    TranspileOptions release =
        new TranspileOptions(
            defaults.shapes(),
            defaults.observation(),
            defaults.sharing(),
            defaults.offsets(),
            defaults.target(),
            /* release= */ true,
            /* stripDebug= */ false,
            /* strict= */ false,
            LoopMode.COPY,
            defaults.inPlace());
    Program chain =
        ProgramText.parse(
            """
            version 2004001
            default fp32[256]
            block 0
              feed x: fp32[256]
              a = fused_feedforward(x, x)
              b = fused_feedforward(a, a)
              c = fused_feedforward(b, b)
              fetch(c)
            """);
    assertThat(steps(optimize(chain, release)))
        .isEqualTo("feed fused_feedforward fused_feedforward fused_feedforward +delete_var fetch");

    // Two variables swap their values: the body is there twice, and the copies are gone.
    Picture unrolled =
        optimize(
            ProgramText.parse(Files.readString(Path.of("testdata/loops/swap.program"))),
            REUSE.withLoops(LoopMode.UNROLL));
    assertThat(steps(unrolled))
        .isEqualTo(
            "feed relu tanh +fill_constant while -assign -assign -assign increment less_than"
                + " +fill_constant +conditional_block +increment +less_than +fill_constant"
                + " +/conditional_block /while +fill_constant +equal +conditional_block +assign"
                + " +assign +assign +/conditional_block elementwise_sub fetch");
  }

  /**
   * Wherever a variable of the original is read, the variable that it has become has bytes: if
   * operators or variables were confused, it would not. O(everything), for a few hundred programs.
   */
  @Test
  void whoeverIsReadBefore_hasBytesAfter() {
    long checked = 0;
    for (long seed = 0; seed < 60; seed++) {
      Program program = RandomPrograms.generate(seed, 40);
      checked += check("generate(" + seed + ", 40)", program, TranspileOptions.defaults());
    }
    for (long seed = 0; seed < 30; seed++) {
      Program program = ProgramText.parse(RandomLoops.generate(seed, seed % 2 == 1));
      checked += check("loops " + seed, program, REUSE);
    }
    assertThat(checked).isAtLeast(10_000);
  }

  /** Wherever variables with the name of a box are live, the box has one of these. */
  private static void checkTenants(String name, Picture picture) {
    Map<String, Set<Integer>> live = new HashMap<>();
    for (Box box : picture.before().boxes()) {
      int holder = picture.variables().get(box.variable()).holder();
      for (Piece piece : box.pieces()) {
        for (int point = piece.begin(); point < piece.end(); point++) {
          live.computeIfAbsent(holder + " " + point, key -> new HashSet<>()).add(box.variable());
        }
      }
    }
    for (Box box : picture.after().boxes()) {
      int last = -1;
      for (Piece piece : box.pieces()) {
        assertThat(piece.begin()).isAtLeast(last);
        assertThat(piece.end()).isGreaterThan(piece.begin());
        last = piece.end();
        for (int point = piece.begin(); point < piece.end(); point++) {
          Set<Integer> there = live.getOrDefault(box.variable() + " " + point, Set.of());
          assertWithMessage("%s: %s at %s of %s", name, piece, point, there)
              .that(there.isEmpty() || there.contains(piece.variable()))
              .isTrue();
        }
      }
    }
  }

  private static long check(String name, Program program, TranspileOptions options) {
    Picture picture = optimize(program, options);
    List<List<Piece>> after = new ArrayList<>();
    for (int i = 0; i < picture.variables().size(); i++) {
      after.add(new ArrayList<>());
    }
    for (Box box : picture.after().boxes()) {
      after.get(box.variable()).addAll(box.pieces());
    }
    checkTenants(name, picture);
    long checked = 0;
    for (Box box : picture.before().boxes()) {
      for (Piece piece : box.pieces()) {
        for (int point = piece.begin(); point < piece.end(); point++) {
          AxisStep step = picture.axis().steps().get(point / 2);
          // At a write point an input may already be gone: its output may have its bytes.
          if (point % 2 == 0 && step.presence() == Presence.BOTH) {
            int holder = picture.variables().get(box.variable()).holder();
            int at = point;
            boolean isLive =
                after.get(holder).stream().anyMatch(p -> p.begin() <= at && at < p.end());
            assertWithMessage(
                    "%s: %s at %s", name, picture.variables().get(box.variable()).name(), point)
                .that(isLive)
                .isTrue();
            checked++;
          }
        }
      }
    }
    return checked;
  }
}
