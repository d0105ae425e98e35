package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/**
 * An operator that names a slot or an attribute twice: Sublet reads it as a real runtime does. The
 * arguments of the slots are joined, and the last one of the attributes counts.
 */
final class RepeatedNamesTest {

  private static final Program JOINED =
      ProgramText.parse(
          """
          version 2003002
          block 0
            feed a: fp32[2,3]
            feed b: fp32[2,3]
            var w: fp32[1] persistable parameter
            var c: fp32[4,3]
            var m: int32[1]
            var s: fp32[2,3]
            var d: fp32[2,3]
            c = concat(X: a b) {axis: 0}
            m = fill_constant() {shape: [1L], dtype: 2, value: 1.0}
            s = select_input(X: a b, Mask: m)
            d = scale(a) {scale: 3.0}
            fetch(c)
            fetch(s)
            fetch(d)
          """);

  /**
   * The same with an X slot for each argument, and with an attribute before the one that counts.
   */
  private static ProgramDesc repeated() {
    ProgramDesc.Builder program = JOINED.toMessage().toBuilder();
    for (OpDesc.Builder operation : program.getBlocksBuilder(0).getOpsBuilderList()) {
      for (OpDesc.Var slot : operation.getInputsList()) {
        if (slot.getParameter().equals("X") && slot.getArgumentsCount() == 2) {
          operation.getInputsBuilder(0).clearArguments().addArguments(slot.getArguments(0));
          operation.addInputsBuilder().setParameter("X").addArguments(slot.getArguments(1));
        }
      }
      if (operation.getType().equals("scale")) {
        operation.addAttrs(0, operation.getAttrs(0).toBuilder().setF(2));
        assertThat(operation.getAttrs(0).getType()).isEqualTo(AttrType.FLOAT);
      }
    }
    assertThat(program.build()).isNotEqualTo(JOINED.toMessage());
    return program.build();
  }

  @Test
  void repeatedSlots_areJoined() {
    Program read = Program.of(repeated());
    Operation concat = read.block(0).operations().get(2);
    assertThat(concat.inputSlots()).hasSize(1);
    assertThat(concat.inputSlot("X").orElseThrow().argument(1)).isEqualTo("b");
    assertThat(read.variable(concat.input(1)).name()).isEqualTo("b");
    assertThat(read.block(0).operations().get(5).attribute("scale").orElseThrow().asDouble(0))
        .isEqualTo(3.0);
  }

  @Test
  void realRuntime_readsThemSo() {
    PaddleRuntime.assumeAvailable();
    Feeds feeds = Feeds.none().withImage("a", 2, 3).withImage("b", 2, 3);
    Model model = Model.withRandomParameters("repeated names", JOINED, feeds);
    ImmutableMap<String, TensorData> outputs =
        PaddleRuntime.runMessage(model, repeated()).outputs();
    assertThat(outputs).isEqualTo(PaddleRuntime.run(model, PaddleRuntime.Mode.PLAIN).outputs());
    assertThat(outputs.get("s")).isEqualTo(feeds.tensors().get("b"));
  }
}
