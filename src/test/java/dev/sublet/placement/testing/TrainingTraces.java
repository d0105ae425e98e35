package dev.sublet.placement.testing;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Random;

/**
 * Traces of training steps in which the gradients of weights are kept until the end, so that they
 * fill the arena as the activations leave it. Same arguments, same problem.
 */
public final class TrainingTraces {

  private static final long[] CLASSES = {1 << 12, 1 << 14, 3 << 14, 1 << 18, 3 << 18, 1 << 20};

  /** Where the sizes come from. */
  public enum Sizes {
    /** 4 bytes to 4 MiB, each power of two as likely as every other; 64-byte alignment. */
    ANY,
    /** One of six sizes; 64-byte alignment. */
    CLASSES,
    /** As {@link #ANY}, but one byte less at random; no alignment. */
    NOISY
  }

  private TrainingTraces() {}

  /**
   * Per layer an activation that lives until its backward operator, a temporary of either
   * direction, the gradient of the activation, and the gradient of the weight, which is kept.
   */
  public static PlanningProblem regular(long seed, int buffers, Sizes sizes) {
    Random random = new Random(seed);
    PlanningProblem.Builder builder = builder(sizes);
    int layers = (buffers + 4) / 5;
    for (int buffer = 0; buffer < buffers; buffer++) {
      int layer = buffer / 5;
      int backward = 2 * layers - 1 - layer;
      builder.addBuffer(bytes(random, sizes));
      switch (buffer % 5) {
        case 0 -> builder.addInterval(layer, backward + 1);
        case 1 -> builder.addInterval(layer, layer + 1);
        case 2 -> builder.addInterval(backward - 1, backward + 1);
        case 3 -> builder.addInterval(backward, backward + 1);
        default -> builder.addInterval(backward, 2 * layers + 2);
      }
    }
    return builder.build();
  }

  /**
   * As {@link #regular}, but with up to two activations per layer, of which a quarter ends earlier;
   * outputs that later layers read, too; and an update of weights in the order of the layers, by
   * which half of the gradients end.
   */
  public static PlanningProblem irregular(long seed, int buffers, Sizes sizes) {
    Random random = new Random(seed);
    PlanningProblem.Builder builder = builder(sizes);
    int layers = Math.max(2, buffers / 5);
    for (int layer = 0; layer < layers; layer++) {
      int backward = 2 * layers - 1 - layer;
      for (int saved = random.nextInt(3); saved > 0; saved--) {
        int earlier = random.nextInt(4) == 0 ? random.nextInt(Math.min(20, layers - layer)) : 0;
        add(builder, random, sizes, layer, backward + 1 - earlier);
      }
      int reads = random.nextInt(random.nextInt(10) == 0 ? 200 : 4);
      add(builder, random, sizes, layer, Math.min(layers, layer + 1 + reads) + 1);
      add(builder, random, sizes, backward, backward + 1);
      add(builder, random, sizes, Math.max(layers, backward - 1 - random.nextInt(3)), backward + 1);
      int update = 2 * layers + 1 + layer;
      add(builder, random, sizes, backward, random.nextBoolean() ? 3 * layers : update);
    }
    return builder.build();
  }

  private static PlanningProblem.Builder builder(Sizes sizes) {
    return PlanningProblem.builder(sizes == Sizes.NOISY ? 1 : 64);
  }

  private static void add(
      PlanningProblem.Builder builder, Random random, Sizes sizes, int begin, int end) {
    builder.addBuffer(bytes(random, sizes));
    builder.addInterval(begin, Math.max(begin + 1, end));
  }

  private static long bytes(Random random, Sizes sizes) {
    if (sizes == Sizes.CLASSES) {
      return CLASSES[random.nextInt(CLASSES.length)];
    }
    long bytes = 4L * (1 + random.nextInt(1 << (1 + random.nextInt(20))));
    return sizes == Sizes.NOISY ? bytes - random.nextInt(2) : bytes;
  }
}
