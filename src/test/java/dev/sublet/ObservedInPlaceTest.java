package dev.sublet;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/**
 * An observed output may be written in place over an input that dies unobserved, as name and as
 * bytes, and both validators see when the input does not.
 */
final class ObservedInPlaceTest {

  private static final String CHAIN =
      """
      version 2004000
      default fp32[1024]
      block 0
      feed f
      x = tanh(f)
      y = relu(x)
      fetch(y)
      """;

  private static final TranspileOptions DEFAULTS = TranspileOptions.defaults();

  private static TranspileOptions observing(boolean reuseFeeds, String... kept) {
    return DEFAULTS.withObservation(
        new ObservationOptions(ImmutableSet.of(), ImmutableSet.copyOf(kept), reuseFeeds));
  }

  private static MemoryPlan plan(String text, TranspileOptions options) {
    return Transpiler.plan(ProgramText.parse(text), options).plan();
  }

  private static Program shared(String text, TranspileOptions options) {
    return Transpiler.transpile(ProgramText.parse(text), options).program();
  }

  private static String names(Program program, int block) {
    return String.join(
        " ", program.block(block).variables().stream().map(Variable::name).sorted().toList());
  }

  private static String verify(String original, String rewritten, TranspileOptions options) {
    return Verifier.verify(ProgramText.parse(original), ProgramText.parse(rewritten), options)
        .toString();
  }

  private static long offset(MemoryPlan plan, String variable) {
    for (Allocation allocation : plan.allocations()) {
      if (allocation.variable().name().equals(variable)) {
        return allocation.offset();
      }
    }
    throw new AssertionError(variable + " has no bytes");
  }

