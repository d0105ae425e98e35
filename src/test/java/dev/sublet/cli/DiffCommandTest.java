package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {

  private static final String BEFORE =
      """
      version 2004001
      default fp32[8]
      block 0
      feed x: fp32[8]
      var w: fp32[8] persistable
      a = relu(x)
      b = scale(a) {scale: 2.0}
      c = elementwise_add(b, w)
      d = tanh(c)
      fetch(d)
      """;

  @TempDir private Path folder;

  private Path program(String name, String text) throws IOException {
    return CommandRun.write(folder.resolve(name), text);
  }

  private CommandRun diff(String after, Object... options) throws IOException {
    Object[] arguments = new Object[options.length + 3];
    arguments[0] = "diff";
    arguments[1] = program("a", BEFORE);
    arguments[2] = program("b.textproto", after);
    System.arraycopy(options, 0, arguments, 3, options.length);
    return CommandRun.of(arguments);
  }

  @Test
  void theSameProgram_isTheSame_whateverItsForm() throws IOException {
    CommandRun run = diff(BEFORE);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).isEqualTo("same\n");
  }

  @Test
  void renamings_areUnderstood_evenIfANameIsUsedAgain() throws IOException {
    CommandRun run =
        diff(
            BEFORE
                .replace("c = elementwise_add(b, w)", "a = elementwise_add(b, w)")
                .replace("tanh(c)", "tanh(a)"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).isEqualTo("renamed: c → a (2 uses)\n");
  }

  @Test
  void aNameThatIsTakenTooEarly_isNoRenaming() throws IOException {
    // b takes the name of a, which c still reads: c gets another value.
    CommandRun run =
        CommandRun.of(
            "diff",
            program("a", BEFORE.replace("elementwise_add(b, w)", "elementwise_add(b, a)")),
            program(
                "b",
                BEFORE
                    .replace("b = scale(a)", "a = scale(a)")
                    .replace("elementwise_add(b, w)", "elementwise_add(a, a)")));

    assertThat(run.text())
        .isEqualTo(
            """
            renamed: b → a (2 uses)
            changed: block 0, op 3 (elementwise_add): input Y is another value of 'a'
            """);
  }

  @Test
  void operators_areAdded_removed_andChanged() throws IOException {
    CommandRun run =
        diff(
            BEFORE
                .replace("scale: 2.0", "scale: 0.5")
                .replace("a = relu(x)", "z = sigmoid(x)\na = relu(z)")
                .replace("d = tanh(c)", "d = assign(c)"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .isEqualTo(
            """
            removed: block 0, op 4 (tanh)
            added: block 0, op 1 (sigmoid)
            added: block 0, op 5 (assign)
            changed: block 0, op 1 (relu), now op 2: input X is 'z' instead of 'x'
            changed: block 0, op 2 (scale), now op 3: attribute scale is 0.5 instead of 2.0
            changed: block 0, op 5 (fetch), now op 6: input X is another value of 'd'
            variable added: z
            """);
  }

  @Test
  void variables_areDeclaredOtherwise() throws IOException {
    CommandRun run =
        diff(
            BEFORE
                .replace("version 2004001", "version 2005000")
                .replace("feed x: fp32[8]", "feed x: fp32[-1,8]")
                .replace("var w: fp32[8] persistable", "var w: fp32[8] stop_gradient"));

    assertThat(run.text())
        .isEqualTo(
            """
            version: 2005000 instead of 2004001
            variable changed: x is FP32[-1, 8] instead of FP32[8]
            variable changed: w is not persistable any more
            """);
  }

  @Test
  void json_hasTheSame() throws IOException {
    JsonObject json = diff(BEFORE.replace("scale: 2.0", "scale: 0.5"), "--json").json();

    assertThat(json.get("same").getAsBoolean()).isFalse();
    assertThat(json.getAsJsonArray("operators").toString())
        .isEqualTo(
            "[{\"kind\":\"changed\","
                + "\"before\":{\"block_idx\":0,\"op_idx\":2,\"op_type\":\"scale\"},"
                + "\"after\":{\"block_idx\":0,\"op_idx\":2,\"op_type\":\"scale\"},"
                + "\"details\":[\"attribute scale is 0.5 instead of 2.0\"]}]");
  }

  @Test
  void standardInput_isReadOnce() throws IOException {
    Path input = program("a", BEFORE);

    CommandRun one = CommandRun.withInput(Files.readAllBytes(input), "diff", "-", input);
    CommandRun two = CommandRun.withInput(Files.readAllBytes(input), "diff", "-", "-");

    assertThat(one.text()).isEqualTo("same\n");
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.errors()).isEqualTo("error: standard input can be read only once\n");
  }

  private Path plan(String name, String program, String... options) throws IOException {
    Path output = folder.resolve(name);
    Object[] arguments = new Object[options.length + 4];
    arguments[0] = "plan";
    arguments[1] = program("of-" + name, program);
    arguments[2] = "-o";
    arguments[3] = output;
    System.arraycopy(options, 0, arguments, 4, options.length);
    assertThat(CommandRun.of(arguments).exitCode()).isEqualTo(0);
    return output;
  }

  @Test
  void plans_areTheSame_inAnyForm() throws IOException {
    CommandRun json = CommandRun.of("diff", plan("a.json", BEFORE), plan("b.pb", BEFORE));
    CommandRun text = CommandRun.of("diff", plan("a.textproto", BEFORE), plan("b.pb", BEFORE));

    assertThat(json.text()).isEqualTo("same\n");
    assertThat(json.exitCode()).isEqualTo(0);
    assertThat(text.text()).isEqualTo("same\n");
  }

  @Test
  void plans_differInArenasAndAllocations() throws IOException {
    Path a = plan("a.json", BEFORE);
    Path b = plan("b.json", BEFORE.replace("default fp32[8]", "default fp32[40]"), "--align=32");
    CommandRun run = CommandRun.of("diff", a, b);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text().replaceAll("[0-9a-f]{64}", "SHA"))
        .isEqualTo(
            """
            arena on cpu: 192 instead of 96, 96 more; lower bound 192 instead of 96; alignment 32 instead of 64
            program is SHA instead of SHA
            moved: 0:x, 32 bytes at 160 instead of 32 bytes at 0
            grown, moved: 0:a, 160 bytes at 0 instead of 32 bytes at 64
            grown, moved: 0:b, 160 bytes at 0 instead of 32 bytes at 64
            grown, moved: 0:c, 160 bytes at 0 instead of 32 bytes at 64
            grown, moved: 0:d, 160 bytes at 0 instead of 32 bytes at 64
            """);
  }

  @Test
  void aProgramAndAPlan_cannotBeCompared() throws IOException {
    Path plan = plan("a.pb", BEFORE);
    Path program = program("a", BEFORE);

    CommandRun run = CommandRun.of("diff", program, plan);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .isEqualTo(
            "error: "
                + program
                + " is a program and "
                + plan
                + " a plan: diff compares two programs or two plans\n");
    assertThat(run.text()).isEmpty();
  }

  @Test
  void twoPlans_canBeDrawn_programsCannot() throws IOException {
    Path program = program("p.textproto", BEFORE);
    Path small = folder.resolve("small.plan.json");
    Path large = folder.resolve("large.plan.json");
    assertThat(CommandRun.of("plan", program, "-o", small, "-q").exitCode()).isEqualTo(0);
    Path wider = program("q.textproto", BEFORE.replace("fp32[8]", "fp32[16]"));
    assertThat(CommandRun.of("plan", wider, "-o", large, "-q").exitCode()).isEqualTo(0);
    Path page = folder.resolve("grown.html");
    Path svg = folder.resolve("grown.svg");

    CommandRun run = CommandRun.of("diff", small, large, "--report", page, "--report", svg);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).isEqualTo(CommandRun.of("diff", small, large).text());
    assertThat(Files.readString(page))
        .contains("\"comparison\":{\"before\":\"small.plan.json\",\"after\":\"large.plan.json\"");
    assertThat(Files.readString(svg)).contains("class=\"headline\">small.plan.json</text>");

    CommandRun refused = diff(BEFORE, "--report", page);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.errors()).contains("--report draws two plans, but ");
  }
}
