package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Stopwatch;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.table.BufferTableReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.BufferTable;
import dev.sublet.verify.graph.ValidationResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the table validator says; that it is right is a property of {@code TablePlannerTest}. */
final class BufferTableValidatorTest {

  private static final String PROBLEM =
      """
      id,lower,upper,size,alignment,offset,gaps
      a,0,4,8,,,
      b,2,6,8,4,,
      c,4,6,8,,16,
      """;

  private static BufferTable table(String text) {
    return BufferTableReader.parse(text.getBytes(UTF_8), "t.csv", new DiagnosticLog());
  }

  private static String violations(String plan) {
    return BufferTableValidator.validate(table(PROBLEM), 1, table(plan)).toString();
  }

  @Test
  void aRightPlan_isValid_inAnyOrderAndWithoutTheOtherColumns() {
    String plan = "buffer,start,end,size,offset\nc,4,5,8,16\nb,2,5,8,8\na,0,3,8,0\n";

    assertThat(violations(plan)).isEqualTo("valid");
  }

  @Test
  void everyViolation_isALineAboutARow() {
    assertThat(violations("id,lower,upper,size,offset\na,0,4,8,6\nb,2,6,8,9\nc,4,6,8,24\n"))
        .isEqualTo(
            """
            row 'b' (line 3): offset 9 is not a multiple of its alignment 4
            row 'c' (line 4): is at offset 24, but must be at 16
            row 'b' (line 3): overlaps row 'a' (line 2) from time 2 on
            """);
  }

  @Test
  void aPlanOfAnotherTable_isNotValid() {
    assertThat(violations("id,lower,upper,size,offset\na,0,4,9,0\nb,2,6,8,\nd,0,1,1,0\n"))
        .isEqualTo(
            """
            row 'a' (line 2): is 8 bytes in [0, 4), but in the plan it is 9 bytes in [0, 4)
            row 'c' (line 4): the plan has no such row
            the plan has a row 'd' (its line 4), which is not in the table
            row 'b' (line 3): has no offset
            row 'c' (line 4): has no offset
            """);
  }

  @Test
  void aRowBehindTheArena_isAViolation_howeverFar() {
    BufferTable table = table("id,lower,upper,size\na,0,1,8\n");
    ImmutableLongArray far = ImmutableLongArray.of(Long.MAX_VALUE - 1);

    assertThat(BufferTableValidator.validate(table, 1, far, Long.MAX_VALUE).toString())
        .isEqualTo(
            "row 'a' (line 2): at offset 9223372036854775806 it does not end within the arena's"
                + " 9,223,372,036,854,775,807 bytes (8.00 EiB)\n");
  }

  @Test
  void aHopelessPlan_costsNoMoreThanARightOne() {
    int count = 100_000;
    StringBuilder text = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i < count; i++) {
      text.append(i).append(",0,9,8\n");
    }
    BufferTable table = table(text.toString());
    ImmutableLongArray allAtZero = ImmutableLongArray.copyOf(new long[count]);
    Stopwatch stopwatch = Stopwatch.createStarted();

    ValidationResult result = BufferTableValidator.validate(table, 1, allAtZero, 8);

    assertThat(result.count()).isEqualTo(count - 1);
    assertThat(stopwatch.elapsed()).isLessThan(Duration.ofSeconds(5));
  }
}
