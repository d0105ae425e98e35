package dev.sublet.cli.console;

import com.google.common.base.Stopwatch;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Measures the steps of a command, one after the other. */
public final class StepClock {

  private final @Nullable PrintStream stream;
  private final Stopwatch stopwatch = Stopwatch.createStarted();

  /**
   * Starts the first step.
   *
   * @param stream gets the times; nothing is printed if null
   */
  public StepClock(@Nullable PrintStream stream) {
    this.stream = stream;
  }

  /** Ends a step and starts the next one. Returns the duration of the step in milliseconds. */
  @CanIgnoreReturnValue
  public double endStep(String name) {
    double millis = stopwatch.elapsed(TimeUnit.NANOSECONDS) / 1e6;
    if (stream != null) {
      stream.print(String.format(Locale.ROOT, "timing: %s %.1f ms\n", name, millis));
    }
    stopwatch.reset().start();
    return millis;
  }
}
