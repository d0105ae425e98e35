package dev.sublet.diag;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameHintTest {

  @ParameterizedTest
  @CsvSource({
    "imge,      image scale,    image", // one is missing
    "iamge,     scale image,    image", // two are swapped
    "images,    image scale,    image", // one is too many
    "inage,     image,          image", // one is another
    "img,       image,          image", // two are missing
    "IMAGE,     image,          image", // case does not count
    "conv2,     Conv conv2d,    conv2d", // unless there are several
    "conv2d_0,  x conv2d_0.tmp_0 conv2d_0.tmp_1, conv2d_0.tmp_0", // the beginning
    "relu_1,    relu_2 relu_3,  relu_2", // the first of equals
    "relu_12,   relu_2 relu_11, relu_2",
    "y,         x,              ''", // nothing of it is left
    "zzz,       run ops,        ''",
    "optimise,  ops optimize,   optimize",
  })
  void theMostSimilarName(String wrong, String existing, String expected) {
    ImmutableList<String> names = ImmutableList.copyOf(existing.split(" "));

    assertThat(NameHint.withoutList(wrong, names))
        .isEqualTo(expected.isEmpty() ? "" : "; did you mean '" + expected + "'?");
  }

  @Test
  void theListIsShort_andCountsTheRest() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      names.add("v" + i);
      names.add("v" + i);
    }

    assertThat(NameHint.of("v_11", "variables", names))
        .isEqualTo(
            "; did you mean 'v11'? The variables are: v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, and 2"
                + " more");
    assertThat(NameHint.of("other", "feeds", ImmutableList.of("x")))
        .isEqualTo("; the feeds are: x");
    assertThat(NameHint.of("other", "feeds", ImmutableList.of())).isEqualTo("; there are no feeds");
  }

  /** The bounded distance finds what the whole table finds. */
  @Test
  void theBoundIsExact() {
    List<String> words = new ArrayList<>(List.of(""));
    for (int i = 0; i < words.size() && words.get(i).length() < 5; i++) {
      words.add(words.get(i) + "a");
      words.add(words.get(i) + "b");
    }
    for (String wrong : words.subList(1, words.size())) {
      for (String name : words.subList(1, words.size())) {
        int distance = distance(wrong, name);
        int most = Math.min(3, 1 + wrong.length() / 3);
        boolean isSimilar =
            distance <= most && 2 * distance <= Math.max(wrong.length(), name.length());
        boolean isFound = !NameHint.withoutList(wrong, ImmutableList.of(name)).isEmpty();
        assertThat(isFound).isEqualTo(isSimilar || name.startsWith(wrong));
      }
    }
  }

  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
