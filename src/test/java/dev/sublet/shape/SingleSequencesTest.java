package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** A feed with sequences whose shape is given without offsets has one sequence. */
final class SingleSequencesTest {

  private static final Program POOL =
      ProgramText.parse(
          """
          version 1008005
          block 0
            feed words: fp32[-1,5] lod(1)
            feed image: fp32[-1,4]
            feed pairs: fp32[-1,2] lod(2)
            var hidden: fp32[-1,5] lod(1)
            var best: fp32[-1,5]
            hidden = relu(words)
            best = sequence_pool(X: hidden) {pooltype: "MAX"}
            fetch(best)
            fetch(image)
            fetch(pairs)
          """);

  @Test
  void givenRows_areOneSequence() {
    ShapeOptions given =
        ShapeOptions.defaults()
            .withShape("words", 9, 5)
            .withShape("image", 3, 4)
            .withShape("pairs", 6, 2);
    assertThat(given.withSingleSequences(POOL).lod())
        .isEqualTo(
            ImmutableMap.of(
                "words",
                ImmutableList.of(ImmutableLongArray.of(0, 9)),
                "pairs",
                ImmutableList.of(ImmutableLongArray.of(0, 1), ImmutableLongArray.of(0, 6))));
  }

  @Test
  void givenOffsets_stay() {
    ShapeOptions given =
        ShapeOptions.defaults()
            .withShape("words", 9, 5)
            .withSequences("words", ImmutableLongArray.of(0, 4, 9));
    assertThat(given.withSingleSequences(POOL)).isEqualTo(given);
    assertThat(ShapeOptions.defaults().withSingleSequences(POOL))
        .isEqualTo(ShapeOptions.defaults());
  }

  @Test
  void sizeThatDependsOnSequences_isKnownThen() {
    ShapeOptions given = ShapeOptions.defaults().withShape("words", 9, 5);
    TranspileOptions options = TranspileOptions.defaults();
    PlanResult open = Transpiler.plan(POOL, options.withShapes(given));
    PlanResult single = Transpiler.plan(POOL, options.withShapes(given.withSingleSequences(POOL)));
    assertThat(reason(open, "best"))
        .isEqualTo(
            "size unknown: the offsets of its sequences are not known: say --lod words=0,… --lod"
                + " pairs=0,…");
    assertThat(reason(single, "best")).isEmpty();
    assertThat(single.plan().feeds().get(0).sequences())
        .containsExactly(ImmutableLongArray.of(0, 9));
  }

  /** Why a variable has no offset; empty if it has one. */
  private static String reason(PlanResult result, String variable) {
    return result.plan().unplanned().stream()
        .filter(each -> each.variable().name().equals(variable))
        .map(each -> each.reason())
        .findFirst()
        .orElse("");
  }
}
