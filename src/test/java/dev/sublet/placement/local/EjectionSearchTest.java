package dev.sublet.placement.local;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

/** That ejection makes room. */
final class EjectionSearchTest {

  /** The middle one fits only if the other two are next to each other. */
  private static final Rectangles THREE =
      Rectangles.of(new int[] {0, 1, 1}, new int[] {2, 3, 2}, new long[] {2, 6, 2});

  @Test
  void rectanglesInTheWay_areMoved() {
    EjectionSearch search = new EjectionSearch(THREE, EjectionSearch.Size.AREA);
    search.start(new long[] {4, -1, 0}, /* newCeiling= */ 10);
    assertThat(search.run(/* maxSteps= */ 1000)).isTrue();
    assertThat(THREE.top(search.offsets())).isEqualTo(10);
    assertThat(search.moves()).isAtLeast(2);
  }

  @Test
  void ceilingBelowTheLoad_neverFinds_andEnds() {
    EjectionSearch search = new EjectionSearch(THREE, EjectionSearch.Size.ROOT_OF_AREA);
    search.start(new long[] {-1, -1, -1}, /* newCeiling= */ 9);
    assertThat(search.run(/* maxSteps= */ 1000)).isFalse();
    assertThat(search.steps()).isAtLeast(1000);
  }

  @Test
  void liveTogether_listsAllThatOverlap() {
    LiveTogether live =
        new LiveTogether(
            Rectangles.of(new int[] {0, 0, 1, 2}, new int[] {3, 1, 2, 3}, new long[] {1, 1, 1, 1}));
    live.with(2);
    assertThat(live.hits()).isEqualTo(2);
    live.with(0);
    assertThat(live.hits()).isEqualTo(4);
  }
}
