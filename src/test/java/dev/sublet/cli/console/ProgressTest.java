package dev.sublet.cli.console;

import static com.google.common.truth.Truth.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The line on a terminal, with commands that take as many seconds as they are told. */
class ProgressTest {

  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

  private final Progress progress = new Progress(terminal, true);

  /** Is done after so many waits of a second; during each, one thing happens. */
  private static final class Slow extends FutureTask<String> {

    private final Iterator<Runnable> happenings;

    Slow(List<Runnable> happenings) {
      super(() -> "done");
      this.happenings = happenings.iterator();
    }

    @Override
    public String get(long timeout, TimeUnit unit) throws TimeoutException {
      assertThat(unit.toMillis(timeout)).isEqualTo(1000);
      if (!happenings.hasNext()) {
        return "done";
      }
      happenings.next().run();
      throw new TimeoutException();
    }
  }

  /** What the terminal gets; | stands for what wipes the line. */
  private String shown(Progress progress, Runnable... happenings) throws Exception {
    assertThat(progress.await(new Slow(List.of(happenings)))).isEqualTo("done");
    return terminal.toString(StandardCharsets.UTF_8).replace("\r\u001B[K", "|");
  }

  private Runnable begin(String step) {
    return () -> progress.begin(step);
  }

  @Test
  void aCommandOfLessThanASecond_showsNothing() throws Exception {
    assertThat(shown(progress)).isEmpty();
  }

  @Test
  void theStepIsShownEachSecond_andWipedAtTheEnd() throws Exception {
    assertThat(shown(progress, begin("sharing names"), begin("planning"), () -> {}))
        .isEqualTo("|sharing names, 1 s|planning, 2 s|planning, 3 s|");
  }

  @Test
  void whatIsNoTerminal_getsNothing() throws Exception {
    assertThat(shown(new Progress(terminal, false), () -> {}, () -> {})).isEmpty();
  }

  @Test
  void output_wipesTheLineFirst_andNoneFollowsIt() throws Exception {
    try (OutputStream stream = progress.before(terminal);
        PrintStream print = new PrintStream(stream, false, StandardCharsets.UTF_8)) {
      assertThat(shown(progress, begin("a"), () -> print.print("result"), begin("b")))
          .isEqualTo("|a, 1 s|result");
    }
  }
}
