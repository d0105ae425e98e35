package dev.sublet.codec.program;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.codec.program.ProgramFormat.BINARY;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.io.BaseEncoding;
import com.google.common.primitives.Bytes;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.UnusualProgram;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said about input that is no program: one line each. */
class ProgramReaderErrorTest {

  private static final String BLOCK = "blocks { idx: 0 parent_idx: -1 ";
  private static final String RAW = "type { type: RAW } ";

  static Stream<Arguments> texts() {
    return Stream.of(
        arguments("", "f: the file is empty"),
        arguments(" \n", "f: the program has no block; is this a ProgramDesc?"),
        arguments("hello world", "f: not a ProgramDesc: 1:7: Expected \"{\""),
        arguments("blocks {\n  idx: 0", "f: 2:9: Expected \"}\""),
        arguments(BLOCK + "\n foo: 3 bar: 1 }", "f: 2:2: BlockDesc has no field 'foo'"),
        arguments(BLOCK + "vars { type { size: 3 } } }", "f: 1:46: VarType has no field 'size'"),
        arguments(
            BLOCK + "idx: 1 }",
            "f: 1:35: Non-repeated field \"BlockDesc.idx\" cannot be overwritten"),
        arguments(
            BLOCK + "vars { name: 'x' type { type: FOO } } }",
            "f: 1:62: Enum type \"VarType.Type\" has no value named \"FOO\""),
        arguments(
            BLOCK + "vars { type { } } }",
            "f: required field blocks[0].vars[0].name is missing, and 1 more"),
        arguments(
            BLOCK + "ops { inputs { parameter: 'X' } } }",
            "f: required field blocks[0].ops[0].type is missing"),
        arguments(
            BLOCK + "vars { name: 'x' " + RAW + "} vars { name: 'x' " + RAW + "} }",
            "f: block 0, variable 'x': the block declares this name twice"),
        arguments(
            BLOCK + "ops { type: 'relu' inputs { parameter: 'X' arguments: 'y' } } }",
            "f: block 0, op 0 (relu), variable 'y': slot 'X' names a variable that neither the"
                + " block nor any block around it declares"),
        arguments(
            "blocks { idx: 1 parent_idx: -1 }", "f: block 0: the block says that its index is 1"));
  }

  static Stream<Arguments> jsons() {
    return Stream.of(
        arguments("[1]", "f: 1:2: expected an object with the fields of ProgramDesc, in $"),
        arguments("{", "f: 1:2: End of input, in $"),
        arguments("{}", "f: the program has no block; is this a ProgramDesc?"),
        arguments("{} x", "f: 1:5: malformed JSON, in $"),
        arguments("{} {}", "f: 1:5: malformed JSON, in $"),
        arguments("{blocks: []}", "f: 1:3: malformed JSON, in $"),
        arguments("{\"blocks\": [],}", "f: 1:16: Expected name, in $.blocks"),
        arguments("{\"blocks\": 3}", "f: 1:13: expected an array for 'blocks', in $.blocks"),
        arguments(
            "{\"blocks\":\n [{\"size\": 3}]}",
            "f: 2:10: BlockDesc has no field 'size', in $.blocks[0].size"),
        arguments(
            "{\"blocks\": [{\"idx\": 0}]}",
            "f: 1:23: required field 'parent_idx' is missing, in $.blocks[0].idx"),
        arguments(
            "{\"blocks\": [{\"idx\": 0, \"idx\": 0}]}",
            "f: 1:32: field 'idx' is there twice, in $.blocks[0].idx"),
        arguments(
            "{\"blocks\": [{\"idx\": \"one\"}]}",
            "f: 1:26: 'idx' is not a 32-bit integer: one, in $.blocks[0].idx"),
        arguments(
            "{\"blocks\": [{\"idx\": 1.5}]}",
            "f: 1:24: 'idx' is not a 32-bit integer: 1.5, in $.blocks[0].idx"),
        arguments(
            "{\"blocks\": [{\"idx\": 4294967296}]}",
            "f: 1:31: 'idx' is not a 32-bit integer: 4294967296, in $.blocks[0].idx"),
        arguments(
            "{\"blocks\": [{\"idx\": [0]}]}",
            "f: 1:22: expected a single value for 'idx', in $.blocks[0].idx"),
        arguments(
            "{\"blocks\": [{\"vars\": [{\"name\": \"\\ud800\"}]}]}",
            "f: 1:40: 'name' is not a Unicode string: ?, in $.blocks[0].vars[0].name"),
        arguments(
            "{\"blocks\": [{\"vars\": [{\"persistable\": 1}]}]}",
            "f: 1:40: 'persistable' is not a boolean: 1, in $.blocks[0].vars[0].persistable"),
        arguments(
            "{\"blocks\": [{\"vars\": [{\"type\": {\"type\": \"FOO\"}}]}]}",
            "f: 1:46: 'type' is not a name of Type: FOO, in $.blocks[0].vars[0].type.type"),
        arguments(
            "{\"blocks\": [{\"ops\": [{\"attrs\": [{\"f\": 1e39}]}]}]}",
            "f: 1:43: 'f' is not a 32-bit floating-point number: 1e39, in"
                + " $.blocks[0].ops[0].attrs[0].f"),
        arguments(
            "{\"version_of_1_0\": \"*\"}",
            "f: 1:23: 'version_of_1_0' is not a Base64 string: *, in $.version_of_1_0"),
        arguments(
            "{\"base_code\": {\"magic\": \"pir\", \"version\": 1}, \"program\": {\"regions\": []}}",
            "f: this is a Paddle 3 program in PIR json; Sublet reads Paddle programs and ONNX models:"
                + " save the model again with FLAGS_enable_pir_api=0 in the environment, which"
                + " writes a .pdmodel, or convert it with 'paddle2onnx --model_dir DIR"
                + " --model_filename inference.json --params_filename inference.pdiparams"
                + " --save_file model.onnx'"));
  }

