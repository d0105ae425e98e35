package dev.sublet.codec.program;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.extensions.proto.ProtoTruth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.io.BaseEncoding;
import com.google.protobuf.ByteString;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.UnusualProgram;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read is what is written. */
class ProgramRoundTripTest {

  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();

  private static byte[] write(Program program, ProgramFormat format) {
    DiagnosticLog log = new DiagnosticLog();
    byte[] bytes = ProgramWriter.toBytes(program, format, log);
    assertThat(log.diagnostics()).isEmpty();
    return bytes;
  }

  private static ProgramDesc readBack(ProgramDesc message, ProgramFormat format) {
    byte[] bytes = write(Program.of(message), format);
    ReadProgram read = ProgramReader.parseWithFormat(bytes, "program");
    assertThat(read.format()).isEqualTo(format);
    return read.program().toMessage();
  }

  private static void assertSameBytes(ProgramDesc message) {
    byte[] bytes = message.toByteArray();
    assertThat(write(ProgramReader.parse(bytes, "program"), ProgramFormat.BINARY)).isEqualTo(bytes);
  }

  @Property(tries = 500)
  void binaryIsKeptByteForByte(@ForAll long seed) {
    assertSameBytes(new RandomPrograms(new Random(seed), false).next());
  }

  @Property(tries = 200)
  void textFormsAreReadBackEqual(@ForAll long seed) {
    ProgramDesc message = new RandomPrograms(new Random(seed), true).next();

    assertThat(readBack(message, ProgramFormat.TEXT)).isEqualTo(message);
    assertThat(readBack(message, ProgramFormat.JSON)).isEqualTo(message);
  }

  @Test
  void unknownFieldsAtEveryDepthAreKept() {
    assertSameBytes(UnusualProgram.withUnknownFields());
  }

  @Test
  void namesThatAreNotUtf8AreKept() {
    assertSameBytes(UnusualProgram.withBytesName());
  }

  @Test
  void fieldsTwoAndThreeOfOldProgramsStayInOrder() {
    ProgramDesc message =
        UnusualProgram.plain()
            .setVersionOf10(ByteString.fromHex("0800"))
            .setOpCompatibleMapOf16(ByteString.copyFromUtf8("a map"))
            .build();
    assertSameBytes(message);
    // Tag, length and content of the fields 2 and 3, then the tag of field 4.
    assertThat(HEX.encode(message.toByteArray())).contains("12020800" + "1a0561206d6170" + "22");
  }

  @ParameterizedTest
  @EnumSource
  void enumNumbersOfNewerVersionsAreKept(ProgramFormat format) {
    ProgramDesc.Builder program = UnusualProgram.plain();
    BlockDesc.Builder block = program.getBlocksBuilder(0);
    block.getOpsBuilder(0).addAttrsBuilder().setName("new").setTypeValue(99).setI(1);
    block.getVarsBuilder(0).getTypeBuilder().setTypeValue(77);
    ProgramDesc message = program.build();

    assertSameBytes(message);
    assertThat(readBack(message, format)).isEqualTo(message);
  }

  @ParameterizedTest
  @EnumSource
  void defaultsThatAreWrittenOutAreKept(ProgramFormat format) {
    ProgramDesc.Builder program = UnusualProgram.plain();
    BlockDesc.Builder block = program.getBlocksBuilder(0).setForwardBlockIdx(-1);
    block.getOpsBuilder(0).setIsTarget(false);
    block
        .getVarsBuilder(0)
        .setPersistable(false)
        .getTypeBuilder()
        .getLodTensorBuilder()
        .setLodLevel(0);
    ProgramDesc message = program.build();

    assertSameBytes(message);
    assertThat(message.getSerializedSize())
        .isGreaterThan(UnusualProgram.plain().build().getSerializedSize());
    assertThat(readBack(message, format)).isEqualTo(message);
  }

  @ParameterizedTest
  @EnumSource
  void floatsThatAreNoNumbersAreKept(ProgramFormat format) {
    ProgramDesc.Builder program = UnusualProgram.plain();
    OpDesc.Attr.Builder attribute = program.getBlocksBuilder(0).getOpsBuilder(0).addAttrsBuilder();
    attribute.setName("f").setType(AttrType.FLOATS);
    attribute.addAllFloats(
        ImmutableList.of(
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            -0f,
            0.1f,
            Float.MIN_VALUE));
    attribute.addAllFloat64S(
        ImmutableList.of(Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 0.1, Double.MIN_VALUE));
    ProgramDesc message = program.build();

    assertThat(readBack(message, format)).isEqualTo(message);
  }

  @Test
  void textOfPaddle3IsReadAsTheSameProgram() {
    ProgramDesc.Builder program = UnusualProgram.plain();
    program
        .getBlocksBuilder(0)
        .getVarsBuilder(0)
        .getTypeBuilder()
        .getLodTensorBuilder()
        .setLodLevel(1);
    ProgramDesc message = program.build();
    for (ProgramFormat format : ImmutableList.of(ProgramFormat.TEXT, ProgramFormat.JSON)) {
      String text = new String(write(Program.of(message), format), StandardCharsets.UTF_8);
      String renamed =
          text.replace("LOD_TENSOR", "DENSE_TENSOR")
              .replace("lod_tensor", "dense_tensor")
              .replace("lod_level", "legacy_lod_level");
      assertThat(renamed).isNotEqualTo(text);

      Program read = ProgramReader.parse(renamed.getBytes(StandardCharsets.UTF_8), "paddle3");
      assertThat(read.toMessage()).isEqualTo(message);
    }
  }

  @Test
  void sha256IsThatOfTheBinaryForm() throws Exception {
    Program program = Program.of(UnusualProgram.withUnknownFields());
    byte[] bytes = write(program, ProgramFormat.BINARY);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
    assertThat(ProgramWriter.sha256(program)).isEqualTo(HEX.encode(digest));
  }
}
