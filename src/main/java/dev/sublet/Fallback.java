package dev.sublet;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import java.util.function.BiFunction;

/** Recovery from a bug of Sublet: the only place where such a bug does not end the run. */
final class Fallback {

  private Fallback() {}

  /**
   * Runs a path. If a bug of Sublet stops it, runs the path again with all loop-carried copies,
   * because most bugs are in the passes that remove these copies, and logs a note. With assertions
   * enabled, as in tests, the bug is thrown instead.
   *
   * @param path the work to do; takes the options and the log of its diagnostics
   */
  static <T> T toCopies(
      TranspileOptions options, BiFunction<TranspileOptions, DiagnosticLog, T> path) {
    try {
      return path.apply(options, new DiagnosticLog());
    } catch (ProgramException badInput) {
      throw badInput;
    } catch (RuntimeException | AssertionError bug) {
      if (options.loops() == LoopMode.COPY || Fallback.class.desiredAssertionStatus()) {
        throw bug;
      }
      DiagnosticLog log = new DiagnosticLog();
      log.note(
          Location.nowhere(),
          "loops copy as before, since a bug stopped the passes that copy less; please report it: "
              + bug);
      return path.apply(options.withLoops(LoopMode.COPY), log);
    }
  }
}
