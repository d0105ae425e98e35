package dev.sublet.picture;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The curve of live bytes, against bytes counted one by one. */
class LiveBytesCurveTest {

  private static PictureStage random(Random random) {
    ImmutableList<ArenaBand> arenas =
        ImmutableList.of(
            new ArenaBand("a", 40, 0, false),
            new ArenaBand("b", 30, 0, true),
            new ArenaBand("c", 20, 0, false));
    List<Box> boxes = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      int arena = random.nextInt(3);
      int bytes = random.nextInt((int) arenas.get(arena).bytes());
      int offset = random.nextInt((int) arenas.get(arena).bytes() - bytes);
      ImmutableList.Builder<Piece> pieces = ImmutableList.builder();
      int begin = random.nextInt(6);
      for (int p = 1 + random.nextInt(3); p > 0; p--) {
        int end = begin + 1 + random.nextInt(5);
        int low = random.nextInt(bytes + 1);
        pieces.add(new Piece(i, begin, end, low, low + random.nextInt(bytes - low + 1)));
        begin = end + random.nextInt(3);
      }
      boxes.add(new Box(i, arena, offset, bytes, pieces.build(), Optional.empty()));
    }
    return new PictureStage("", arenas, ImmutableList.copyOf(boxes), false);
  }

  private static int count(PictureStage stage, int point) {
    BitSet bytes = new BitSet();
    for (Box box : stage.boxes()) {
      for (Piece piece : box.pieces()) {
        if (box.arena() != 1 && piece.begin() <= point && point < piece.end()) {
          int first = 1000 * box.arena() + (int) box.offset();
          bytes.set(first + (int) piece.low(), first + (int) piece.high());
        }
      }
    }
    return bytes.cardinality();
  }

  @Test
  void curve_isWhatIsCounted() {
    for (int seed = 0; seed < 2000; seed++) {
      PictureStage stage = random(new Random(seed));
      Curve curve = LiveBytesCurve.of(stage);
      int step = 0;
      assertThat(curve.points().get(0)).isEqualTo(0);
      for (int point = 0; point < 60; point++) {
        if (step + 1 < curve.points().length() && curve.points().get(step + 1) == point) {
          step++;
          assertThat(curve.bytes().get(step)).isNotEqualTo(curve.bytes().get(step - 1));
        }
        assertWithMessage("seed %s, point %s", seed, point)
            .that(curve.bytes().get(step))
            .isEqualTo(count(stage, point));
      }
      assertThat(step).isEqualTo(curve.points().length() - 1);
    }
  }

  @Test
  void peak_isTheFirstOfTheHighest() {
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      Curve curve = LiveBytesCurve.of(random(random));
      for (int k = 0; k < curve.bytes().length(); k++) {
        assertThat(curve.bytes().get(k)).isAtMost(curve.bytes().get(curve.peak()));
        assertThat(k < curve.peak() && curve.bytes().get(k) == curve.bytes().get(curve.peak()))
            .isFalse();
      }
    }
  }
}
