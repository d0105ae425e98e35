package dev.sublet.placement.testing;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Problems of any size for tests and benchmarks: tilings, whose optimum is known, and traces like
 * those of networks. Same arguments, same problem; alignment 1 unless said otherwise.
 */
public final class SyntheticProblems {

  /** The points and bytes of the rectangles that are cut into tilings. */
  private static final int SIDE = 1 << 16;

  private SyntheticProblems() {}

  /**
   * Buffers that fill a rectangle without a hole.
   *
   * @param height the smallest arena, and the lower bound
   * @param offsets with which the buffers need no more than that
   */
  public record Tiling(PlanningProblem problem, long height, ImmutableLongArray offsets) {}

  /** Points {@code [begin, end)} times bytes {@code [low, high)}. */
  private record Piece(int begin, int end, int low, int high) {

    int width() {
      return end - begin;
    }

    int height() {
      return high - low;
    }

    long area() {
      return (long) width() * height();
    }
  }

  /** A rectangle that is cut in two again and again, across time or across bytes, at random. */
  public static Tiling guillotine(long seed, int buffers) {
    Random random = new Random(seed);
    List<Piece> pieces = new ArrayList<>();
    cut(random, new Piece(0, SIDE, 0, SIDE), buffers, pieces);
    return tiling(random, pieces);
  }

  private static void cut(Random random, Piece piece, int count, List<Piece> pieces) {
    if (count == 1) {
      pieces.add(piece);
      return;
    }
    boolean acrossTime = piece.height() < 2 || (piece.width() >= 2 && random.nextBoolean());
    int length = acrossTime ? piece.width() : piece.height();
    int breadth = acrossTime ? piece.height() : piece.width();
    int at = 1 + random.nextInt(length - 1);
    // Both parts must be large enough for as many pieces as they are cut into.
    long most = Math.min(count - 1L, (long) at * breadth);
    long least = Math.max(1L, count - (long) (length - at) * breadth);
    int first = (int) Math.max(least, Math.min(most, (long) count * at / length));
    if (acrossTime) {
      int point = piece.begin + at;
      cut(random, new Piece(piece.begin, point, piece.low, piece.high), first, pieces);
      cut(random, new Piece(point, piece.end, piece.low, piece.high), count - first, pieces);
    } else {
      int offset = piece.low + at;
      cut(random, new Piece(piece.begin, piece.end, piece.low, offset), first, pieces);
      cut(random, new Piece(piece.begin, piece.end, offset, piece.high), count - first, pieces);
    }
  }

  /**
   * A rectangle in which the largest piece is replaced by a pinwheel again and again: four pieces
   * around a fifth, which no straight cut separates.
   *
   * @param buffers at least so many there are, 4 k + 1
   */
  public static Tiling pinwheel(long seed, int buffers) {
    Random random = new Random(seed);
    PriorityQueue<Piece> pieces =
        new PriorityQueue<>(
            Comparator.comparingLong(Piece::area)
                .reversed()
                .thenComparingInt(Piece::begin)
                .thenComparingInt(Piece::low));
    pieces.add(new Piece(0, SIDE, 0, SIDE));
    while (pieces.size() < buffers) {
      Piece piece = pieces.remove();
      int left = piece.begin + third(random, piece.width());
      int right = piece.end - third(random, piece.width());
      int lower = piece.low + third(random, piece.height());
      int upper = piece.high - third(random, piece.height());
      pieces.add(new Piece(piece.begin, right, piece.low, lower));
      pieces.add(new Piece(right, piece.end, piece.low, upper));
      pieces.add(new Piece(left, piece.end, upper, piece.high));
      pieces.add(new Piece(piece.begin, left, lower, piece.high));
      pieces.add(new Piece(left, right, lower, upper));
    }
    return tiling(random, new ArrayList<>(pieces));
  }

  /** From a quarter to less than a half of a length, which is at least 4. */
  private static int third(Random random, int length) {
    return length / 4 + random.nextInt((length - 1) / 2 - length / 4 + 1);
  }

  private static Tiling tiling(Random random, List<Piece> pieces) {
    // The order of the cuts would tell a planner where the pieces belong.
    pieces.sort(Comparator.comparingInt(Piece::begin).thenComparingInt(Piece::low));
    Collections.shuffle(pieces, random);
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    for (Piece piece : pieces) {
      builder.addBuffer(piece.height());
      builder.addInterval(piece.begin, piece.end);
      offsets.add(piece.low);
    }
    return new Tiling(builder.build(), SIDE, offsets.build());
  }

  /**
   * The trace of a training step, 64-byte alignment: per layer an activation that lives until the
   * layer's backward operator, the gradient of it, which lives for two operators, and a temporary
   * of either direction. Lifetimes are nested, and a quarter of all buffers are live at the peak.
   */
  public static PlanningProblem training(long seed, int buffers) {
    Random random = new Random(seed);
    PlanningProblem.Builder builder = PlanningProblem.builder(64);
    int layers = (buffers + 3) / 4;
    for (int buffer = 0; buffer < buffers; buffer++) {
      int layer = buffer / 4;
      int backward = 2 * layers - 1 - layer;
      builder.addBuffer(tensorBytes(random));
      switch (buffer % 4) {
        case 0 -> builder.addInterval(layer, backward + 1);
        case 1 -> builder.addInterval(layer, layer + 1);
        case 2 -> builder.addInterval(backward - 1, backward + 1);
        default -> builder.addInterval(backward, backward + 1);
      }
    }
    return builder.build();
  }

  /**
   * The trace of an inference without branches, 64-byte alignment: each lives for two operators.
   */
  public static PlanningProblem chain(long seed, int buffers) {
    Random random = new Random(seed);
    PlanningProblem.Builder builder = PlanningProblem.builder(64);
    for (int buffer = 0; buffer < buffers; buffer++) {
      builder.addBuffer(tensorBytes(random));
      builder.addInterval(buffer, buffer + 2);
    }
    return builder.build();
  }

  /**
   * The trace of a random graph, 64-byte alignment: every operator reads one to three outputs, as a
   * rule recent ones, each twentieth time any.
   */
  public static PlanningProblem randomDag(long seed, int buffers) {
    Random random = new Random(seed);
    int[] ends = new int[buffers];
    for (int operator = 0; operator < buffers; operator++) {
      ends[operator] = operator + 1;
      for (int i = random.nextInt(3); i >= 0 && operator > 0; i--) {
        boolean any = random.nextInt(20) == 0;
        int distance = 1 + random.nextInt(any ? operator : Math.min(operator, 6));
        ends[operator - distance] = operator + 1;
      }
    }
    PlanningProblem.Builder builder = PlanningProblem.builder(64);
    for (int operator = 0; operator < buffers; operator++) {
      builder.addBuffer(tensorBytes(random));
      builder.addInterval(operator, ends[operator]);
    }
    return builder.build();
  }

  /** 4 bytes to 4 MiB, each power of two as likely as every other. */
  private static long tensorBytes(Random random) {
    return 4L * (1 + random.nextInt(1 << (1 + random.nextInt(20))));
  }
}
