package dev.sublet.codec.program;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.diag.ProgramException;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** Paddle repeats the blocks inside others when it saves a program after its graph passes. */
final class RepeatedBlocksTest {

  /** A loop within a loop. */
  private static final ProgramDesc LOOPS =
      ProgramText.parse(
              """
              version 2003002
              block 0
                feed go: bool[1]
                var scopes: step_scopes
                while(Condition: go, X: go) -> (Out: go, StepScopes: scopes) {sub_block: 1}
                fetch(go)
              block 1 parent 0
                var inner: step_scopes
                while(Condition: go, X: go) -> (Out: go, StepScopes: inner) {sub_block: 2}
                go = logical_not(go)
              block 2 parent 1
                go = logical_not(go)
              """)
          .toMessage();

  private static ReadProgram read(ProgramDesc message) {
    return ProgramReader.parseWithFormat(message.toByteArray(), "f");
  }

  @Test
  void blocksThatRepeatEarlierOnes_areLeftOut() {
    ProgramDesc repeated =
        LOOPS.toBuilder()
            .addBlocks(LOOPS.getBlocks(1))
            .addBlocks(LOOPS.getBlocks(2).toBuilder().setParentIdx(0))
            .build();

    ReadProgram read = read(repeated);

    assertThat(read.program().toMessage()).isEqualTo(LOOPS);
    assertThat(read.warnings()).hasSize(1);
    assertThat(read.warnings().get(0).toString())
        .isEqualTo(
            "block 3: the blocks from this one on are left out: their indices are those of earlier"
                + " blocks, and no operator runs them (Paddle saves optimized programs so)");
  }

  @Test
  void aRepeatedBlockThatAnOperatorRuns_isAnError() {
    BlockDesc.Builder running = LOOPS.getBlocks(1).toBuilder();
    running.getOpsBuilder(0).getAttrsBuilder(0).setBlockIdx(3);
    ProgramDesc damaged =
        LOOPS.toBuilder().setBlocks(1, running).addBlocks(LOOPS.getBlocks(2)).build();

    ProgramException e = assertThrows(ProgramException.class, () -> read(damaged));

    assertThat(e).hasMessageThat().isEqualTo("f: block 3: the block says that its index is 2");
  }
}
