package dev.sublet;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import java.util.function.BiFunction;

/** The one place where a bug of ours does not end the run. */
final class Fallback {

  private Fallback() {}

  /**
   * Runs a path, and if that ends in a bug of ours, runs it once more with all copies in loops:
   * most of what can go wrong is in the passes that remove them. A note says so. With assertions
   * on, as in tests, every bug is thrown.
   *
   * @param path takes the options and the log of its diagnostics
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
