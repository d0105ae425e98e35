package dev.sublet.cli.console;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeepStackTest {

  private static int depth(int levels) {
    return levels == 0 ? 0 : 1 + depth(levels - 1);
  }

  @Test
  void recursionThatNoOrdinaryThreadStands_returns() throws Throwable {
    assertThat(DeepStack.<Integer>call(() -> depth(500_000), Progress.NONE)).isEqualTo(500_000);
  }

  @Test
  void whatTheTaskThrows_isThrown() {
    IOException planted = new IOException("planted");

    Throwable thrown =
        assertThrows(
            IOException.class,
            () ->
                DeepStack.call(
                    () -> {
                      throw planted;
                    },
                    Progress.NONE));

    assertThat(thrown).isSameInstanceAs(planted);
  }
}
