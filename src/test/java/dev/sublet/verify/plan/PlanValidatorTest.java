package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.rewrite.ProgramNotation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Plans are written as lines {@code block:name @offset+bytes begin-end begin-end}, {@code arena
 * bytes}, {@code parallel}, {@code unplanned block:name} and {@code alias block:name block:name
 * kind}.
 */
final class PlanValidatorTest {

  private static final String CHAIN =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var a FP32[4]
      var b FP32[4]
      var c FP32[4]
      op tanh X=x -> Out=a
      op tanh X=a -> Out=b
      op tanh X=b -> Out=c
      op fetch X=c -> Out=fetch
      """;

  private static final String CHAIN_PLAN =
      """
      arena 64
      0:x @0+16 0-8
      0:a @16+16 1-4
      0:b @32+16 3-6
      0:c @16+16 5-8
      """;

  /** Nodes: 0 fill, 1 tanh, 2 head, 3 tanh, 4 tanh, 5 less_than, 6 exit, 7 tanh, 8 fetch. */
  private static final String LOOP =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var c BOOL[16]
      var s FP32[4]
      var o FP32[4]
      op fill_constant -> Out=c
      op tanh X=x -> Out=s
      op while X=s Condition=c -> Out=s,c | sub_block=@1
      op tanh X=s -> Out=o
      op fetch X=o -> Out=fetch
      block 1
      var t FP32[4]
      op tanh X=s -> Out=t
      op tanh X=t -> Out=s
      op less_than X=s Y=s -> Out=c
      """;

  private static final String LOOP_PLAN =
      """
      arena 80
      0:x @0+16 0-18
      0:c @16+16 1-14
      0:s @32+16 3-16
      1:t @48+16 7-10
      0:o @16+16 15-18
      """;

