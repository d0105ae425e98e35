package dev.sublet.placement.local;

import static com.google.common.truth.Truth.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which rectangles are joined to boxes. */
final class BoxingTest {

  private static final int[] PINWHEEL_BEGINS = {0, 3, 0, 1, 1};
  private static final int[] PINWHEEL_ENDS = {3, 4, 1, 3, 4};

  private static BoxForest box(Rectangles rectangles, long tolerance) {
    int[] order = IntStream.range(0, rectangles.count).toArray();
    return Boxing.of(rectangles, order, tolerance, /* maxSteps= */ 10_000).boxes();
  }

  private static Rectangles rectangles(int[] begins, int[] ends, long... heights) {
    return Rectangles.of(begins, ends, heights);
  }

  @Test
  void aPinwheel_isOneBox() {
    // As in the comment of BoxFinder: a, b, c, d, e, with rows of 10, 20 and 30 bytes.
    Rectangles pinwheel = rectangles(PINWHEEL_BEGINS, PINWHEEL_ENDS, 10, 30, 50, 20, 30);
    BoxForest boxes = box(pinwheel, /* tolerance= */ 0);
    assertThat(boxes.rootCount()).isEqualTo(1);
    long[] offsets = boxes.unpack(boxes.roots(), new long[] {100});
    assertThat(pinwheel.top(offsets)).isEqualTo(160);
    assertThat(offsets[3]).isAnyOf(110L, 130L);
  }

  @Test
  void aPinwheelWithHoles_isABoxIfHeightsMayDiffer() {
    Rectangles pinwheel = rectangles(PINWHEEL_BEGINS, PINWHEEL_ENDS, 10, 29, 49, 20, 30);
    assertThat(box(pinwheel, /* tolerance= */ 0).rootCount()).isEqualTo(5);
    BoxForest boxes = box(pinwheel, /* tolerance= */ 2);
    assertThat(boxes.rootCount()).isEqualTo(1);
    assertThat(boxes.height(boxes.roots()[0])).isEqualTo(60);
  }

  @Test
  void whatFollowsInTheSamePlace_orLivesAsLong_isJoined() {
    Rectangles rectangles = rectangles(new int[] {0, 1, 0, 0}, new int[] {1, 3, 3, 2}, 5, 5, 7, 1);
    BoxForest boxes = box(rectangles, /* tolerance= */ 0);
    // The first two follow each other, and live as long as the third together.
    assertThat(boxes.rootCount()).isEqualTo(2);
    int box = boxes.roots()[1];
    assertThat(boxes.height(box)).isEqualTo(12);
    assertThat(boxes.leafCount(box)).isEqualTo(3);
  }

  @Test
  void aBoxThatKeepsOthersFromBeingFound_isOpened() {
    // Rows a b / c d and, elsewhere, e f: b begins where a, e and c end, and so do d and f.
    // a and d are equally high by chance, so that they are joined first.
    int[] begins = {0, 2, 0, 2, 0, 2};
    int[] ends = {2, 5, 2, 4, 2, 4};
    Rectangles rectangles = rectangles(begins, ends, 5, 9, 9, 5, 4, 4);
    BoxForest boxes = box(rectangles, /* tolerance= */ 0);
    long[] offsets = new long[boxes.rootCount()];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + boxes.height(boxes.roots()[i - 1]);
    }
    // Stacked upon each other the boxes are not higher than the load.
    assertThat(rectangles.top(boxes.unpack(boxes.roots(), offsets))).isEqualTo(18);
  }

  @Test
  void undo_takesBackAllChanges() {
    Rectangles rectangles = rectangles(new int[] {0, 0}, new int[] {2, 2}, 3, 4);
    BoxForest boxes = new BoxForest(rectangles, new int[] {0, 1});
    boxes.pack(new int[] {0, 1}, new long[] {0, 3}, /* end= */ 1, /* height= */ 7);
    assertThat(boxes.roots()).asList().containsExactly(2);
    boxes.open(2);
    assertThat(boxes.roots()).asList().containsExactly(0, 1);
    boxes.undo(1);
    assertThat(boxes.roots()).asList().containsExactly(2);
    boxes.undo(0);
    assertThat(boxes.roots()).asList().containsExactly(0, 1);
    assertThat(boxes.count()).isEqualTo(2);
  }
}
