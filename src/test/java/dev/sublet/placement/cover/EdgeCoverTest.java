package dev.sublet.placement.cover;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EdgeCoverTest {

  /** Edges as {@code from, to, from, to, …}. */
  private static int count(int nodes, int... edges) {
    int[] from = new int[edges.length / 2];
    int[] to = new int[from.length];
    for (int i = 0; i < from.length; i++) {
      from[i] = edges[2 * i];
      to[i] = edges[2 * i + 1];
    }
    return EdgeCover.countPaths(nodes, from, to);
  }

  /** Edge sets of all maximal paths, then the fewest of them that hold every edge. */
  private static int bruteForce(int nodes, List<int[]> edges) {
    List<Integer> paths = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      collect(node, 0, edges, paths);
    }
    int all = (1 << edges.size()) - 1;
    int[] fewest = new int[all + 1];
    Arrays.fill(fewest, Integer.MAX_VALUE / 2);
    fewest[0] = 0;
    for (int set = 0; set <= all; set++) {
      for (int path : paths) {
        fewest[set | path] = Math.min(fewest[set | path], fewest[set] + 1);
      }
    }
    return fewest[all];
  }

  private static void collect(int node, int path, List<int[]> edges, List<Integer> paths) {
    boolean ends = true;
    for (int edge = 0; edge < edges.size(); edge++) {
      if (edges.get(edge)[0] == node) {
        ends = false;
        collect(edges.get(edge)[1], path | 1 << edge, edges, paths);
      }
    }
    if (ends && path != 0) {
      paths.add(path);
    }
  }

  @Test
  void aChain_isOnePath() {
    assertThat(count(4, 0, 1, 1, 2, 2, 3)).isEqualTo(1);
  }

  @Test
  void noEdges_needNoPath() {
    assertThat(count(3)).isEqualTo(0);
  }

  /** The document's figure 11: a shortcut around each block. */
  @Test
  void aResidualNetwork_isTwoPaths_howeverDeep() {
    for (int blocks : new int[] {1, 2, 20, 3000}) {
      int[] edges = new int[6 * blocks];
      for (int i = 0; i < blocks; i++) {
        int[] block = {2 * i, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i, 2 * i + 2};
        System.arraycopy(block, 0, edges, 6 * i, 6);
      }
      assertWithMessage("%s blocks", blocks).that(count(2 * blocks + 1, edges)).isEqualTo(2);
    }
  }

  @Test
  void diamonds_needAsManyPathsAsTheWidestIsWide() {
    assertThat(count(4, 0, 1, 0, 2, 1, 3, 2, 3)).isEqualTo(2);
    assertThat(count(8, 0, 1, 0, 2, 1, 3, 2, 3, 3, 4, 4, 5, 4, 6, 5, 7, 6, 7)).isEqualTo(2);
    assertThat(count(8, 0, 1, 0, 2, 1, 3, 2, 3, 3, 4, 3, 5, 3, 6, 4, 7, 5, 7, 6, 7)).isEqualTo(3);
  }

  /** One path may end where another begins far away: 0 → 2 → 3 → 5 joins two surpluses. */
  @Test
  void pathsAreJoinedAlongEdgesThatAreCoveredAlready() {
    assertThat(count(6, 0, 2, 1, 2, 2, 3, 3, 4, 3, 5)).isEqualTo(2);
  }

  @Test
  void smallGraphs_needAsManyPathsAsBruteForceFinds() {
    Random random = new Random(5);
    for (int round = 0; round < 500; round++) {
      int nodes = 2 + random.nextInt(7);
      List<int[]> edges = new ArrayList<>();
      for (int a = 0; a < nodes; a++) {
        for (int b = a + 1; b < nodes; b++) {
          if (edges.size() < 11 && random.nextInt(5) < 2) {
            edges.add(new int[] {a, b});
          }
        }
      }
      int[] flat = edges.stream().flatMapToInt(Arrays::stream).toArray();
      assertWithMessage("round %s: %s", round, Arrays.toString(flat))
          .that(count(nodes, flat))
          .isEqualTo(bruteForce(nodes, edges));
    }
  }
}