  /** Nodes: 0 less_than, 1-3 branch, 4 not, 5-7 branch, 8 cast, 9 select, 10 fetch. */
  private static final String BRANCHES =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var c BOOL[4]
      var n BOOL[4]
      var m INT32[4]
      var t FP32[4]
      var f FP32[4]
      var o FP32[4]
      op less_than X=x Y=x -> Out=c
      op conditional_block Cond=c Input=x -> Out=t | sub_block=@1 is_scalar_condition=true
      op logical_not X=c -> Out=n
      op conditional_block Cond=n Input=x -> Out=f | sub_block=@2 is_scalar_condition=true
      op cast X=c -> Out=m
      op select_input X=f,t Mask=m -> Out=o
      op fetch X=o -> Out=fetch
      block 1
      op tanh X=x -> Out=t
      block 2
      op tanh X=x -> Out=f
      """;

  private static final String BRANCHES_PLAN =
      """
      arena 112
      0:x @0+16 0-22
      0:c @16+16 1-18
      0:n @32+16 9-12
      0:m @48+16 17-20
      0:t @64+16 5-11 14-20
      0:f @64+16 13-20
      0:o @80+16 19-22
      """;

  @Test
  void disjointAndReusedBytesAreValid() {
    accepts(CHAIN, CHAIN_PLAN);
    accepts(LOOP, LOOP_PLAN);
  }

  @Test
  void aValueMayNotBeOverwrittenBeforeItIsRead() {
    String program = CHAIN.replace("op tanh X=b -> Out=c", "op add X=b Y=a -> Out=c");
    String plan = CHAIN_PLAN.replace("1-4", "1-6").replace("0:c @16", "0:c @48");
    accepts(program, plan);
    rejects(
        program,
        plan.replace("0:b @32", "0:b @16").replace("1-6", "1-3 4-6"),
        "op 2 (add), variable 'a': is read, but its bytes may hold another value");
  }

  @Test
  void anOutputMayNotOverlapAnInput() {
    rejects(
        CHAIN,
        CHAIN_PLAN.replace("0:b @32", "0:b @24"),
        "op 1 (tanh), variable 'b': overlaps the input 'a', which is not a legal in-place pair");
  }

  @Test
  void aLegalInPlacePairMayHaveTheSameRegionButNoOther() {
    String program = CHAIN.replace("tanh X=a", "relu X=a");
    String plan = CHAIN_PLAN.replace("0:a @16+16 1-4", "0:a @32+16 1-3");
    accepts(program, plan);
    rejects(CHAIN, plan, "which is not a legal in-place pair");
    rejects(
        program, plan.replace("0:b @32+16", "0:b @32+20"), "which is not a legal in-place pair");
    rejects(
        program.replace("op tanh X=b -> Out=c", "op add X=b Y=a -> Out=c"),
        plan.replace("0:a @32+16 1-3", "0:a @32+16 1-3 4-6"),
        "op 2 (add), variable 'a': is read, but its bytes may hold another value");
  }

  @Test
  void outputsMayNotOverlapEachOther() {
    String program =
        CHAIN.replace("X=a -> Out=b", "X=a -> Out=b,d").replace("var b", "var d FP32[4]\nvar b");
    accepts(program, CHAIN_PLAN + "0:d @48+16 3-4\n");
    rejects(
        program,
        CHAIN_PLAN + "0:d @40+16 3-4\n",
        "op 1 (tanh), variable 'd': overlaps another output, 'b'");
  }

  @Test
  void aDeadOutputStillTakesItsBytes() {
    String program =
        CHAIN
            .replace("op tanh X=b", "op tanh X=x -> Out=d\nop tanh X=b")
            .replace("var b", "var d FP32[4]\nvar b");
    String plan =
        """
        arena 80
        0:x @0+16 0-10
        0:a @16+16 1-4
        0:b @32+16 3-8
        0:d @16+16 5-6
        0:c @16+16 7-10
        """;
    accepts(program, plan);
    rejects(
        program,
        plan.replace("0:d @16", "0:d @32").replace("3-8", "3-5 6-8"),
        "op 3 (tanh), variable 'b': is read, but its bytes may hold another value");
  }

  @Test
  void observedValuesStayUntilTheEnd() {
    String program =
        CHAIN
            .replace("op fetch", "op tanh X=c -> Out=d\nop fetch")
            .replace("var b", "var d FP32[4]\nvar b");
    String plan =
        """
        arena 80
        0:x @0+16 0-10
        0:a @16+16 1-4
        0:b @32+16 3-6
        0:c @16+16 5-10
        0:d @32+16 7-8
        """;
    accepts(program, plan);
    rejects(
        program,
        plan.replace("0:d @32", "0:d @0").replace("0-10", "0-7"),
        "variable 'x': is observed, but its bytes may hold another value at the end");
    assertThat(
            validate(
                    program,
                    plan.replace("0:d @32", "0:d @0").replace("0-10", "0-7"),
                    new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), true))
                .toString())
        .isEqualTo("valid");
  }

  @Test
  void feedsHaveTheirPlaceFromTheStart() {
    rejects(CHAIN, CHAIN_PLAN.replace("0-8", "1-8"), "'x': has its value at the start, but no");
    String program = CHAIN.replace("var a", "var y FP32[4] feed\nvar a");
    rejects(
        program,
        CHAIN_PLAN + "0:y @8+16 0-1\n",
        "variable 'y': overlaps 'x', which has its value at the start too");
  }

  /** The feed operator of x, which nothing reads, is the second of the program. */
  @Test
  void feedsHaveTheirPlaceUntilTheirOperatorHasFilledIt() {
    String program =
        """
        var feed FEED_MINIBATCH persistable
        var fetch FETCH_LIST persistable
        var x FP32[4]
        var a FP32[4]
        op fill_constant -> Out=a
        op feed X=feed -> Out=x
        op fetch X=a -> Out=fetch
        """;
    String plan =
        """
        arena 32
        0:x @0+16 0-4
        0:a @16+16 1-6
        """;
    ProofOptions reused =
        new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true);
    assertThat(validate(program, plan, reused).toString()).isEqualTo("valid");
    assertThat(validate(program, plan.replace("0-4", "0-3"), reused).toString())
        .contains("variable 'x': is fed at point 3, but has no bytes there");
  }

  @Test
  void aLoopKeepsWhatTheNextIterationReads() {
    String program =
        LOOP.replace("op tanh X=s -> Out=t", "op add X=s Y=d -> Out=t")
            .replace("op while", "op tanh X=x -> Out=d\nop while")
            .replace("var s", "var d FP32[4]\nvar s");
    String plan =
        """
        arena 96
        0:x @0+16 0-20
        0:c @16+16 1-16
        0:s @32+16 3-18
        0:d @64+16 5-10
        1:t @48+16 9-12
        0:o @16+16 17-20
        """;
    accepts(program, plan);
    rejects(
        program
            .replace("op tanh X=t", "op tanh X=t -> Out=v\nop tanh X=v")
            .replace("var t", "var v FP32[4]\nvar t"),
        """
        arena 96
        0:x @0+16 0-22
        0:c @16+16 1-18
        0:s @32+16 3-20
        0:d @64+16 5-10
        1:t @48+16 9-12
        1:v @64+16 11-14
        0:o @16+16 19-22
        """,
        "block 1, op 0 (add), variable 'd': is read, but its bytes may hold another value");
  }

  @Test
  void aMustWriteMayMoveAVariableButAPartialWriteMayNot() {
    String program =
        CHAIN.replace("op tanh X=b -> Out=c", "op tanh X=b -> Out=a\nop tanh X=a -> Out=c");
    String plan =
        """
        arena 64
        0:x @0+16 0-10
        0:a @16+16 1-4
        0:a @48+16 5-8
        0:b @32+16 3-6
        0:c @16+16 7-10
        """;
    accepts(program, plan);
    rejects(
        program.replace("tanh X=b", "scatter_some X=b"),
        plan,
        "op 3 (tanh), variable 'a': is read, but its bytes may hold another value at offset 48");
    rejects(
        program.replace("op tanh X=b -> Out=a\n", "op tanh X=b -> Out=c\n"),
        plan,
        "op 3 (tanh), variable 'a': is read at offset 48 of arena 0, but its value is at offset"
            + " 16");
  }

  /** Nothing is known about how often the block of an unknown operator runs. */
  @Test
  void anUnknownOperatorWithABlockMayNotMoveAVariable() {
    String program =
        """
        var fetch FETCH_LIST persistable
        var x FP32[4] feed
        var t FP32[4]
        var y FP32[4]
        op tanh X=x -> Out=t
        op mystery X=x,t -> Out=t,y | sub_block=@1
        op fetch X=y -> Out=fetch
        block 1
        op tanh X=t -> Out=t
        """;
    String plan = "arena 64\n0:x @0+16 0-6\n0:y @48+16 3-6\n";
    String moved = plan + "0:t @16+16 1-3\n0:t @32+16 3-4\n";
    accepts(program, plan + "0:t @16+16 1-4\n");
    accepts(program.replace(" | sub_block=@1", ""), moved);
    rejects(
        program,
        moved,
        "op 1 (mystery), variable 't': is at offset 16 of arena 0 before an operator whose blocks"
            + " may run several times, and at offset 32 of arena 0 after it");
  }

  @Test
  void accessesMustBeInsideLiveRanges() {
    rejects(CHAIN, CHAIN_PLAN.replace("1-4", "1-2"), "'a': is read at point 2, but not live there");
    rejects(
        CHAIN, CHAIN_PLAN.replace("1-4", "2-3"), "'a': is written at point 1, but not live there");
  }

  @Test
  void exclusiveBranchesMayShareBytes() {
    accepts(BRANCHES, BRANCHES_PLAN);
    rejects(
        BRANCHES.replace("@1 is_scalar_condition=true", "@1"),
        BRANCHES_PLAN,
        "op 5 (select_input), variable 't': is read, but its bytes may hold another value");
    rejects(
        BRANCHES.replace("X=f,t", "X=t,f"),
        BRANCHES_PLAN,
        "op 5 (select_input), variable 't': is read, but its bytes may hold another value");
  }

  /**
   * Nodes: 0 tanh, 1 less_than, 2 not, 3-6 branch, 7-9 branch, 10 cast, 11 select, 12 fetch.
   *
   * <p>Only the branches read a, and only one of them runs.
   */
  private static final String SUCCESSIVE =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var a FP32[4]
      var c BOOL[4]
      var n BOOL[4]
      var m INT32[4]
      var t FP32[4]
      var f FP32[4]
      var o FP32[4]
      op tanh X=x -> Out=a
      op less_than X=x Y=x -> Out=c
      op logical_not X=c -> Out=n
      op conditional_block Cond=c Input=a -> Out=t | sub_block=@1 is_scalar_condition=true
      op conditional_block Cond=n Input=a -> Out=f | sub_block=@2 is_scalar_condition=true
      op cast X=c -> Out=m
      op select_input X=f,t Mask=m -> Out=o
      op fetch X=o -> Out=fetch
      block 1
      var r FP32[4]
      op tanh X=a -> Out=r
      op tanh X=r -> Out=t
      block 2
      op tanh X=a -> Out=f
      """;

