package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {

  @TempDir private Path folder;
  private Path original;
  private Path rewritten;
  private Path plan;

  @BeforeEach
  void optimize() throws IOException {
    original = CommandRun.write(folder.resolve("in.pdmodel"), CommandRun.CHAIN);
    rewritten = folder.resolve("out.pdmodel");
    plan = folder.resolve("plan.json");
    CommandRun.of("optimize", original, "-o", rewritten, "--plan", plan);
  }

  @Test
  void whatOptimizeWrites_isValid() {
    CommandRun run = CommandRun.of("verify", original, rewritten, "--plan", plan);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).isEqualTo("valid\n");
    assertThat(run.errors()).isEmpty();
  }

  /** Two operators of a rewritten program are exchanged although one reads the other's result. */
  @Test
  void exchangedOperators_areNamedWithTheVariable() throws IOException {
    Path first = Path.of("testdata", "examples", "late_read", "program.textproto");
    Program program = ProgramReader.read(first);
    Program swapped =
        ProgramEditor.of(program)
            .reorder(ImmutableMap.of(0, ImmutableIntArray.of(0, 2, 1, 3, 4, 5, 6)))
            .build();
    Path second = folder.resolve("second.textproto");
    Files.write(second, ProgramWriter.toBytes(swapped, ProgramFormat.TEXT, new DiagnosticLog()));

    CommandRun run = CommandRun.of("verify", first, second);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .isEqualTo(
            "rewrite: block 0, op 2 (mul), variable 'a': runs before op 1 (tanh) in the rewritten"
                + " program, but reads the value that it writes\n");
  }

  /** A pass computes y just before the sum; without regard to passes, z gets the name of c. */
  @Test
  void namesThatGraphPassesBreak_areShownWithFusionSafe() throws IOException {
    Path shortcut =
        CommandRun.write(
            folder.resolve("shortcut.pdmodel"),
            """
            version 2003002
            default fp32[1,4,6,6]
            block 0
              feed x: fp32[1,4,6,6]
              (Output: c) = conv2d(Input: x)
              y = batch_norm(c)
              z = tanh(x)
              s = elementwise_add(y, z)
              fetch(s)
            """);
    CommandRun.of(
        "optimize", shortcut, "-o", rewritten, "--fusion", "off", "--in-place", "none", "-q");

    CommandRun run = CommandRun.of("verify", shortcut, rewritten, "--fusion", "safe");

    assertThat(CommandRun.of("verify", shortcut, rewritten).text()).isEqualTo("valid\n");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .isEqualTo(
            "fusion: block 0, op 3 (tanh), variable 'c': is overwritten here, but a graph pass may"
                + " move op 2 (batch_norm), which uses the name, to a later place\n");
    CommandRun.of("optimize", shortcut, "-o", rewritten, "--in-place", "none");
    assertThat(CommandRun.of("verify", shortcut, rewritten, "--fusion", "safe").text())
        .isEqualTo("valid\n");
  }

  @Test
  void fusionSafe_needsARewrittenProgram() {
    CommandRun run = CommandRun.of("verify", original, "--plan", plan, "--fusion", "safe");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errorLines())
        .containsExactly("error: --fusion safe checks a rewritten program: name one");
  }

  @Test
  void whatPlanWrites_isValid() {
    CommandRun.of("plan", original, "-o", plan);

    assertThat(CommandRun.of("verify", original, "--plan", plan).text()).isEqualTo("valid\n");
  }

  @Test
  void aPlanForAnotherBatch_isCheckedForThatBatch() {
    CommandRun.of("plan", original, "-o", plan, "--batch", "7");

    assertThat(CommandRun.of("verify", original, "--plan", plan).text()).isEqualTo("valid\n");
    assertThat(CommandRun.of("verify", original, "--plan", plan, "--batch", "8").exitCode())
        .isEqualTo(1);
  }

  @Test
  void aPlanForOtherFeeds_isCheckedForTheseUnlessOthersAreGiven() {
    CommandRun.of("plan", original, "-o", plan, "--shape", "x=3,256");

    assertThat(CommandRun.of("verify", original, "--plan", plan).text()).isEqualTo("valid\n");
    CommandRun others = CommandRun.of("verify", original, "--plan", plan, "--shape", "x=4,256");
    assertThat(others.exitCode()).isEqualTo(1);
    assertThat(others.text()).contains("are these not the --shape, --batch and --lod");
  }

  @Test
  void aWrongRewrite_isShownOneViolationALine_withExitCode1() throws IOException {
    // b is read after a took its place.
    CommandRun.write(
        rewritten,
        CommandRun.CHAIN.replace("c = fused_feedforward(b, b)", "c = fused_feedforward(a, a)"));

    CommandRun run = CommandRun.of("verify", original, rewritten);
    JsonObject json = CommandRun.of("verify", original, rewritten, "--json").json();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).startsWith("rewrite: block 0, op 3 (fused_feedforward)");
    assertThat(json.get("valid").getAsBoolean()).isFalse();
    JsonObject check = json.getAsJsonArray("checks").get(0).getAsJsonObject();
    assertThat(check.get("subject").getAsString()).isEqualTo("rewrite");
    assertThat(check.get("violation_count").getAsInt())
        .isEqualTo(run.text().lines().toList().size());
    JsonObject violation = check.getAsJsonArray("violations").get(0).getAsJsonObject();
    assertThat(violation.get("block_idx").getAsInt()).isEqualTo(0);
    assertThat(violation.get("op_idx").getAsInt()).isEqualTo(3);
    assertThat(violation.get("op_type").getAsString()).isEqualTo("fused_feedforward");
    assertThat(violation.get("message").getAsString()).isNotEmpty();
  }

  /** CHAIN's feed has an open extent: the shapes may be why names may not be shared. */
  @Test
  void aWrongRewrite_mayHaveBeenMadeForOtherShapes() throws IOException {
    CommandRun.write(
        rewritten,
        CommandRun.CHAIN.replace("c = fused_feedforward(b, b)", "c = fused_feedforward(a, a)"));

    assertThat(CommandRun.of("verify", original, rewritten).errors())
        .endsWith(
            "note: "
                + rewritten
                + ": is checked for the declared shapes; if it was rewritten with --shape, --batch"
                + " or --lod, give the same to verify\n");
    assertThat(CommandRun.of("verify", original, rewritten, "--batch", "2").errors())
        .doesNotContain("give the same to verify");
  }

  @Test
  void aWrongPlan_isShown() throws IOException {
    String text = Files.readString(plan);
    Files.writeString(plan, text.replace("\"offset\":1024", "\"offset\":0"));

    CommandRun run = CommandRun.of("verify", rewritten, "--plan", plan);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).startsWith("plan: ");
  }

  @Test
  void aPlanOfAnotherProgram_isRefused() {
    CommandRun run = CommandRun.of("verify", original, "--plan", plan);

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.text()).isEmpty();
    assertThat(run.errors())
        .startsWith("error: " + plan + ": the plan is for a program with SHA-256 ");
  }

  @Test
  void aDash_isStandardInput() throws IOException {
    CommandRun run = CommandRun.withInput(Files.readAllBytes(rewritten), "verify", original, "-");

    assertThat(run.text()).isEqualTo("valid\n");
  }

  @Test
  void aTable_isVerifiedAgainstOffsetsOfAnyPlanner() throws IOException {
    Path table = folder.resolve("t.csv");
    Files.writeString(table, "id,lower,upper,size,alignment,gaps\na,0,9,8,,2-4\nb,2,4,8,8,\n");
    Path planned = folder.resolve("p.csv");
    Files.writeString(planned, "buffer,start,end,size,offset\nb,2,3,8,0\na,0,8,8,4\n");
    Path wrong = folder.resolve("w.csv");
    Files.writeString(wrong, "id,lower,upper,size,offset\na,0,9,8,0\nb,2,4,8,4\n");

    CommandRun valid = CommandRun.of("verify", table, "--plan", planned);
    CommandRun invalid = CommandRun.of("verify", table, "--plan", wrong);

    assertThat(valid.text()).isEqualTo("valid\n");
    assertThat(valid.exitCode()).isEqualTo(0);
    assertThat(invalid.text())
        .isEqualTo("plan: row 'b' (line 3): offset 4 is not a multiple of its alignment 8\n");
    assertThat(invalid.exitCode()).isEqualTo(1);
    assertThat(CommandRun.of("verify", table, "--plan", wrong, "--json").json().get("valid"))
        .isEqualTo(new JsonPrimitive(false));
  }

  @Test
  void aTable_isVerifiedAgainstOffsetsForTfliteMicro() throws IOException {
    Path table = folder.resolve("t.csv");
    Files.writeString(table, "id,lower,upper,size,offset\na,0,9,16,0\nb,2,4,16,16\n");
    Path array = folder.resolve("t.tflm");
    Path named = folder.resolve("t.tflm.json");
    assertThat(CommandRun.of("convert", table, "-o", array).exitCode()).isEqualTo(0);
    assertThat(CommandRun.of("convert", table, "-o", named).exitCode()).isEqualTo(0);
    assertThat(CommandRun.of("verify", table, "--plan", array).text()).isEqualTo("valid\n");
    assertThat(CommandRun.of("verify", table, "--plan", named).text()).isEqualTo("valid\n");

    Path open =
        Files.writeString(folder.resolve("o.csv"), "id,lower,upper,size\na,0,9,32\nb,2,4,9\n");
    assertThat(CommandRun.of("verify", open, "--plan", array).text())
        .isEqualTo("plan: row 'b' (line 3): overlaps row 'a' (line 2) from time 2 on\n");

    Path other =
        Files.writeString(folder.resolve("u.csv"), "id,lower,upper,size\na,0,9,8\nc,2,4,8\n");
    CommandRun renamed = CommandRun.of("verify", other, "--plan", named);
    assertThat(renamed.exitCode()).isEqualTo(3);
    assertThat(renamed.errors())
        .isEqualTo("error: " + named + ": its tensor 1 is 'b', but that row of the table is 'c'\n");
    Path shorter = Files.writeString(folder.resolve("s.csv"), "id,lower,upper,size\na,0,9,8\n");
    assertThat(CommandRun.of("verify", shorter, "--plan", array).errors())
        .isEqualTo("error: " + array + ": it has 2 offsets, but the table has 1 rows\n");

    CommandRun program = CommandRun.of("verify", original, "--plan", array);
    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(program.errors())
        .isEqualTo(
            "error: "
                + array
                + " does not say when its offsets are used, which a program's plan must: verify the"
                + " plan that it was written from\n");
  }

  @Test
  void aTable_hasNoRewriteAndNoShapes() throws IOException {
    Path table = Files.writeString(folder.resolve("t.csv"), "id,lower,upper,size\n");

    CommandRun rewrite = CommandRun.of("verify", table, original);
    CommandRun shapes = CommandRun.of("verify", table, "--plan", table, "--batch", "2");

    assertThat(rewrite.exitCode()).isEqualTo(2);
    assertThat(rewrite.errors())
        .isEqualTo(
            "error: "
                + table
                + " is a table of buffers, which only a --plan P can be verified for\n");
    assertThat(shapes.errors())
        .isEqualTo("error: --batch is for programs, but " + table + " is a table of buffers\n");
  }

  @Test
  void aPlanWithConstantsInTheArena_needsTheOption() {
    Path model = Path.of("testdata", "onnx", "constants", "model.textproto");
    Path plan = folder.resolve("constants.json");
    CommandRun.of("plan", model, "--constants", "arena", "-o", plan);

    for (String verb : List.of("verify", "run")) {
      CommandRun forgotten = CommandRun.of(verb, model, "--plan", plan);
      assertThat(forgotten.exitCode()).isEqualTo(2);
      assertThat(forgotten.errors())
          .contains("the plan was made with --constants arena: give this option here, too\n");
      assertThat(CommandRun.of(verb, model, "--plan", plan, "--constants", "arena").exitCode())
          .isEqualTo(0);
    }
  }
}
