package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.onnx.OnnxCase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranges, means and spreads of ONNX's random operators, and that each run draws the same. */
final class OnnxRandomsTest {

  private static final int COUNT = 10_000;

  @Test
  void uniform_fillsItsRange() {
    double[] numbers = run("RandomUniform ; shape=[100,100] low=2.0 high=4.0");
    assertThat(IntStream.range(0, COUNT).allMatch(i -> numbers[i] >= 2 && numbers[i] < 4)).isTrue();
    assertThat(mean(numbers)).isWithin(0.05).of(3);
    assertThat(spread(numbers)).isWithin(0.05).of(2 / Math.sqrt(12));
  }

  @Test
  void normal_hasMeanAndScale() {
    double[] numbers = run("RandomNormalLike f64[100,100] ; mean=3.0 scale=2.0 seed=7.0");
    assertThat(mean(numbers)).isWithin(0.1).of(3);
    assertThat(spread(numbers)).isWithin(0.1).of(2);
  }

  @Test
  void bernoulli_drawsOnesWithTheirProbability() {
    double[] numbers = run("Bernoulli f[100,100]=0.25 ; dtype=7");
    assertThat(IntStream.range(0, COUNT).allMatch(i -> numbers[i] == 0 || numbers[i] == 1))
        .isTrue();
    assertThat(mean(numbers)).isWithin(0.02).of(0.25);
  }

  @Test
  void multinomial_drawsClassesWithTheirProbabilities() {
    // Logarithms of the probabilities 0, 1/4 and 3/4.
    double[] numbers = run("Multinomial f[1,3]=-Infinity,0,1.0986123 ; sample_size=10000");
    assertThat(IntStream.range(0, COUNT).allMatch(i -> numbers[i] == 1 || numbers[i] == 2))
        .isTrue();
    assertThat(mean(numbers)).isWithin(0.02).of(1.75);
  }

  @Test
  void runs_areEqual_butSeedsDiffer() {
    double[] first = run("RandomUniform ; shape=[100,100] seed=1.0");
    assertThat(run("RandomUniform ; shape=[100,100] seed=1.0")).isEqualTo(first);
    assertThat(run("RandomUniform ; shape=[100,100] seed=2.0")).isNotEqualTo(first);
  }

  private static double[] run(String line) {
    OnnxModel model = OnnxModel.of(OnnxCase.parse(line).constant());
    Tensor computed =
        Executor.run(
                model.program(),
                ImmutableMap.of(),
                ModelParameters.read(model),
                ExecutionOptions.defaults())
            .outputs()
            .get(0)
            .tensor()
            .tensor();
    assertThat(computed.length()).isEqualTo(COUNT);
    return IntStream.range(0, COUNT).mapToDouble(computed::getDouble).toArray();
  }

  private static double mean(double... numbers) {
    double sum = 0;
    for (double number : numbers) {
      sum += number;
    }
    return sum / numbers.length;
  }

  private static double spread(double... numbers) {
    double mean = mean(numbers);
    double sum = 0;
    for (double number : numbers) {
      sum += (number - mean) * (number - mean);
    }
    return Math.sqrt(sum / numbers.length);
  }
}
