package dev.sublet.testing.text;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.truth.extensions.proto.ProtoTruth;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgramTextTest {

  private static final String LOOP =
      """
      version 2004000
      block 0
        var feed: feed_holder persistable
        var x: fp32[-1,4] lod(1)
        var w: fp32[4,4] persistable parameter
        var a: array fp32[4]
        var r: selected_rows fp32[4]
        var c: bool[1] stop_gradient
        var scopes: step_scopes
        var t: tensor check_feed
        var fetch: fetch_list persistable
        feed x
        c = less_than(x, w) {force_cpu: true}
        while(Condition: c, X: x t) -> (Out: x c, StepScopes: scopes) {sub_block: 1, is_test: true}
        (Y: t, "odd slot": x @EMPTY@, None:) = batch_norm(x, Mean: w) target
        fetch(t)
        fetch(x)
      block 1 parent 0
        var "a name, with # and \\"": int64[]
        x = tanh("a name, with # and \\"")
      block 2 parent 0 forward 1
        print(x, x, Third: x)
        x x = split(Z: x)
      """;

  private static final String ATTRIBUTES =
      """
      block 0
        p() {i: -1, l: 5L, f: 0.5, tiny: 1.0E-8, b: true, s: "a \\"b\\"\\nc", is: [1, -2], none: ints []}
        p() {ls: [1L, 2L], fs: [0.5, 2.0], bs: [true, false], ss: ["x", ""], empty: strings []}
        p() -> () {body: block 0, all: blocks [0, 0], v: var "x y", vs: vars ["x", "y"]}
        p() {d: float64 0.25, ds: float64s [0.25]}
        fetch() -> ()
      """;

  @Test
  void print_ofACanonicalText_isThatText() {
    assertThat(ProgramText.print(ProgramText.parse(LOOP))).isEqualTo(LOOP);
    // The attribute program runs inside itself: it has a meaning only as a message.
    assertThat(ProgramTextPrinter.print(ProgramText.parseMessage(ATTRIBUTES)))
        .isEqualTo(ATTRIBUTES);
  }

  @Test
  void parse_ofAPrintedProgram_isTheProgram() {
    Program program = ProgramText.parse("block 0", "feed x: fp32[4]", "y = relu(x)", "fetch(y)");

    Program again = ProgramText.parse(ProgramText.print(program));

    ProtoTruth.assertThat(again.toMessage()).isEqualTo(program.toMessage());
  }

  @Test
  void parse_slotsWithoutNames_areXThenYAndOut() {
    Operation operation =
        ProgramText.parse("block 0", "var a: fp32[1]", "z = elementwise_add(a, a, Bias: a)")
            .block(0)
            .operations()
            .get(0);

    assertThat(operation.inputSlots().get(0).name()).isEqualTo("X");
    assertThat(operation.inputSlots().get(1).name()).isEqualTo("Y");
    assertThat(operation.inputSlots().get(2).name()).isEqualTo("Bias");
    assertThat(operation.outputSlots().get(0).name()).isEqualTo("Out");
  }

  @Test
  void parse_feedAndFetch_addHoldersAndColumns() {
    Program program =
        ProgramText.parse(
            "block 0", "feed x: fp32[4]", "feed y: fp32[4]", "fetch(x)", "fetch(y) # again");

    assertThat(program.variable(program.declared(0, "feed")).kind())
        .isEqualTo(Variable.Kind.FEED_HOLDER);
    assertThat(program.variable(program.declared(0, "fetch")).kind())
        .isEqualTo(Variable.Kind.FETCH_HOLDER);
    assertThat(column(program, 1)).isEqualTo(1);
    assertThat(column(program, 3)).isEqualTo(1);
  }

  private static long column(Program program, int operation) {
    return program.block(0).operations().get(operation).attribute("col").orElseThrow().asLong(-1);
  }

  @Test
  void parse_anUndeclaredName_isDeclaredWhereItIsFirstWritten() {
    Program program =
        ProgramText.parse(
            "default int64[2]",
            "block 0",
            "outer = a()",
            "while(Condition: outer) -> (Out:, StepScopes: s) {sub_block: 1}",
            "array = write_to_array(outer)",
            "block 1 parent 0",
            "outer = b(outer)",
            "inner = b(outer)");

    assertThat(program.declared(0, "inner")).isEqualTo(Program.NO_VARIABLE);
    Variable inner = program.variable(program.declared(1, "inner"));
    assertThat(inner.tensorType().orElseThrow().toString()).isEqualTo("INT64[2]");
    assertThat(program.declared(1, "outer")).isEqualTo(Program.NO_VARIABLE);
    assertThat(program.variable(program.declared(0, "s")).kind())
        .isEqualTo(Variable.Kind.STEP_SCOPES);
    assertThat(program.variable(program.declared(0, "array")).kind())
        .isEqualTo(Variable.Kind.TENSOR_ARRAY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t = relu(x)           | line 1: no block has begun",
        "block 1               | line 1: expected block 0",
        "block 0; y = f(x      | line 2: expected ',' but found the end of the line",
        "block 0; y = f(x)     | line 2: 'x' is neither declared nor written",
        "block 0; y = f() z    | line 2: did not expect 'z'",
        "block 0; y z f()      | line 2: expected '=' behind the outputs",
        "block 0; var x fp32[] | line 2: expected ':' but found 'fp32[]'",
        "block 0; var x: fp3[] | line 2: 'fp3' is not a type",
        "block 0; var x: fp32[a] | line 2: an extent must be a number but is 'a'",
        "block 0; var x: raw big | line 2: 'big' is not a flag",
        "block 0; var x: raw; var x: raw | line 3: 'x' is declared twice",
        "block 0; y = f() {a: 1.x} | line 2: malformed number (For input string: \"1.x\")",
        "block 0; y = f() {a: \"b} | line 2: the quotes are not closed",
        "block 0; y = f(a, b, c) | line 2: slot 3 needs a name",
        "block 0; y = f(a b: c) | line 2: expected one slot name before ':'",
        "block 0; * | line 2: expected a statement",
      })
  void parse_malformedText_namesTheLine(String text, String message) {
    IllegalArgumentException exception =
        assertThrows(
            IllegalArgumentException.class, () -> ProgramText.parse(text.replace(';', '\n')));

    assertThat(exception).hasMessageThat().startsWith(message + " in \"");
  }
}
