package dev.sublet.operator.infer;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Properties of symbolic extents, compared with plain numbers. */
final class SymbolicExtentPropertyTest {

  private static final int DEPTH = 3;

  /** A run: which numbers the symbols are, and whether they are known exactly. */
  private record Run(ExtentExpressions formulas, long first, long second, boolean bounded) {

    SymbolicExtent symbol(int i) {
      long value = i == 0 ? first : second;
      String name = "s" + i;
      return bounded
          ? SymbolicExtent.atMost(formulas, name, (double) value)
          : SymbolicExtent.symbol(formulas, name, value);
    }
  }

  /** An expression: the same random numbers make the same one in every run. */
  private static SymbolicExtent build(Random random, Run run, int depth) {
    int kind = random.nextInt(depth == 0 ? 3 : 9);
    if (kind < 2) {
      return run.symbol(kind);
    }
    if (kind == 2) {
      return SymbolicExtent.of(1L + random.nextInt(4));
    }
    SymbolicExtent left = build(random, run, depth - 1);
    SymbolicExtent right = build(random, run, depth - 1);
    return switch (kind) {
      case 3 -> left.plus(right);
      case 4 -> left.times(right);
      case 5 -> left.max(right);
      case 6 -> left.min(right);
      case 7 -> left.floorDividedBy(1 + random.nextInt(4));
      default -> left.ceilDividedBy(1 + random.nextInt(4));
    };
  }

  private static Run exact(Random random) {
    return new Run(new ExtentExpressions(), 1 + random.nextInt(9), 1 + random.nextInt(9), false);
  }

  @Property(tries = 5000)
  void sameFormulas_areTheSameNumberInEveryRun(@ForAll long seed) {
    Random random = new Random(seed);
    Run run = exact(random);
    Run other = exact(random);
    SymbolicExtent left = build(new Random(seed + 1), run, DEPTH);
    SymbolicExtent right = build(new Random(seed + 2), run, DEPTH);
    if (left.isSame(right)) {
      assertWithMessage("here").that(left.value()).isEqualTo(right.value());
      assertWithMessage("elsewhere")
          .that(build(new Random(seed + 1), other, DEPTH).value())
          .isEqualTo(build(new Random(seed + 2), other, DEPTH).value());
    }
    if (left.isConstant()) {
      assertWithMessage("constant")
          .that(build(new Random(seed + 1), other, DEPTH).value())
          .isEqualTo(left.value());
    }
  }

  @Property(tries = 5000)
  void bounds_hold(@ForAll long seed) {
    Random random = new Random(seed);
    Run actual = exact(random);
    Run bounded =
        new Run(
            new ExtentExpressions(),
            actual.first() + random.nextInt(3),
            actual.second() + random.nextInt(3),
            true);
    SymbolicExtent value = build(new Random(seed + 1), actual, DEPTH);
    SymbolicExtent bound = build(new Random(seed + 1), bounded, DEPTH);
    if (bound.isKnown()) {
      assertWithMessage("%s", bound).that(value.value()).isAtMost(bound.value());
      if (bound.isExact()) {
        assertWithMessage("exact").that(value.value()).isEqualTo(bound.value());
      }
    }
  }

  @Property(tries = 5000)
  void differences_areRightOrBounds(@ForAll long seed) {
    Random random = new Random(seed);
    Run actual = exact(random);
    Run bounded = new Run(new ExtentExpressions(), actual.first() + 1, actual.second(), true);
    SymbolicExtent value =
        build(new Random(seed + 1), actual, 1).minus(build(new Random(seed + 2), actual, 1));
    SymbolicExtent bound =
        build(new Random(seed + 1), bounded, 1).minus(build(new Random(seed + 2), bounded, 1));
    if (bound.isKnown()) {
      assertWithMessage("%s", bound).that(value.value()).isAtMost(bound.value());
    }
  }

  /** An expression of elements, which may be negative: each of its parts is kept as an element. */
  private static SymbolicExtent element(Random random, Run run, int depth) {
    int kind = random.nextInt(depth == 0 ? 3 : 9);
    if (kind < 2) {
      return run.symbol(kind);
    }
    if (kind == 2) {
      return SymbolicExtent.of(random.nextInt(9) - 4L);
    }
    SymbolicExtent left = element(random, run, depth - 1);
    SymbolicExtent right = element(random, run, depth - 1);
    SymbolicExtent result =
        switch (kind) {
          case 3 -> left.plus(right);
          case 4 -> left.times(right);
          case 5 -> left.max(right);
          case 6 -> left.min(right);
          case 7 -> left.floorDividedBy(right);
          default -> left.minus(right);
        };
    return AbstractShape.of(ImmutableList.of())
        .withElements(ImmutableList.of(result))
        .elements()
        .get(0);
  }

  @Property(tries = 20_000)
  void boundsOfElements_hold_alsoForNegativeNumbers(@ForAll long seed) {
    Random random = new Random(seed);
    Run actual = new Run(new ExtentExpressions(), random.nextInt(9), random.nextInt(9), false);
    Run bounded =
        new Run(
            new ExtentExpressions(),
            actual.first() + random.nextInt(4),
            actual.second() + random.nextInt(4),
            true);
    SymbolicExtent value = element(new Random(seed + 1), actual, DEPTH);
    SymbolicExtent bound = element(new Random(seed + 1), bounded, DEPTH);
    if (bound.isKnown() && value.isExact()) {
      assertWithMessage("%s", bound).that(value.value()).isAtMost(bound.value());
    }
  }
}
