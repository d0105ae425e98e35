package dev.sublet.offset.merge;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.placement.problem.LoadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Webs at fixed distances, and the load that they make, against plain recomputation. */
final class OffsetUnionFindTest {

  @Test
  void distancesAddUpAlongAChain() {
    OffsetUnionFind groups = new OffsetUnionFind(4);
    groups.unite(0, 1, 64);
    groups.unite(2, 3, 128);
    groups.unite(1, 2, -32);
    assertThat(groups.offset(3) - groups.offset(0)).isEqualTo(64 - 32 + 128);
    assertThat(groups.members(2)).containsExactly(0, 1, 2, 3);
    assertThat(groups.size(3)).isEqualTo(4);
  }

  @Test
  void undo_restoresEveryEarlierState() {
    Random random = new Random(7);
    int webs = 12;
    OffsetUnionFind groups = new OffsetUnionFind(webs);
    List<Integer> marks = new ArrayList<>();
    List<String> states = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int a = random.nextInt(webs);
      int b = (a + 1 + random.nextInt(webs - 1)) % webs;
      if (groups.group(a) == groups.group(b)) {
        int chosen = random.nextInt(marks.size());
        groups.undo(marks.get(chosen));
        assertThat(state(groups, webs)).isEqualTo(states.get(chosen));
        marks = new ArrayList<>(marks.subList(0, chosen));
        states = new ArrayList<>(states.subList(0, chosen));
      } else {
        marks.add(groups.mark());
        states.add(state(groups, webs));
        groups.unite(a, b, random.nextInt(100));
      }
    }
  }

  /** Which webs are together, and how far apart. */
  private static String state(OffsetUnionFind groups, int webs) {
    StringBuilder state = new StringBuilder();
    for (int a = 0; a < webs; a++) {
      for (int b = 0; b < a; b++) {
        boolean together = groups.group(a) == groups.group(b);
        assertThat(groups.members(a).contains(b)).isEqualTo(together);
        state.append(together ? groups.offset(a) - groups.offset(b) + " " : "- ");
      }
      state.append(groups.size(a)).append('\n');
    }
    return state.toString();
  }

  @Test
  void loadProfile_isTheSumAtEachPoint() {
    Random random = new Random(11);
    LoadProfile load = new LoadProfile(37);
    long[] plain = new long[37];
    for (int i = 0; i < 500; i++) {
      int begin = random.nextInt(37);
      int end = begin + 1 + random.nextInt(37 - begin);
      long bytes = random.nextInt(100);
      load.add(begin, end, bytes);
      for (int point = begin; point < end; point++) {
        plain[point] += bytes;
      }
      int from = random.nextInt(37);
      int to = from + 1 + random.nextInt(37 - from);
      long greatest = 0;
      for (int point = from; point < to; point++) {
        greatest = Math.max(greatest, plain[point]);
      }
      assertThat(load.greatest(from, to)).isEqualTo(greatest);
    }
  }
}
