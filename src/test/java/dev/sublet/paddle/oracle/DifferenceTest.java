package dev.sublet.paddle.oracle;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** How differences are measured. */
final class DifferenceTest {

  private static final ImmutableLongArray TWO = ImmutableLongArray.of(2);

  @Test
  void floats_areRelative() {
    Tensor expected = Tensor.of(TWO, 100f, 200f);
    assertThat(Difference.of(expected, expected)).isEqualTo(0);
    assertThat(Difference.of(Tensor.of(TWO, 101f, 200f), expected)).isWithin(1e-9).of(0.01);
  }

  @Test
  void almostNothing_isMeasuredAgainstTheTensor() {
    Tensor expected = Tensor.of(TWO, 1e-9f, 1f);
    double floor = 0.01 * Math.sqrt(0.5);
    assertThat(Difference.of(Tensor.of(TWO, 0f, 1f), expected)).isWithin(1e-12).of(1e-9 / floor);
  }

  @Test
  void whatIsNoNumber_mustBeInTheSamePlace() {
    Tensor expected = Tensor.of(TWO, Float.NaN, Float.POSITIVE_INFINITY);
    assertThat(Difference.of(expected, expected)).isEqualTo(0);
    assertThat(Difference.of(Tensor.of(TWO, 1f, Float.POSITIVE_INFINITY), expected))
        .isPositiveInfinity();
    assertThat(Difference.of(Tensor.of(TWO, Float.NaN, 1f), expected)).isPositiveInfinity();
    assertThat(Difference.of(expected, Tensor.of(TWO, 1f, 1f))).isPositiveInfinity();
  }

  @Test
  void integersShapesAndTypes_mustBeEqual() {
    Tensor expected = Tensor.of(TWO, 5L, 6L);
    assertThat(Difference.of(Tensor.of(TWO, 5L, 6L), expected)).isEqualTo(0);
    assertThat(Difference.of(Tensor.of(TWO, 5L, 7L), expected)).isPositiveInfinity();
    assertThat(Difference.of(Tensor.of(TWO, 5, 6), expected)).isPositiveInfinity();
    assertThat(Difference.of(Tensor.of(ImmutableLongArray.of(2, 1), 5L, 6L), expected))
        .isPositiveInfinity();
  }
}
