package dev.sublet.fusion;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.loop.LoopMode;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** What becomes of programs that graph passes would break if names were shared as usual. */
final class FusionSafetyTest {

  private static final TranspileOptions SAFE = TranspileOptions.defaults();
  private static final TranspileOptions OFF =
      SAFE.withSharing(SAFE.sharing().withFusion(FusionMode.OFF));

  /** The state cannot have the name of c: a pass computes b from c after the loop. */
  private static final Program LOOP =
      ProgramText.parse(
          """
          version 2003002
          default fp32[1,4,6,6]
          block 0
            feed x: fp32[1,4,6,6]
            var n: int64[1]
            var limit: int64[1]
            var go: bool[1]
            var scopes: step_scopes
            (Output: c) = conv2d(Input: x)
            b = batch_norm(c)
            state = tanh(x)
            n = fill_constant() {shape: [1], dtype: 3, value: 0.0}
            limit = fill_constant() {shape: [1], dtype: 3, value: 3.0}
            go = less_than(n, limit)
            while(Condition: go, X: state n limit) -> (Out: state n go, StepScopes: scopes) \
          {sub_block: 1, is_test: true}
            s = elementwise_add(b, state)
            fetch(s)
          block 1 parent 0
            next = tanh(state)
            state = assign(next)
            n = increment(n)
            go = less_than(n, limit)
          """);

  /** All names by which attention_lstm_fuse knows its model are declared. */
  private static final Program ATTENTION_LSTM =
      ProgramText.parse(
          """
          version 2003002
          default fp32[4]
          block 0
            feed x: fp32[4]
            data = tanh(x)
            week = tanh(data)
            minute = tanh(week)
            cell_init = tanh(minute)
            hidden_init = tanh(cell_init)
            data_lod_attention = tanh(hidden_init)
            fetch(data_lod_attention)
          """);

  @Test
  void theCopyOfALoopGoes_withoutTheNameOfAValueThatIsReadAfterTheLoop() {
    Program safe = Transpiler.transpile(LOOP, SAFE).program();
    Program off = Transpiler.transpile(LOOP, OFF).program();

    assertThat(safe.operationCount()).isEqualTo(LOOP.operationCount() - 1);
    assertThat(Verifier.verifyFusion(LOOP, safe).isValid()).isTrue();
    assertThat(Verifier.verifyFusion(LOOP, off).isValid()).isFalse();
  }

  @Test
  void theModelOfAttentionLstmFuse_sharesNothing() {
    assertThat(Transpiler.transpile(ATTENTION_LSTM, SAFE).sharing().renamings()).isEmpty();
    assertThat(Transpiler.transpile(ATTENTION_LSTM, OFF).sharing().renamings()).isNotEmpty();
    Program shared = Transpiler.transpile(ATTENTION_LSTM, OFF).program();
    assertThat(Verifier.verifyFusion(ATTENTION_LSTM, shared).isValid()).isFalse();
  }

  /** Unrolled, the loop would have new operators after it, in the block that the pass changes. */
  @Test
  void aLoopInTheModelOfAttentionLstmFuse_keepsItsCopies() {
    Program swap =
        ProgramText.parse(
            """
            version 2003002
            default fp32[4]
            block 0
              feed data: fp32[4]
              var n: int64[1]
              var limit: int64[1]
              var go: bool[1]
              var scopes: step_scopes
              week = tanh(data)
              minute = relu(data)
              n = fill_constant() {shape: [1], dtype: 3, value: 0.0}
              limit = fill_constant() {shape: [1], dtype: 3, value: 3.0}
              go = less_than(n, limit)
              while(Condition: go, X: week minute n limit) -> (Out: week minute n go, \
            StepScopes: scopes) {sub_block: 1, is_test: true}
              cell_init = elementwise_sub(week, minute)
              hidden_init = tanh(cell_init)
              data_lod_attention = tanh(hidden_init)
              fetch(data_lod_attention)
            block 1 parent 0
              t = assign(week)
              week = assign(minute)
              minute = assign(t)
              n = increment(n)
              go = less_than(n, limit)
            """);

    TranspileResult safe = Transpiler.transpile(swap, SAFE.withLoops(LoopMode.UNROLL));
    TranspileResult off = Transpiler.transpile(swap, OFF.withLoops(LoopMode.UNROLL));

    assertThat(safe.program().blocks()).hasSize(2);
    assertThat(safe.diagnostics().toString())
        .contains(
            "loops copy as before: graph passes would break the program without these copies");
    assertThat(off.program().blocks().size()).isGreaterThan(2);
    assertThat(Verifier.verifyFusion(swap, off.program()).isValid()).isFalse();
  }
}
