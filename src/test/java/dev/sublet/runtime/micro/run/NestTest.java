package dev.sublet.runtime.micro.run;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Workers share the items of a nest. */
final class NestTest {

  @Test
  void eachItem_isDoneOnce() {
    for (int items = 0; items < 20; items++) {
      for (int workers = 1; workers <= 4; workers++) {
        AtomicIntegerArray done = new AtomicIntegerArray(items);
        Nest.Worker worker =
            (from, to) -> {
              for (long item = from; item < to; item++) {
                done.incrementAndGet((int) item);
              }
            };
        new Nest(ImmutableList.copyOf(Collections.nCopies(workers, worker)), items).run();
        for (int item = 0; item < items; item++) {
          assertThat(done.get(item)).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void ofSeveralFailures_theFirstSharesCounts() {
    Nest.Worker fails =
        (from, to) -> {
          throw new IllegalArgumentException("from " + from);
        };
    Nest.Worker works = (from, to) -> {};
    Nest nest = new Nest(ImmutableList.of(works, fails, fails), 30);
    assertThat(assertThrows(IllegalArgumentException.class, nest::run))
        .hasMessageThat()
        .isEqualTo("from 10");
  }
}
