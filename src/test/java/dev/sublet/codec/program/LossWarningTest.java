package dev.sublet.codec.program;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.extensions.proto.ProtoTruth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.UnusualProgram;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Text forms say what they lose. */
class LossWarningTest {

  private static ImmutableList<String> warnings(ProgramDesc message, ProgramFormat format) {
    DiagnosticLog log = new DiagnosticLog();
    ProgramWriter.toBytes(Program.of(message), format, log);
    return ImmutableList.copyOf(Lists.transform(log.diagnostics(), Diagnostic::toString));
  }

  @Test
  void theBinaryFormLosesNothing() {
    assertThat(warnings(UnusualProgram.withUnknownFields(), ProgramFormat.BINARY)).isEmpty();
    assertThat(warnings(UnusualProgram.withBytesName(), ProgramFormat.BINARY)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "JSON"})
  void unknownFields(ProgramFormat format) {
    assertThat(warnings(UnusualProgram.withUnknownFields(), format))
        .containsExactly(
            "unknown fields are left out of 5 messages, the first is the program itself; only the"
                + " binary form carries them");
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "JSON"})
  void allButTheUnknownFieldsIsReadBack(ProgramFormat format) {
    Program program = Program.of(UnusualProgram.withUnknownFields());
    byte[] text = ProgramWriter.toBytes(program, format, new DiagnosticLog());
    assertThat(ProgramReader.parse(text, "text").toMessage())
        .isEqualTo(UnusualProgram.plain().build());
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "JSON"})
  void namesThatAreNotUtf8(ProgramFormat format) {
    assertThat(warnings(UnusualProgram.withBytesName(), format))
        .containsExactly(
            "bytes that are not UTF-8 are replaced in 2 fields, the first is"
                + " blocks[0].vars[2].name; only the binary form carries them");
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "JSON"})
  void aGenuineReplacementCharacterIsNoLoss(ProgramFormat format) {
    ProgramDesc.Builder program = UnusualProgram.plain();
    program.getBlocksBuilder(0).addVars(UnusualProgram.tensor("\uFFFD"));
    assertThat(warnings(program.build(), format)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXT", "JSON"})
  void nansWithOtherBits(ProgramFormat format) {
    ProgramDesc.Builder program = UnusualProgram.plain();
    program
        .getBlocksBuilder(0)
        .getOpsBuilder(1)
        .addAttrsBuilder()
        .setName("n")
        .setType(AttrType.FLOAT)
        .setF(Float.intBitsToFloat(0xFFC00000))
        .addFloat64S(Double.longBitsToDouble(0xFFF8000000000000L));
    assertThat(warnings(program.build(), format))
        .containsExactly(
            "the bits of 2 NaNs are replaced by the usual ones, the first is"
                + " blocks[0].ops[1].attrs[0].f; only the binary form carries them");
  }

  @Test
  void readingTextWithBytesThatAreNotUtf8Warns() {
    String text = "blocks { idx: 0 parent_idx: -1 vars { name: '\\200' type { type: RAW } } }";
    ReadProgram read =
        ProgramReader.parseWithFormat(text.getBytes(StandardCharsets.UTF_8), "m.textproto");
    assertThat(Lists.transform(read.warnings(), Diagnostic::toString))
        .containsExactly(
            "m.textproto: 1 strings hold U+FFFD in the place of bytes that are not UTF-8, the first"
                + " is blocks[0].vars[0].name; only the binary form carries such bytes");
  }
}