  /** While the first branch runs, t takes the bytes of a, which only the second branch needs. */
  private static final String SUCCESSIVE_PLAN =
      """
      arena 128
      0:x @0+16 0-26
      0:a @16+16 1-10 14-18
      0:c @48+16 3-22
      0:n @64+16 5-16
      1:r @32+16 9-12
      0:t @16+16 11-14 18-24
      0:f @32+16 17-24
      0:m @80+16 21-24
      0:o @96+16 23-26
      """;

  @Test
  void theSecondBranchBeginsWithTheValuesBeforeTheFirst() {
    accepts(SUCCESSIVE, SUCCESSIVE_PLAN);
    String overwritten = "variable 'a': is read, but its bytes may hold another value at offset 16";
    // Without a scalar condition, Paddle decides by the sizes of the inputs.
    rejects(
        SUCCESSIVE.replace("@1 is_scalar_condition=true", "@1"),
        SUCCESSIVE_PLAN,
        "op 0 (tanh), " + overwritten);
    // The conditions are not opposite.
    rejects(
        SUCCESSIVE.replace("logical_not X=c", "logical_not X=x"),
        SUCCESSIVE_PLAN,
        "op 0 (tanh), " + overwritten);
    // a is needed on both ways.
    rejects(
        SUCCESSIVE.replace("fetch X=o", "fetch X=a"),
        SUCCESSIVE_PLAN.replace("0:a @16+16 1-10 14-18", "0:a @16+16 1-10 14-18 24-26"),
        "op 7 (fetch), " + overwritten);
  }