  /** A plan with a variable at the offset of another one. */
  private static MemoryPlan moved(MemoryPlan plan, VariableId variable, long offset) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    for (Allocation each : plan.allocations()) {
      boolean isMoved = each.variable().equals(variable);
      allocations.add(
          isMoved
              ? new Allocation(variable, each.arena(), offset, each.bytes(), each.live())
              : each);
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.order(),
        plan.arenas(),
        allocations.build(),
        plan.unplanned(),
        plan.aliases());
  }

  @Test
  void aFetchedOutput_liesOnItsInput_provedOptimal() {
    for (ExecutionOrder order : ExecutionOrder.values()) {
      MemoryPlan plan =
          plan(CHAIN, DEFAULTS.withOffsets(OffsetOptions.defaults().withOrder(order)));
      Arena arena = plan.arenas().get(0);
      assertThat(arena.bytes()).isEqualTo(8192);
      assertThat(arena.lowerBound()).isEqualTo(8192);
      assertThat(arena.isProvedOptimal()).isTrue();
      assertThat(offset(plan, "y")).isEqualTo(offset(plan, "x"));
    }
  }

  @Test
  void aFetchedOutput_givesItsNameAndDeclaration() {
    for (SharingOptions.Policy policy : SharingOptions.Policy.values()) {
      SharingOptions sharing =
          new SharingOptions(policy, SharingOptions.Level.FIT, /* inPlace= */ true);
      String text = CHAIN.replace("block 0\n", "block 0\nvar y: fp32[32,32]\nvar x: fp32[1024]\n");
      Program program = shared(text, DEFAULTS.withSharing(sharing));
      assertThat(names(program, 0)).isEqualTo("f feed fetch y");
      assertThat(program.variable(program.declared(0, "y")).tensorType().toString())
          .contains("[32, 32]");
    }
  }

  @Test
  void whatIsFetchedTwice_isOneVariableStill() {
    String twice = CHAIN + "fetch(y)\n";
    assertThat(plan(twice, DEFAULTS).arenaBytes()).isEqualTo(8192);
    assertThat(names(shared(twice, DEFAULTS), 0)).isEqualTo("f feed fetch y");
  }

  /** Each of two fetched variables needs its bytes to the end, and so does what is kept by name. */
  @Test
  void anObservedInput_isNotOverwritten() {
    String both = CHAIN + "fetch(x)\n";
    assertThat(plan(both, DEFAULTS).arenaBytes()).isEqualTo(12288);
    assertThat(plan(CHAIN, observing(/* reuseFeeds= */ false, "x")).arenaBytes()).isEqualTo(12288);
    String oneName = CHAIN.replace("x = tanh(f)\ny = relu(x)", "y = tanh(f)\ny = relu(y)");
    assertThat(verify(CHAIN, oneName, DEFAULTS)).isEqualTo("valid");
    assertThat(verify(both, oneName + "fetch(y)\n", DEFAULTS))
        .contains("the variable must keep its name, but became 'y'");
    assertThat(
            verify(
                CHAIN, CHAIN.replace("y = relu(x)\nfetch(y)", "x = relu(x)\nfetch(x)"), DEFAULTS))
        .contains("variable 'y': the variable must keep its name, but became 'x'");

    Program program = ProgramText.parse(both);
    MemoryPlan plan = Transpiler.plan(program, DEFAULTS).plan();
    MemoryPlan wrong = moved(plan, new VariableId(0, "y"), offset(plan, "x"));
    assertThat(Verifier.verifyPlan(program, wrong, DEFAULTS).toString())
        .contains("variable 'x': is observed, but its bytes may hold another value at the end");
  }

  /** The operator is the last one: what is live until the end ends there too, but does not die. */
  @Test
  void whatIsSeenBehindTheLastOperator_doesNotDieThere() {
    String last = CHAIN.replace("fetch(y)\n", "");
    assertThat(plan(last, observing(/* reuseFeeds= */ false, "x")).arenaBytes()).isEqualTo(12288);
    assertThat(names(shared(last, observing(/* reuseFeeds= */ false, "x")), 0))
        .isEqualTo("f feed x y");
    String inBranch =
        """
        version 2004000
        default fp32[1024]
        block 0
        feed f
        var c: bool[1] check_feed
        conditional_block(Cond: c, Input: f) -> (Out:, Scope: s) {sub_block: 1, is_scalar_condition: true}
        block 1 parent 0
        a = tanh(f)
        b = relu(a)
        """;
    long dies = plan(inBranch, observing(/* reuseFeeds= */ false, "b")).arenaBytes();
    assertThat(plan(inBranch, observing(/* reuseFeeds= */ false, "a", "b")).arenaBytes())
        .isEqualTo(dies + 4096);
  }

  /** From a feed whose memory may be reused to what is fetched, all in place: one region. */
  @Test
  void aChainFromFeedToFetch_hasOneRegionAndTwoNames() {
    String chain = CHAIN.replace("x = tanh(f)", "x = relu(f)");
    TranspileOptions reusing = observing(/* reuseFeeds= */ true);
    assertThat(plan(chain, reusing).arenaBytes()).isEqualTo(4096);
    assertThat(plan(chain, DEFAULTS).arenaBytes()).isEqualTo(8192);
    for (SharingOptions.Policy policy : SharingOptions.Policy.values()) {
      SharingOptions sharing =
          new SharingOptions(policy, SharingOptions.Level.FIT, /* inPlace= */ true);
      // Both ends keep their names, so that x has one of these.
      assertThat(names(shared(chain, reusing.withSharing(sharing)), 0)).isEqualTo("f feed fetch y");
    }
  }

  /** A value that is carried and fetched needs one place if it is computed in place. */
  @Test
  void aFetchedCarry_isComputedInItsPlace() {
    String loop =
        """
        version 2004000
        default fp32[1024]
        block 0
        feed f
        var i: int64[1] persistable
        var n: int64[1] persistable
        var c: bool[1] persistable
        x = tanh(f)
        while(Condition: c, X: x i n) -> (Out: x i c, StepScopes: s) {sub_block: 1, is_test: true}
        fetch(x)
        block 1 parent 0
        y = relu(x)
        i = increment(i)
        c = less_than(i, n)
        x = assign(y)
        """;
    for (LoopMode mode : ImmutableList.of(LoopMode.MULTIVIEW, LoopMode.UNROLL)) {
      TranspileResult result =
          Transpiler.transpile(ProgramText.parse(loop), DEFAULTS.withLoops(mode));
      assertThat(result.plan().arenaBytes()).isEqualTo(8192);
      assertThat(result.plan().copies()).hasSize(0);
    }
    assertThat(plan(loop, DEFAULTS).copies()).hasSize(1);
    assertThat(plan(loop, DEFAULTS).arenaBytes()).isEqualTo(8192);
  }

  /** Operators that run at the same time: the input's other readers need not have run. */
  @Test
  void inParallel_theInputMustHaveNoOtherReader() {
    String text = CHAIN.replace("y = relu(x)", "z = tanh(x)\ny = relu(x)") + "fetch(z)\n";
    OffsetOptions parallel = OffsetOptions.defaults().withOrder(ExecutionOrder.PARALLEL);
    TranspileOptions options = DEFAULTS.withOffsets(parallel);
    Program program = ProgramText.parse(text);
    MemoryPlan plan = Transpiler.plan(program, options).plan();
    assertThat(plan.arenaBytes()).isEqualTo(16384);
    assertThat(plan(text, DEFAULTS).arenaBytes()).isEqualTo(12288);
    MemoryPlan wrong = moved(plan, new VariableId(0, "y"), offset(plan, "x"));
    assertThat(Verifier.verifyPlan(program, wrong, options).toString())
        .contains("which operators could use at the same time in the parallel order");
  }

  @Test
  void withoutInPlace_nothingIsWrittenOverAnInput() {
    OffsetOptions apart = OffsetOptions.defaults().withInPlace(false).withViews(Views.NONE);
    assertThat(plan(CHAIN, DEFAULTS.withOffsets(apart)).arenaBytes()).isEqualTo(12288);
    String other = CHAIN.replace("relu", "softmax_like"); // of which no pair is known
    assertThat(plan(other, DEFAULTS).arenaBytes()).isEqualTo(12288);
  }
}
