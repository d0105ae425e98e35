package dev.sublet.program;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.extensions.proto.ProtoTruth.assertThat;

import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.UnusualProgram;
import org.junit.jupiter.api.Test;

/** After one renaming only the messages that hold the name differ. */
class RenamingTest {

  private static ProgramDesc renamed(ProgramDesc original, int variable, int into) {
    Program program = ProgramReader.parse(original.toByteArray(), "original");
    Program edited = ProgramEditor.of(program).merge(variable, into).build();
    byte[] bytes = ProgramWriter.toBytes(edited, ProgramFormat.BINARY, new DiagnosticLog());
    return ProgramReader.parse(bytes, "edited").toMessage();
  }

  @Test
  void onlySlotsAndTheDeclarationOfTheNameChange() {
    ProgramDesc original = UnusualProgram.withUnknownFields();

    // c becomes b: the second operator's output; the first operator and its unknown fields stay.
    ProgramDesc.Builder expected = original.toBuilder();
    BlockDesc.Builder block = expected.getBlocksBuilder(0).removeVars(2);
    block.getOpsBuilder(1).getOutputsBuilder(0).setArguments(0, "b");
    assertThat(renamed(original, 2, 1)).isEqualTo(expected.build());
  }

  @Test
  void aNameThatIsNotUtf8SurvivesChangesAroundIt() {
    ProgramDesc original = UnusualProgram.withBytesName();

    BlockDesc block = renamed(original, 1, 0).getBlocks(0);
    assertThat(block.getVars(1).getNameBytes()).isEqualTo(UnusualProgram.BYTES_NAME);
    assertThat(block.getOps(1).getInputs(0).getArguments(0)).isEqualTo("a");
    assertThat(block.getOps(1).getOutputs(0).getArgumentsBytes(0))
        .isEqualTo(UnusualProgram.BYTES_NAME);
  }

  @Test
  void aNameThatIsNotUtf8CanBeTheNewName() {
    ProgramDesc original = UnusualProgram.withBytesName();

    BlockDesc block = renamed(original, 1, 2).getBlocks(0);
    assertThat(block.getVarsCount()).isEqualTo(2);
    assertThat(block.getOps(0).getOutputs(0).getArgumentsBytes(0))
        .isEqualTo(UnusualProgram.BYTES_NAME);
    assertThat(block.getOps(1).getInputs(0).getArgumentsBytes(0))
        .isEqualTo(UnusualProgram.BYTES_NAME);
  }
}
