package dev.sublet.report;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violation;
import org.junit.jupiter.api.Test;

class VerifyReportTest {

  private static final VerifyReport.Check VALID =
      new VerifyReport.Check("rewrite", new ValidationResult(ImmutableList.of(), 0));

  private static final VerifyReport.Check INVALID =
      new VerifyReport.Check(
          "plan",
          new ValidationResult(
              ImmutableList.of(
                  new Violation(Location.operation(1, 2, "relu").at("x"), "is overwritten"),
                  new Violation(Location.nowhere(), "is too small")),
              5));

  @Test
  void text_isValidOnlyIfEveryCheckIs() {
    assertThat(new VerifyReport(ImmutableList.of(VALID)).text()).isEqualTo("valid\n");
    assertThat(new VerifyReport(ImmutableList.of(VALID, INVALID)).text())
        .isEqualTo(
            """
            plan: block 1, op 2 (relu), variable 'x': is overwritten
            plan: is too small
            plan: and 3 more
            """);
  }

  @Test
  void json_hasTheKnownPartsOfEachPlace() {
    String json = new VerifyReport(ImmutableList.of(VALID, INVALID)).json();

    assertThat(json).contains("\"valid\": false");
    assertThat(json).contains("\"violation_count\": 5");
    assertThat(json.replaceAll("\\s+", ""))
        .contains(
            "[{\"block_idx\":1,\"op_idx\":2,\"op_type\":\"relu\",\"variable\":\"x\","
                + "\"message\":\"isoverwritten\"},{\"message\":\"istoosmall\"}]");
  }
}
