package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs with blocks in {@code testdata/nested/*.program}, planned together and block by block,
 * the latter also with loops that move what they carry, with the offsets in a file beside each; and
 * what holds of every program. With {@code -Dsublet.updateGoldens=true} the expected files are
 * written.
 */
final class NestedPlansTest {

  private static final Path FOLDER = Path.of("testdata/nested");

  private static final TranspileOptions COPYING =
      TranspileOptions.defaults().withLoops(LoopMode.COPY);

  private static final TranspileOptions MOVING =
      TranspileOptions.defaults().withLoops(LoopMode.MULTIVIEW);

  private static final OffsetOptions PLAIN =
      new OffsetOptions("greedy-size", 64, /* inPlace= */ false, Views.NONE);

  @TestFactory
  Stream<DynamicTest> cases() {
    ImmutableList<GoldenCase> programs = GoldenPrograms.in(FOLDER).files(".program");
    assertThat(programs.size()).isAtLeast(5);
    return programs.stream()
        .map(golden -> dynamicTest(golden.input().getFileName().toString(), () -> check(golden)));
  }

  private static void check(GoldenCase golden) throws IOException {
    Program program = ProgramText.parse(Files.readString(golden.input()));
    String offsets =
        print("together", plan(program, PLAIN))
            + print("block by block", plan(program, PLAIN.withHierarchical(true)));
    PlanResult moving = Transpiler.plan(program, MOVING.withOffsets(PLAIN.withHierarchical(true)));
    if (!moving.plan().copies().isEmpty()) {
      offsets += print("block by block, loops move", moving.plan());
    }
    Fallbacks.assertNone(moving.diagnostics(), "");
    golden.expect().text(golden.name() + ".offsets", offsets).check();
  }

  /** The validator has accepted what this returns. */
  private static MemoryPlan plan(Program program, OffsetOptions offsets) {
    return Transpiler.plan(program, COPYING.withOffsets(offsets)).plan();
  }

  private static String print(String title, MemoryPlan plan) {
    StringBuilder text = new StringBuilder();
    text.append(title).append(": ").append(plan.arenaBytes());
    text.append(" bytes, at least ").append(plan.lowerBound()).append('\n');
    for (Allocation allocation : plan.allocations()) {
      text.append("  block ").append(allocation.variable().block());
      text.append(' ').append(allocation.variable().name());
      text.append(" at ");
      text.append(allocation.views().map(Object::toString).orElse("" + allocation.offset()));
      text.append(" +").append(allocation.bytes());
      text.append(' ').append(allocation.live()).append('\n');
    }
    return text.toString();
  }

  @Property(tries = 400)
  void blockByBlock_isValid_andNeverSmaller(
      @ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int size) {
    boolean views = seed % 2 == 0;
    Program program =
        views ? RandomPrograms.generateWithViews(seed, size) : RandomPrograms.generate(seed, size);
    long alignment = List.of(1L, 16L, 64L).get(Math.floorMod(seed, 3));
    OffsetOptions offsets =
        new OffsetOptions("greedy-size", alignment, seed % 5 != 0, views ? Views.ALL : Views.NONE);
    MemoryPlan together = plan(program, offsets);
    MemoryPlan blockByBlock = plan(program, offsets.withHierarchical(true));
    assertThat(together.arenaBytes()).isAtMost(blockByBlock.arenaBytes());
    assertThat(blockByBlock.lowerBound()).isEqualTo(together.lowerBound());
  }
}