  @Test
  void theSecondBranchBeginsWithTheValuesBeforeTheFirst_onlyWithNothingBetweenThem() {
    String not = "op logical_not X=c -> Out=n\n";
    String second = "op conditional_block Cond=n";
    String program = SUCCESSIVE.replace(not, "").replace(second, not + second);
    String plan =
        SUCCESSIVE_PLAN
            .replace("1-10 14-18", "1-8 14-18")
            .replace("5-16", "13-16")
            .replace("9-12", "7-10")
            .replace("11-14 18-24", "9-12 18-24");
    rejects(
        program,
        plan,
        "op 0 (tanh), variable 'a': is read, but its bytes may hold another value at offset 16");
    accepts(program, plan.replace("1-8 14-18", "1-18").replace("0:t @16", "0:t @112"));
  }

  @Test
  void theConditionOfTheSecondBranchIsReadOnBothWays() {
    rejects(
        SUCCESSIVE,
        SUCCESSIVE_PLAN.replace("0:n @64+16 5-16", "0:n @32+16 5-9 14-16"),
        "op 4 (conditional_block), variable 'n': is read, but its bytes may hold another value");
  }

  @Test
  void aValueOnBothWays_survivesEachBranch() {
    // x is read after both branches; each of them in turn overwrites it.
    String program = SUCCESSIVE.replace("fetch X=o", "fetch X=x");
    accepts(program, SUCCESSIVE_PLAN);
    for (String branch : new String[] {"1:r @32+16 9-12", "0:f @32+16 17-24"}) {
      rejects(
          program,
          SUCCESSIVE_PLAN
              .replace("0:x @0+16 0-26", "0:x @0+16 0-8 24-26")
              .replace(branch, branch.replace("@32", "@0")),
          "op 7 (fetch), variable 'x': is read, but its bytes may hold another value at offset 0");
    }
  }

