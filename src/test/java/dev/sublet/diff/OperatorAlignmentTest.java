package dev.sublet.diff;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class OperatorAlignmentTest {

  private static final long ENOUGH = 1_000_000;

  private static int[] partners(Alignment alignment, long[] a) {
    int[] partners = new int[a.length];
    for (int i = 0; i < a.length; i++) {
      partners[i] = alignment.partner(i);
    }
    return partners;
  }

  /** The number of pairs, each of which joins equal elements behind those of the pair before. */
  private static int checkedPairs(Alignment alignment, long[] a, long[] b) {
    int pairs = 0;
    int last = -1;
    for (int i = 0; i < a.length; i++) {
      int partner = alignment.partner(i);
      if (partner != Alignment.NONE) {
        assertThat(partner).isGreaterThan(last);
        assertThat(b[partner]).isEqualTo(a[i]);
        last = partner;
        pairs++;
      }
    }
    return pairs;
  }

  private static long[] random(Random random, int length, int kinds) {
    return random.longs(length, 0, kinds).toArray();
  }

  /** The textbook's table. */
  private static int longestCommonSubsequence(long[] a, long[] b) {
    int[][] longest = new int[a.length + 1][b.length + 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        longest[i + 1][j + 1] =
            a[i] == b[j] ? longest[i][j] + 1 : Math.max(longest[i][j + 1], longest[i + 1][j]);
      }
    }
    return longest[a.length][b.length];
  }

  @Property(tries = 2000)
  void pairsAsManyAsPossible(
      @ForAll long seed,
      @ForAll @IntRange(max = 14) int n,
      @ForAll @IntRange(max = 14) int m,
      @ForAll @IntRange(min = 1, max = 5) int kinds) {
    Random random = new Random(seed);
    long[] a = random(random, n, kinds);
    long[] b = random(random, m, kinds);
    Alignment alignment = new Alignment(n, ENOUGH);

    alignment.refine(a, b);

    assertThat(alignment.isExact()).isTrue();
    assertThat(checkedPairs(alignment, a, b)).isEqualTo(longestCommonSubsequence(a, b));
  }

  @Property(tries = 500)
  void aRefinement_keepsWhatIsPaired(@ForAll long seed) {
    Random random = new Random(seed);
    long[] a = random(random, 12, 6);
    long[] b = random(random, 12, 6);
    Alignment alignment = new Alignment(a.length, ENOUGH);
    alignment.refine(a, b);
    int[] first = partners(alignment, a);
    long[] weakA = new long[a.length];
    long[] weakB = new long[b.length];
    for (int i = 0; i < a.length; i++) {
      weakA[i] = a[i] / 2;
      weakB[i] = b[i] / 2;
    }

    alignment.refine(weakA, weakB);

    for (int i = 0; i < a.length; i++) {
      if (first[i] != Alignment.NONE) {
        assertThat(alignment.partner(i)).isEqualTo(first[i]);
      }
    }
    assertThat(checkedPairs(alignment, weakA, weakB)).isAtLeast(checkedPairsIn(first));
  }

  private static int checkedPairsIn(int[] partners) {
    int pairs = 0;
    for (int partner : partners) {
      pairs += partner == Alignment.NONE ? 0 : 1;
    }
    return pairs;
  }

  @Test
  void veryDifferentSequences_arePairedByWhatOccursOnce_andSaySo() {
    Random random = new Random(1);
    int length = 20_000;
    long[] a = random(random, length, 1_000_000_000);
    long[] b = random(random, length, 1_000_000_000);
    for (int i = 0; i < length; i += 10) {
      a[i] = -1L - i;
      b[i] = -1L - i;
    }
    Alignment alignment = new Alignment(length, 20_000_000);

    alignment.refine(a, b);

    assertThat(alignment.isExact()).isFalse();
    assertWithMessage("a tenth is equal")
        .that(checkedPairs(alignment, a, b))
        .isAtLeast(length / 10);
  }

  @Test
  void aFewStepsOnly_isAFallbackToo() {
    long[] a = {7, 1, 3, 3, 9, 5};
    long[] b = {8, 1, 3, 3, 5, 9};
    Alignment alignment = new Alignment(a.length, 0);

    alignment.refine(a, b);

    assertThat(alignment.isExact()).isFalse();
    // 1 and 9 or 5 are unique, and what follows 1 is equal on both sides.
    assertThat(checkedPairs(alignment, a, b)).isEqualTo(4);
  }

  @Test
  void equalSequences_takeNoSteps() {
    long[] a = random(new Random(2), 1_000_000, 7);
    Alignment alignment = new Alignment(a.length, 0);

    alignment.refine(a, a.clone());

    assertThat(alignment.isExact()).isTrue();
    assertThat(checkedPairs(alignment, a, a)).isEqualTo(a.length);
  }
}
