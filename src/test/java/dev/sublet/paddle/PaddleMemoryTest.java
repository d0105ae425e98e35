package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.paddle.MemoryTable.Row;
import dev.sublet.paddle.runtime.PaddleRuntime;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The smaller programs of {@link MemoryTable}: rewritten, they take less memory than saved. */
final class PaddleMemoryTest {

  private static final ImmutableSet<String> NAMES =
      ImmutableSet.of("clas_huxj", "luong_infer", "ocr_rec_ultralight23", "t66y");

  /** What a measurement may be off by, in kB: the process itself moves a little. */
  private static final long NOISE = 1024;

  /** The most that a program rewritten for its shapes may need of what the original needs. */
  private static final double MOST = 1.02;

  /** The most that the rewritten programs may need on average (geometric mean). */
  private static final double MOST_ON_AVERAGE = 0.85;

  @BeforeAll
  static void needsRuntimeAndCorpus() {
    PaddleRuntime.assumeAvailable();
    CorpusModels.assumeAvailable();
  }

  @Test
  void rewrittenPrograms_takeLessMemory() {
    List<Row> rows =
        CorpusModels.names().parallelStream()
            .filter(NAMES::contains)
            .map(MemoryTable::measure)
            .collect(ImmutableList.toImmutableList());
    for (Row row : rows) {
      assertWithMessage("%s", row).that(row.open().alone()).isAtMost(row.asSaved() + NOISE);
      assertWithMessage("%s", row).that(row.given().alone()).isAtMost(row.asSaved() + NOISE);
      double most = MOST * row.paddle();
      assertWithMessage("%s", row).that((double) row.given().withPass()).isAtMost(most);
    }
    assertThat(MemoryTable.average(rows, Row::given)).isAtMost(MOST_ON_AVERAGE);
    assertThat(MemoryTable.average(rows, Row::open)).isAtMost(MOST_ON_AVERAGE);
  }
}
