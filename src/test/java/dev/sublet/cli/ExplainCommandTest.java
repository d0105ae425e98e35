package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

  @TempDir private Path folder;

  private Path loop(String... body) throws IOException {
    String[] lines = {
      "block 0",
      "feed x: fp32[8]",
      "feed i: int64[1]",
      "feed n: int64[1]",
      "var a: fp32[8]",
      "var b: fp32[8]",
      "default fp32[8]",
      "a = relu(x)",
      "b = tanh(x)",
      "c = less_than(X: i, Y: n)",
      "while(Condition: c, X: a b i n) -> (Out: a b i c, StepScopes: s) {sub_block: 1}",
      "r = elementwise_add(a, b)",
      "fetch(r)",
      "block 1 parent 0"
    };
    String[] all = new String[lines.length + body.length + 2];
    System.arraycopy(lines, 0, all, 0, lines.length);
    System.arraycopy(body, 0, all, lines.length, body.length);
    all[all.length - 2] = "i = increment(i)";
    all[all.length - 1] = "c = less_than(X: i, Y: n)";
    return CommandRun.write(folder.resolve("in"), all);
  }

  @Test
  void saysOfEachCarryWhatBecomesOfItsCopy() throws IOException {
    CommandRun run =
        CommandRun.of(
            "explain",
            loop("y = cumsum(a) {axis: 0}", "z = tanh(b)", "a = assign(y)", "b = assign(z)"));

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text())
        .isEqualTo(
            """
            loop of block 1: everything is back in its place after 2 iterations
              variable  next value  copy                    because
              a         y           none: 2 places in turn  it is still needed when its next value is computed
              b         z           none: one place         it is not needed any more when its next value is computed
            """);
  }

  @Test
  void json_hasTheSame() throws IOException {
    CommandRun run = CommandRun.of("explain", loop("b = assign(x)"), "--json");

    assertThat(run.json().toString())
        .isEqualTo(
            "{\"loops\":[{\"block_idx\":1,\"repeat\":1,\"carries\":[{\"op_index\":0,"
                + "\"target\":{\"block_idx\":0,\"variable\":\"b\"},"
                + "\"source\":{\"block_idx\":0,\"variable\":\"x\"},"
                + "\"decision\":\"copied\",\"repeat\":1,"
                + "\"reason\":\"the loop does not compute what it copies\"}]}]}");
  }

  @Test
  void withoutCarries_saysSo() throws IOException {
    CommandRun run = CommandRun.of("explain", loop());

    assertThat(run.text())
        .isEqualTo("no loop of the program hands a tensor to its next iteration by a copy\n");
  }
}
