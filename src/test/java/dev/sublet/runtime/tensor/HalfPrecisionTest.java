package dev.sublet.runtime.tensor;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The formats of 16 bits: all numbers of both, and the nearest ones of random numbers. */
final class HalfPrecisionTest {

  @Test
  void everyNumber_comesBack() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float half = HalfPrecision.ofFloat16((short) bits);
      if (!Float.isNaN(half)) {
        assertThat(HalfPrecision.toFloat16(half)).isEqualTo((short) bits);
      }
      float brain = HalfPrecision.ofBfloat16((short) bits);
      if (!Float.isNaN(brain)) {
        assertThat(HalfPrecision.toBfloat16(brain)).isEqualTo((short) bits);
      }
    }
  }

  @Test
  void knownNumbers() {
    assertThat(HalfPrecision.ofFloat16((short) 0x3c00)).isEqualTo(1f);
    assertThat(HalfPrecision.ofFloat16((short) 0x7bff)).isEqualTo(65504f);
    assertThat(HalfPrecision.ofFloat16((short) 0x0001)).isEqualTo(0x1p-24f);
    assertThat(HalfPrecision.ofFloat16((short) 0xfc00)).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(HalfPrecision.ofFloat16(HalfPrecision.toFloat16(Float.NaN))).isNaN();
    assertThat(HalfPrecision.ofBfloat16((short) 0x3f80)).isEqualTo(1f);
    assertThat(HalfPrecision.ofBfloat16(HalfPrecision.toBfloat16(Float.NaN))).isNaN();
  }

  @Test
  void roundedNumbers_areTheNearest_tiesToEven() {
    NavigableMap<Float, Short> halves = new TreeMap<>();
    for (int bits = 0; bits < 0x7c00; bits++) {
      halves.put(HalfPrecision.ofFloat16((short) bits), (short) bits);
    }
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      float number = (float) Math.scalb(random.nextDouble(), random.nextInt(42) - 26);
      if (i % 3 == 0) { // halfway between two numbers
        float below = HalfPrecision.ofFloat16((short) random.nextInt(0x7bff));
        number = (below + requireNonNull(halves.higherKey(below))) / 2;
      }
      short expected = nearest(halves, number);
      assertWithMessage("%s", number).that(HalfPrecision.toFloat16(number)).isEqualTo(expected);
      assertThat(HalfPrecision.toFloat16(-number)).isEqualTo((short) (expected | 0x8000));
    }
  }

  private static short nearest(NavigableMap<Float, Short> halves, float number) {
    Float above = halves.ceilingKey(number);
    if (above == null) {
      return (short) (number >= 65520f ? 0x7c00 : 0x7bff);
    }
    Float below = requireNonNull(halves.floorKey(number));
    double down = number - (double) below;
    double up = above - (double) number;
    short belowBits = requireNonNull(halves.get(below));
    boolean isDown = down < up || (down == up && (belowBits & 1) == 0);
    return isDown ? belowBits : requireNonNull(halves.get(above));
  }
}
