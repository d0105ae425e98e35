package dev.sublet.codec.table;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanSubject;
import dev.sublet.codec.plan.PlanWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of variables in CSV for spreadsheets and other planners. */
class CsvNamesTest {

  @ParameterizedTest
  @CsvSource({
    "conv2d_0.tmp_0@GRAD, conv2d_0.tmp_0@GRAD",
    "a=b-c+d,             a=b-c+d",
    "=1+1,                \\x3D1+1",
    "+1,                  \\x2B1",
    "-1,                  \\x2D1",
    "@SUM(A1),            \\x40SUM(A1)",
    "\\x3D,               \\\\x3D",
  })
  void encode_leavesNoFormula(String name, String written) {
    assertThat(CsvNames.encode(name)).isEqualTo(written);
  }

  @Test
  void encode_leavesNothingThatCannotBeSeen() {
    assertThat(CsvNames.encode("\t=1")).isEqualTo("\\x09=1");
    assertThat(CsvNames.encode("a\u202Eb\r\n")).isEqualTo("a\\u{202E}b\\x0D\\x0A");
    assertThat(CsvNames.encode("x\uDCFF")).isEqualTo("x\\xFF");
    assertThat(CsvNames.encode("")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"CSV, 1", "BUFFERS, 0", "PROBLEM, 0"})
  void everyForm_hasNamesSo(PlanFormat form, int column) {
    MemoryPlan plan =
        new MemoryPlan(
            "",
            "p",
            1,
            ImmutableList.of(new Arena("cpu", 64, 0, 1)),
            ImmutableList.of(
                new Allocation(
                    new VariableId(0, "=1+1\u202E"),
                    0,
                    0,
                    4,
                    ImmutableList.of(new Interval(0, 1)))),
            ImmutableList.of(),
            ImmutableList.of());
    byte[] bytes = PlanWriter.toBytes(plan, form, PlanSubject.unknown(), new DiagnosticLog());
    String row = new String(bytes, StandardCharsets.UTF_8).lines().toList().get(1);
    assertThat(row.split(",", -1)[column]).isEqualTo("\\x3D1+1\\u{202E}");
  }
}