  @Test
  void regionsAreLargeEnoughAlignedAndInTheirArena() {
    rejects(CHAIN, CHAIN_PLAN.replace("0:a @16+16", "0:a @16+12"), "has 12 bytes, but needs 16");
    rejects(CHAIN, CHAIN_PLAN.replace("arena 64", "arena 40"), "does not lie inside its arena");
    rejects(CHAIN, CHAIN_PLAN.replace("0:b @32", "0:b @-16"), "does not lie inside its arena");
    rejects(CHAIN, CHAIN_PLAN.replace("0:b @32", "0:b @34"), "offset 34 is not a multiple of 4");
    rejects(CHAIN, CHAIN_PLAN.replace("arena 64", "arena 64 gpu"), "lives on cpu, but its arena");
    rejects(
        CHAIN,
        CHAIN_PLAN.replace("arena 64", "arena 64 cpu 65"),
        "the lower bound, 65 bytes, exceeds");
    rejects(CHAIN, CHAIN_PLAN.replace("5-8", "5-9"), "is live until 9, but the program ends at 8");
    rejects(CHAIN, CHAIN_PLAN.replace("5-8", "5-7 6-8"), "are not ascending and disjoint");
  }

  @Test
  void everyTensorIsAllocatedOrListed() {
    rejects(CHAIN, CHAIN_PLAN.replaceAll("0:b .*\n", ""), "'b': is neither allocated nor listed");
    accepts(CHAIN, CHAIN_PLAN.replaceAll("0:b .*\n", "") + "unplanned 0:b\n");
    rejects(CHAIN, CHAIN_PLAN + "unplanned 0:b\n", "'b': is allocated and listed as unplanned");
    rejects(CHAIN, CHAIN_PLAN + "unplanned 0:z\n", "the program does not declare it");
    rejects(CHAIN, CHAIN_PLAN + "0:z @0+16 3-4\n", "'z': the program does not declare the");
    rejects(CHAIN, CHAIN_PLAN + "9:z @0+16 3-4\n", "'z': the program does not declare the");
    rejects(CHAIN, CHAIN_PLAN + "0:b @48+16 5-7\n", "'b': has two allocations at the same point");
    rejects(CHAIN, CHAIN_PLAN + "alias 0:b 0:z in_place\n", "'z': is in an alias, but");
  }

  @Test
  void whatCannotBePlannedIsNot() {
    String weight = CHAIN.replace("var b FP32[4]", "var b FP32[4] persistable");
    rejects(weight, CHAIN_PLAN, "'b': is persistable and may not be allocated");
    String unknown =
        CHAIN.replace("var b FP32[4]", "var b FP32[4,-1]").replace("tanh X=a", "mystery X=a");
    rejects(unknown, CHAIN_PLAN, "'b': its size is unknown: no shape rule for op 'mystery'");
    rejects(CHAIN, CHAIN_PLAN + "0:fetch @48+16 0-8\n", "'fetch': is persistable and may not");
  }

  @Test
  void aPlanForOtherShapes_isOneViolation() {
    String open = CHAIN.replace("FP32[4]", "FP32[2,-1]");
    assertThat(validate(open, CHAIN_PLAN, ProofOptions.defaults()).toString())
        .isEqualTo(
            "block 0, variable 'x': its size is unknown: extent 1 of 'x' is unknown (-1): say"
                + " --shape x=2,?; so are those of 3 other planned variables: give the --shape,"
                + " --batch and --lod that the plan was made with\n");
    String larger = CHAIN.replace("FP32[4]", "FP32[5]");
    assertThat(validate(larger, CHAIN_PLAN, ProofOptions.defaults()).toString())
        .isEqualTo(
            "block 0, variable 'x': has 16 bytes, but needs 20 for the shapes that it is verified"
                + " for; are these not the --shape, --batch and --lod that the plan was made"
                + " with?\n");
  }

  @Test
  void whatIsWrong_mayBeSinceItIsForSmallerShapes() {
    String smaller = CHAIN.replace("FP32[4]", "FP32[3]");
    accepts(smaller, CHAIN_PLAN);
    rejects(
        smaller,
        CHAIN_PLAN.replace("0:b @32", "0:b @16"),
        "'x': has 16 bytes, but needs 12 for the shapes that it is verified for; are these not");
  }

  @Test
  void runtimeAliasesAreInOneRegion() {
    String program = CHAIN.replace("tanh X=a", "share_data X=a");
    rejects(program, CHAIN_PLAN, "'b': shares a buffer with 'a' at run time, but has another");
    accepts(program, CHAIN_PLAN.replaceAll("0:[ab] .*\n", "") + "unplanned 0:a\nunplanned 0:b\n");
    accepts(program, CHAIN_PLAN.replace("0:c @16", "0:c @48").replace("0:b @32", "0:b @16"));
    rejects(
        program,
        CHAIN_PLAN.replaceAll("0:a .*\n", "") + "unplanned 0:a\n",
        "'a': is unplanned, but shares a buffer with a planned variable");
  }

