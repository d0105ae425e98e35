package dev.sublet.program;

import static com.google.common.truth.Truth.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.UnknownFieldSet;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.text.ProgramText;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OperationTest {

  private static final ProgramDesc PROGRAM =
      ProgramText.parse(
              """
              block 0
                feed a: fp32[4]
                feed b: fp32[4]
                c = concat(X: a b) {axis: 0}
                fetch(c)
              """)
          .toMessage();

  /** The operator "concat", changed. */
  private static Operation concat(Consumer<OpDesc.Builder> change) {
    ProgramDesc.Builder program = PROGRAM.toBuilder();
    int index =
        program.getBlocks(0).getOpsList().stream().map(OpDesc::getType).toList().indexOf("concat");
    change.accept(program.getBlocksBuilder(0).getOpsBuilder(index));
    return Program.of(program.build()).block(0).operations().get(index);
  }

  @Test
  void argumentsAreFoundBySlotAndByPosition() {
    Operation concat = concat(op -> {});

    assertThat(concat.inputAt("X", 1)).isEqualTo(1);
    assertThat(concat.inputAt("X", 2)).isEqualTo(-1);
    assertThat(concat.inputAt("Y", 0)).isEqualTo(-1);
    assertThat(concat.slotOfInput(1)).isEqualTo("X");
    assertThat(concat.slotOfOutput(0)).isEqualTo("Out");
  }

  @Test
  void furtherFields_areTheTargetFlagAndFieldsOfNewerWriters() {
    Operation concat = concat(op -> {});
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();

    assertThat(concat.hasSameFurtherFields(concat(op -> op.setType("sum")))).isTrue();
    assertThat(concat.hasSameFurtherFields(concat(op -> op.setIsTarget(true)))).isFalse();
    assertThat(concat.hasSameFurtherFields(concat(op -> op.setUnknownFields(unknown)))).isFalse();
    // A field that is added to the schema has to be compared, too.
    assertThat(OpDesc.getDescriptor().getFields().stream().map(FieldDescriptor::getName))
        .containsExactly("inputs", "outputs", "type", "attrs", "is_target");
  }
}
