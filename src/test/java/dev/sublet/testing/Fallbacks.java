package dev.sublet.testing;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;

/**
 * What the path does instead of ending when it meets a bug of its own: it says so in a note and
 * takes a program or plan that is right. Users want that, tests do not.
 */
public final class Fallbacks {

  private Fallbacks() {}

  /**
   * Fails if a note says that something of ours went wrong.
   *
   * @param input printed if it fails
   */
  public static void assertNone(ImmutableList<Diagnostic> diagnostics, String input) {
    for (Diagnostic diagnostic : diagnostics) {
      assertWithMessage(input).that(diagnostic.toString()).doesNotContain("please report it");
    }
  }
}