  @Test
  void anInputOfWhichOnlyTheShapeIsReadMayBeGone() {
    String program = CHAIN.replace("op tanh X=b -> Out=c", "op reduce_grad X=a G=b -> Out=c");
    accepts(program, CHAIN_PLAN);
    rejects(
        program.replace("reduce_grad X=a", "reduce_grad Y=a"),
        CHAIN_PLAN,
        "op 2 (reduce_grad), variable 'a': is read at point 4, but not live there");
  }

  @Test
  void localsOfATrainingLoopThatItsGradientReadsAreNotPlanned() {
    String program =
        """
        var x FP32[4] feed
        var c BOOL[16]
        var s FP32[4]
        var g FP32[4]
        op fill_constant -> Out=c
        op while X=x Condition=c -> Out=s,c | sub_block=@1
        op fill_constant -> Out=g
        op while_grad X=x Out=s Out@GRAD=g | sub_block=@2
        block 1
        var t FP32[4]
        op tanh X=x -> Out=t
        op tanh X=t -> Out=s
        op less_than X=s Y=s -> Out=c
        block 2 forward 1
        var h FP32[4]
        op tanh X=t -> Out=h
        """;
    String plan =
        """
        arena 112
        0:x @0+16 0-20
        0:c @16+16 1-20
        0:s @32+16 5-20
        0:g @48+16 13-20
        2:h @64+16 17-18
        """;
    accepts(program, plan + "unplanned 1:t\n");
    rejects(
        program,
        plan + "1:t @80+16 5-20\n",
        "block 1, variable 't': has a copy in each iteration of its loop and may not be allocated");
  }

  @Test
  void overlappingLiveRangesAreFoundEvenIfNothingIsReadLater() {
    rejects(
        CHAIN,
        CHAIN_PLAN.replace("1-4", "1-6"),
        "variable 'c': overlaps 'a' in time and bytes from point 5 on");
  }

  /** Nodes: 0 tanh, 1 tanh, 2 tanh, 3 tanh, 4 add, 5 fetch. */
  private static final String TWO_PATHS =
      """
      var fetch FETCH_LIST persistable
      var x FP32[4] feed
      var a FP32[4]
      var b FP32[4]
      var c FP32[4]
      var d FP32[4]
      var o FP32[4]
      op tanh X=x -> Out=a
      op tanh X=a -> Out=b
      op tanh X=x -> Out=c
      op tanh X=c -> Out=d
      op add X=b Y=d -> Out=o
      op fetch X=o -> Out=fetch
      """;

  /** One after the other, c can lie where a has been; at the same time it cannot. */
  @Test
  void pathsThatRunAtTheSameTime_mayNotShareBytes() {
    String sequential =
        """
        arena 80
        0:x @0+16 0-12
        0:a @16+16 1-4
        0:b @32+16 3-10
        0:c @16+16 5-8
        0:d @48+16 7-10
        0:o @64+16 9-12
        """;
    accepts(TWO_PATHS, sequential);
    rejects(
        TWO_PATHS,
        "parallel\n" + sequential,
        "variable 'c': has bytes in common with 'a', which operators could use at the same time");
    accepts(
        TWO_PATHS,
        "parallel\n" + sequential.replace("0:c @16", "0:c @64").replace("0:o @64", "0:o @16"));
  }

  /** What one path leaves can be used by what depends on it, but not beside the other path. */
  @Test
  void onePath_mayReuseWhatItDependsOn() {
    String program = TWO_PATHS.replace("op tanh X=x -> Out=c", "op tanh X=b -> Out=c");
    String plan =
        """
        parallel
        arena 80
        0:x @0+16 0-12
        0:a @16+16 1-4
        0:b @32+16 3-10
        0:c @16+16 5-8
        0:d @48+16 7-10
        0:o @64+16 9-12
        """;
    accepts(program, plan);
  }

