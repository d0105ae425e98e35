package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The peak of an arena, against counting its bytes one by one. */
final class PeakSweepTest {

  private static PeakSweep.Segment segment(int owner, long begin, long end, long low, long high) {
    return new PeakSweep.Segment(owner, begin, end, low, high);
  }

  @Test
  void thePeak_isTheEarliest_untilSomethingChanges_theLargestFirst() {
    PeakSweep.Segment small = segment(0, 0, 9, 0, 4);
    PeakSweep.Segment large = segment(1, 2, 4, 4, 12);
    PeakSweep.Segment second = segment(2, 4, 6, 4, 12);

    PeakSweep.Peak peak = PeakSweep.find(List.of(small, large, second));

    assertThat(peak.begin()).isEqualTo(2);
    assertThat(peak.end()).isEqualTo(4);
    assertThat(peak.bytes()).isEqualTo(12);
    assertThat(peak.segments()).containsExactly(large, small).inOrder();
  }

  @Test
  void bytesThatSeveralOccupy_countOnce() {
    PeakSweep.Peak peak =
        PeakSweep.find(
            List.of(segment(0, 0, 3, 0, 8), segment(1, 0, 3, 2, 6), segment(2, 3, 4, 0, 9)));

    assertThat(peak.bytes()).isEqualTo(9);
    assertThat(peak.begin()).isEqualTo(3);
  }

  @Property(tries = 1000)
  void thePeak_isWhatCountingGives(@ForAll long seed) {
    Random random = new Random(seed);
    List<PeakSweep.Segment> segments = new ArrayList<>();
    for (int i = random.nextInt(12); i >= 0; i--) {
      long begin = random.nextInt(12);
      long low = random.nextInt(20);
      segments.add(segment(i, begin, begin + 1 + random.nextInt(6), low, low + random.nextInt(10)));
    }
    long most = 0;
    for (long time = 0; time < 20; time++) {
      most = Math.max(most, bytesAt(segments, time));
    }

    PeakSweep.Peak peak = PeakSweep.find(segments);

    assertThat(peak.bytes()).isEqualTo(most);
    assertThat(bytesAt(segments, peak.begin())).isEqualTo(most);
    assertThat(bytesAt(segments, peak.end() - 1)).isEqualTo(most);
  }

  private static long bytesAt(List<PeakSweep.Segment> segments, long time) {
    long bytes = 0;
    for (long at = 0; at < 40; at++) {
      for (PeakSweep.Segment s : segments) {
        if (s.begin() <= time && time < s.end() && s.low() <= at && at < s.high()) {
          bytes++;
          break;
        }
      }
    }
    return bytes;
  }
}