  /** Bytes in hexadecimal. */
  static Stream<Arguments> binaries() {
    return Stream.of(
        arguments(
            "8002637061",
            "f: a Python pickle; old fluid __model__ pickles are not supported, re-save the model"
                + " with Paddle 0.11 or later"),
        arguments(
            "000000000000000000000000000000000400000008051008",
            "f: this is a file of Paddle parameters (.pdiparams); Sublet reads Paddle programs and ONNX"
                + " models: pass the program to which they belong, such as model.pdmodel"),
        arguments(
            "0a0408",
            "f: not a ProgramDesc, or a damaged one: at byte 2 of 3, the input ended unexpectedly in"
                + " the middle of a field"),
        arguments(
            "0a0f0800",
            "f: not a ProgramDesc, or a damaged one: at byte 2 of 4, the input ended unexpectedly in"
                + " the middle of a field"),
        arguments(
            "deadbeef",
            "f: not a ProgramDesc, or a damaged one: at byte 4 of 4, the input ended unexpectedly in"
                + " the middle of a field"),
        arguments(
            "0c0b",
            "f: not a ProgramDesc, or a damaged one: at byte 1 of 2, the message end-group tag did not"
                + " match expected tag"),
        arguments("0a020800", "f: required field blocks[0].parent_idx is missing"),
        arguments("0801", "f: the program has no block; is this a ProgramDesc?"),
        arguments("0808", "f: the model has no graph; is this an ONNX ModelProto?"),
        arguments(
            "3a08",
            "f: not a ModelProto, or a damaged one: at byte 2 of 2, the input ended"
                + " unexpectedly in the middle of a field"));
  }

  private static void assertMessage(byte[] bytes, String message) {
    ProgramException e =
        assertThrows(ProgramException.class, () -> ProgramReader.parse(bytes, "f"));
    assertThat(e).hasMessageThat().isEqualTo(message);
    assertThat(e.diagnostics()).hasSize(1);
    assertThat(e.diagnostics().get(0).kind()).isEqualTo(Diagnostic.Kind.UNREADABLE);
    assertThat(e.diagnostics().get(0).location().file()).isEqualTo("f");
  }

  @ParameterizedTest
  @MethodSource({"texts", "jsons"})
  void text(String text, String message) {
    assertMessage(text.getBytes(StandardCharsets.UTF_8), message);
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void binary(String hexadecimal, String message) {
    assertMessage(BaseEncoding.base16().lowerCase().decode(hexadecimal), message);
  }

  @Test
  void everyTruncationIsOneLine() {
    byte[] bytes = UnusualProgram.plain().build().toByteArray();
    int blocks = UnusualProgram.plain().clearVersion().build().getSerializedSize();
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      if (length == blocks) {
        // Only the version is cut off, and that is a whole field.
        ProgramReader.parse(truncated, "f");
        continue;
      }
      ProgramException e =
          assertThrows(ProgramException.class, () -> ProgramReader.parse(truncated, "f"));
      assertThat(e.exitCode()).isEqualTo(3);
      assertThat(e).hasMessageThat().doesNotContain("\n");
    }
  }

  @Property(tries = 1000)
  void damageIsReadOrIsOneLine(@ForAll long seed, @ForAll ProgramFormat format) {
    Random random = new Random(seed);
    Program program = Program.of(UnusualProgram.plain().build());
    byte[] bytes = ProgramWriter.toBytes(program, format, new DiagnosticLog());
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(format == BINARY ? 256 : 128);
    }
    try {
      ProgramReader.parse(bytes, "f");
    } catch (ProgramException e) {
      assertThat(e.exitCode()).isEqualTo(3);
      assertThat(e.diagnostics().get(0).location().file()).isEqualTo("f");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a { ", "a: [", "blocks { ", "blocks: [", "{\"blocks\": [", "["})
  void deepNestingIsOneLine(String open) {
    ProgramException e =
        assertThrows(
            ProgramException.class,
            () -> ProgramReader.parse(open.repeat(100_000).getBytes(StandardCharsets.UTF_8), "f"));
    assertThat(e.exitCode()).isEqualTo(3);
    assertThat(e).hasMessageThat().doesNotContain("\n");
    assertThat(e.diagnostics().get(0).message().length()).isLessThan(200);
  }

  @Test
  void aNameThatIsNotUtf8IsShownInHexadecimal() {
    ProgramDesc.Builder program = UnusualProgram.withBytesName().toBuilder();
    BlockDesc.Builder block = program.getBlocksBuilder(0);
    block.removeVars(2);
    assertMessage(
        program.build().toByteArray(),
        "f: block 0, op 1 (relu), variable '\\x80\\xC3z': slot 'Out' names a variable that neither"
            + " the block nor any block around it declares");
  }

  @Test
  void aByteOrderMarkIsNoError() {
    byte[] mark = BaseEncoding.base16().lowerCase().decode("efbbbf");
    byte[] text = (BLOCK + "}").getBytes(StandardCharsets.UTF_8);
    byte[] json =
        "\n{\"blocks\": [{\"idx\": 0, \"parentIdx\": \"-1\", \"vars\": null}]}"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(ProgramReader.parseWithFormat(Bytes.concat(mark, text), "f").format())
        .isEqualTo(ProgramFormat.TEXT);
    assertThat(ProgramReader.parseWithFormat(Bytes.concat(mark, json), "f").format())
        .isEqualTo(ProgramFormat.JSON);
  }
}