  @Test
  void bodiesOfControlOperators_orderTheOperatorsThatRunThem() {
    accepts(LOOP, "parallel\n" + LOOP_PLAN);
    accepts(BRANCHES, "parallel\n" + BRANCHES_PLAN);
    // n is read by the second branch, which need not wait for the cast.
    rejects(
        BRANCHES,
        "parallel\n" + BRANCHES_PLAN.replace("0:m @48", "0:m @32"),
        "variable 'm': has bytes in common with 'n'");
  }

  @Test
  void arenasFitTheirPools_ofWhichEachHasOne() {
    accepts(CHAIN, CHAIN_PLAN.replace("arena 64", "arena 64 cpu 0 sram 64"));
    rejects(
        CHAIN,
        CHAIN_PLAN.replace("arena 64", "arena 64 cpu 0 sram 63"),
        "arena 0: its 64 bytes exceed its pool's capacity of 63 bytes");
    rejects(
        CHAIN,
        CHAIN_PLAN.replace("arena 64", "arena 64 cpu 0 sram 64\narena 8 cpu 0 sram 64"),
        "arena 1: another one is in pool 'sram' as well");
  }

  @Test
  void emptyRegionsOverlapNothing() {
    String program =
        CHAIN
            .replace("var a FP32[4]", "var a FP32[0]")
            .replace("var b FP32[4]", "var b FP32[0]")
            .replace("tanh", "mystery");
    accepts(
        program,
        """
        arena 32
        0:x @0+16 0-8
        0:a @8+0 1-4
        0:b @8+0 3-6
        0:c @16+16 5-8
        """);
  }

  private static void accepts(String program, String plan) {
    assertThat(validate(program, plan, ProofOptions.defaults()).toString()).isEqualTo("valid");
  }

  private static void rejects(String program, String plan, String gist) {
    assertThat(validate(program, plan, ProofOptions.defaults()).toString()).contains(gist);
  }

  private static ValidationResult validate(
      String programText, String planText, ProofOptions options) {
    OperatorCatalog catalog = ProgramNotation.catalog();
    Program program = ProgramNotation.parse(programText);
    return PlanValidator.validate(
        program,
        plan(planText),
        catalog,
        InferredSizes.of(program),
        MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU),
        options);
  }

  private static MemoryPlan plan(String text) {
    ImmutableList.Builder<Arena> arenas = ImmutableList.builder();
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
    ExecutionOrder order = ExecutionOrder.SEQUENTIAL;
    for (String line : Splitter.on('\n').omitEmptyStrings().split(text)) {
      List<String> words = Splitter.on(' ').splitToList(line);
      switch (words.get(0)) {
        case "arena" -> arenas.add(arena(words));
        case "parallel" -> order = ExecutionOrder.PARALLEL;
        case "unplanned" -> unplanned.add(new Unplanned(id(words.get(1)), "test"));
        case "alias" -> aliases.add(new Alias(id(words.get(1)), id(words.get(2)), words.get(3)));
        default -> allocations.add(allocation(words));
      }
    }
    return new MemoryPlan(
        "",
        "test",
        1,
        order,
        arenas.build(),
        allocations.build(),
        unplanned.build(),
        aliases.build());
  }

  private static Arena arena(List<String> words) {
    return new Arena(
        words.size() > 2 ? words.get(2) : "cpu",
        Long.parseLong(words.get(1)),
        words.size() > 3 ? Long.parseLong(words.get(3)) : 0,
        /* alignment= */ 4,
        words.size() > 4
            ? Optional.of(new Pool(words.get(4), Long.parseLong(words.get(5))))
            : Optional.empty(),
        /* traffic= */ 0);
  }

  private static Allocation allocation(List<String> words) {
    String[] region = words.get(1).substring(1).split("\\+", 2);
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (String interval : words.subList(2, words.size())) {
      String[] points = interval.split("-", 2);
      live.add(new Interval(Integer.parseInt(points[0]), Integer.parseInt(points[1])));
    }
    return new Allocation(
        id(words.get(0)),
        /* arena= */ 0,
        Long.parseLong(region[0]),
        Long.parseLong(region[1]),
        live.build());
  }

  private static VariableId id(String text) {
    String[] parts = text.split(":", 2);
    return new VariableId(Integer.parseInt(parts[0]), parts[1]);
  }
}
