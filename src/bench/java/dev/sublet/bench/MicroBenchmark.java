package dev.sublet.bench;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.op.MicroGraphText;
import dev.sublet.runtime.micro.run.CompiledMicro;
import dev.sublet.runtime.tensor.Tensor;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Micro programs against the loops that one would write by hand, with the same order of sums. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class MicroBenchmark {

  private static final String MATMUL =
      """
      micro matmul
      input a: float32[?, ?]
      input b: float32[?, ?]
      x = reindex a with a, b shape dA0, dB1, dA1[=dB0] at i0, i2
      y = reindex b with a, b shape dA0, dB1, dB0 at i2, i1
      s = sum x * y over 2
      c = reindex s shape dA0, dA1 at i0, i1, 0
      output c
      """;

  /** 3 × 3, padded by one. */
  private static final String CONVOLUTION =
      """
      micro convolution
      input a: float32[?, ?, ?]
      input w: float32[?, ?, 3, 3]
      x = reindex a with a, w shape dB0, dA1, dA2, dA0[=dB1], 3, 3 at i3, i1 + i4 - 1, i2 + i5 - 1
      y = reindex w with a, w shape dB0, dA1, dA2, dA0, 3, 3 at i0, i3, i4, i5
      s = sum x * y over 3, 4, 5
      c = reindex s shape dA0, dA1, dA2 at i0, i1, i2, 0, 0, 0
      output c
      """;

  private static final String SOFTMAX =
      """
      micro softmax
      input a: float32[?, ?]
      largest = maximum a over 1
      m = reindex largest with a shape dA0, dA1 at i0, 0
      e = exp(a - m)
      total = sum e over 1
      t = reindex total with a shape dA0, dA1 at i0, 0
      c = e / t
      output c
      """;

  private static final int SIDE = 128;
  private static final int CHANNELS = 16;
  private static final int FILTERS = 32;
  private static final int IMAGE = 56;

  private final CompiledMicro matmul = compile(MATMUL);
  private final CompiledMicro convolution = compile(CONVOLUTION);
  private final CompiledMicro softmax = compile(SOFTMAX);
  private final Tensor left = random(1, SIDE, SIDE);
  private final Tensor right = random(2, SIDE, SIDE);
  private final Tensor image = random(3, CHANNELS, IMAGE, IMAGE);
  private final Tensor filters = random(4, FILTERS, CHANNELS, 3, 3);

  private static CompiledMicro compile(String text) {
    return CompiledMicro.compile(
        SimplifyProgram.simplify(MicroGraphText.parse(text).emit()).program());
  }

  private static Tensor random(int seed, long... shape) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] elements = new float[Tensor.length(ImmutableLongArray.copyOf(shape))];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextDouble(-1, 1);
    }
    return Tensor.of(ImmutableLongArray.copyOf(shape), elements);
  }

  /** A product of two matrices of 128 × 128. */
  @Benchmark
  public ImmutableMap<String, Tensor> matmulMicro() {
    return matmul.run(ImmutableMap.of("a", left, "b", right), ImmutableMap.of());
  }

  /** The same in three loops. */
  @Benchmark
  public float[] matmulByHand() {
    float[] a = left.floats();
    float[] b = right.floats();
    float[] c = new float[SIDE * SIDE];
    for (int i = 0; i < SIDE; i++) {
      for (int j = 0; j < SIDE; j++) {
        float sum = 0;
        for (int k = 0; k < SIDE; k++) {
          sum += a[i * SIDE + k] * b[k * SIDE + j];
        }
        c[i * SIDE + j] = sum;
      }
    }
    return c;
  }

  /** A 3 × 3 convolution of 16 channels of 56 × 56 into 32. */
  @Benchmark
  public ImmutableMap<String, Tensor> convolutionMicro() {
    return convolution.run(ImmutableMap.of("a", image, "w", filters), ImmutableMap.of());
  }

  /** The same in six loops. */
  @Benchmark
  public float[] convolutionByHand() {
    float[] c = new float[FILTERS * IMAGE * IMAGE];
    for (int filter = 0; filter < FILTERS; filter++) {
      for (int row = 0; row < IMAGE; row++) {
        for (int column = 0; column < IMAGE; column++) {
          c[(filter * IMAGE + row) * IMAGE + column] = convolve(filter, row, column);
        }
      }
    }
    return c;
  }

  private float convolve(int filter, int row, int column) {
    float[] a = image.floats();
    float[] w = filters.floats();
    float sum = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          int y = row + i - 1;
          int x = column + j - 1;
          boolean inside = y >= 0 && y < IMAGE && x >= 0 && x < IMAGE;
          float pixel = inside ? a[(channel * IMAGE + y) * IMAGE + x] : 0;
          sum += pixel * w[((filter * CHANNELS + channel) * 3 + i) * 3 + j];
        }
      }
    }
    return sum;
  }

  /** Softmax over rows of 128. */
  @Benchmark
  public ImmutableMap<String, Tensor> softmaxMicro() {
    return softmax.run(ImmutableMap.of("a", left), ImmutableMap.of());
  }

  /** The same by hand. */
  @Benchmark
  public float[] softmaxByHand() {
    float[] a = left.floats();
    float[] c = new float[a.length];
    for (int row = 0; row < SIDE; row++) {
      float largest = Float.NEGATIVE_INFINITY;
      for (int i = row * SIDE; i < (row + 1) * SIDE; i++) {
        largest = Math.max(largest, a[i]);
      }
      float total = 0;
      for (int i = row * SIDE; i < (row + 1) * SIDE; i++) {
        c[i] = (float) StrictMath.exp(a[i] - largest);
        total += c[i];
      }
      for (int i = row * SIDE; i < (row + 1) * SIDE; i++) {
        c[i] /= total;
      }
    }
    return c;
  }
}
