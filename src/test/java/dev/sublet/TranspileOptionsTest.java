package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Pool;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.ShapeOptions;
import java.lang.reflect.RecordComponent;
import org.junit.jupiter.api.Test;

/** Options are changed one at a time, and no change touches another one. */
final class TranspileOptionsTest {

  private static final TranspileOptions ALL = TranspileOptions.defaults();
  private static final OffsetOptions OFFSETS = OffsetOptions.defaults();
  private static final ShapeOptions SHAPES = ShapeOptions.defaults();

  @Test
  void ofARun() throws ReflectiveOperationException {
    assertChanges(ALL, ALL.withShapes(SHAPES.withBatch(2)), "shapes");
    assertChanges(ALL, ALL.withOffsets(OFFSETS.withAlignment(1)), "offsets");
    assertChanges(ALL, ALL.withTarget(MemorySpaces.Target.GPU), "target");
    assertChanges(ALL, ALL.withRelease(true), "release");
    assertChanges(ALL, ALL.withStripDebug(true), "stripDebug");
    assertChanges(ALL, ALL.withStrict(true), "strict");
    assertChanges(ALL, ALL.withLoops(LoopMode.COPY), "loops");
  }

  @Test
  void ofOffsets() throws ReflectiveOperationException {
    assertChanges(OFFSETS, OFFSETS.withPlanner("nnc"), "planner");
    assertChanges(OFFSETS, OFFSETS.withAlignment(1), "alignment");
    assertChanges(OFFSETS, OFFSETS.withInPlace(false), "inPlace");
    assertChanges(OFFSETS, OFFSETS.withOrder(ExecutionOrder.PARALLEL), "order");
    assertChanges(OFFSETS, OFFSETS.withViews(Views.ALL), "views");
    PlannerOptions search =
        new PlannerOptions(1, /* timeoutMillis= */ 0, PlannerOptions.defaults().order());
    assertChanges(OFFSETS, OFFSETS.withSearch(search), "search");
    assertChanges(OFFSETS, OFFSETS.withCapacity(1024), "capacity");
    assertChanges(OFFSETS, OFFSETS.withHierarchical(true), "hierarchical");
    ImmutableList<Pool> pools = ImmutableList.of(new Pool("sram", Pool.UNLIMITED));
    assertChanges(OFFSETS, OFFSETS.withPools(pools), "pools");
  }

  @Test
  void ofShapes_theLastCounts() {
    ShapeOptions given =
        SHAPES
            .withBatch(8)
            .withShape("x", 1, 3)
            .withShape("y", 4)
            .withShape("x", 8, 3)
            .withSequences("z", ImmutableLongArray.of(0, 2));
    assertThat(given.batch()).isEqualTo(8);
    assertThat(given.feedShapes())
        .isEqualTo(
            ImmutableMap.of("x", ImmutableLongArray.of(8, 3), "y", ImmutableLongArray.of(4)));
    assertThat(given.lod())
        .isEqualTo(ImmutableMap.of("z", ImmutableList.of(ImmutableLongArray.of(0, 2))));
  }

  private static void assertChanges(Record before, Record after, String name)
      throws ReflectiveOperationException {
    for (RecordComponent component : before.getClass().getRecordComponents()) {
      Object old = component.getAccessor().invoke(before);
      Object now = component.getAccessor().invoke(after);
      assertWithMessage("%s of %s", component.getName(), after)
          .that(now.equals(old))
          .isEqualTo(!component.getName().equals(name));
    }
  }
}
