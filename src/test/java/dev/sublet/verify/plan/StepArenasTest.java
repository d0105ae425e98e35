package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.HandPlan;
import dev.sublet.testing.InferredSizes;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.rewrite.ProgramNotation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which arenas there may be once an iteration, and what may be in them. */
final class StepArenasTest {

  /** Nodes: 0 fill, 1 head, 2 t, 3 u, 4 s, 5 c, 6 exit, 7 fill, 8 head, 9 h, 10 k, 11 exit. */
  private static final String TRAINING =
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
      var u FP32[4]
      op tanh X=x -> Out=t
      op tanh X=t -> Out=u
      op tanh X=u -> Out=s
      op less_than X=s Y=s -> Out=c
      block 2 forward 1
      var h FP32[4]
      var k FP32[4]
      op tanh X=t -> Out=h
      op tanh X=h -> Out=k
      """;

  private static final String OUTSIDE =
      """
      0:x 0 16 0-24
      0:c 16 16 1-24
      0:s 32 16 3-24
      0:g 48 16 15-24
      """;

  /** k lies where t was; u and h lie beside it. */
  private static final String PLAN =
      OUTSIDE
          + """
            step 1 32
            1:t 0 16 5-20
            1:u 16 16 7-10
            2:h 16 16 19-22
            2:k 0 16 21-22
            """;

  private static String validate(String programText, String plan) {
    return validate(programText, HandPlan.of(64, plan));
  }

  private static String validate(String programText, MemoryPlan plan) {
    OperatorCatalog catalog = ProgramNotation.catalog();
    Program program = ProgramNotation.parse(programText);
    return PlanValidator.validate(
            program,
            plan,
            catalog,
            InferredSizes.of(program),
            MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU),
            ProofOptions.defaults())
        .toString();
  }

  @Test
  void whatTheGradientReads_mayBeInAStepArena_withWhatFitsBeside() {
    assertThat(validate(TRAINING, PLAN)).isEqualTo("valid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // In one arena for all iterations.
        "step 1 32 | | variable 't': has a copy in each iteration of its loop and may not be"
            + " allocated",
        "step 1 32 | step 2 32 | arena 1: block 2 is the body of no loop",
        "step 1 32 | step 9 32 | arena 1: block 9 is the body of no loop",
        "1:u 16 16 7-10 | 0:y 16 16 7-10 | variable 'y': the program does not declare the variable",
        "1:t 0 16 5-20 | 1:t 1[0,16] 16 5-20 | variable 't': is in a step arena, but moves",
        // Elsewhere than where the iteration has left it.
        "1:t 0 16 5-20 | 1:t 0 16 5-12\\n1:t 16 16 12-20 | variable 't': is read at offset 16 of"
            + " arena 1, but its value is at offset 0 of arena 1",
        // Overwritten by the gradient's body.
        "2:h 16 | 2:h 8 | variable 'h': overlaps the input 't'",
      })
  void whatIsWrong_isRejected(String part, String wrong, String gist) {
    assertThat(PLAN).contains(part);
    String plan = PLAN.replace(part, wrong == null ? "" : wrong.replace("\\n", "\n"));
    assertThat(validate(TRAINING, plan)).contains(gist);
  }

  @Test
  void bytesThatTheBodyUsesAgain_donotLastUntilTheGradient() {
    String plan = PLAN.replace("1:t 0 16 5-20", "1:t 0 16 5-7 16-20").replace("1:u 16", "1:u 0");
    assertThat(validate(TRAINING, plan))
        .contains("variable 't': is read, but its bytes may hold another value");
    // The same with operators in between that are none of the body.
    assertThat(validate(TRAINING, PLAN.replace("1:t 0 16 5-20", "1:t 0 16 5-12 16-20")))
        .isEqualTo("valid");
  }

  @Test
  void operatorsThatRunAtTheSameTime_haveNone() {
    MemoryPlan plan = HandPlan.of(64, PLAN);
    MemoryPlan parallel =
        new MemoryPlan(
            plan.programSha256(),
            plan.planner(),
            plan.batch(),
            ExecutionOrder.PARALLEL,
            plan.arenas(),
            plan.allocations(),
            plan.unplanned(),
            plan.aliases());
    assertThat(validate(TRAINING, parallel))
        .contains("arena 1: step arenas are not allowed in the parallel order");
  }

  @Test
  void aVariableOfNeitherBody_isInNoIteration() {
    String plan = PLAN.replace("0:g 48 16 15-24\n", "") + "0:g 16 16 15-18\n";
    assertThat(validate(TRAINING, plan))
        .contains("variable 'g': is not declared inside of block 1 or its gradient");
  }

  @Test
  void aLoopWithoutAGradient_hasNoStepArena() {
    String program =
        TRAINING
            .substring(0, TRAINING.indexOf("block 2"))
            .replace("op while_grad X=x Out=s Out@GRAD=g | sub_block=@2\n", "");
    assertThat(validate(program, PLAN))
        .contains("arena 1: the iterations of block 1 have not one gradient operator");
  }

  /**
   * Nodes: 0 fill, 1 head, 2 head, 3 t, 4 s, 5 c, 6 exit, 7 exit, 8 fill, 9 head, 10 head, 11 h.
   */
  private static final String NESTED =
      """
      var x FP32[4] feed
      var c BOOL[16]
      var s FP32[4]
      var g FP32[4]
      op fill_constant -> Out=c
      op while X=x Condition=c -> Out=s,c | sub_block=@1
      op fill_constant -> Out=g
      op while_grad X=x Out=s Out@GRAD=g | sub_block=@3
      block 1
      op while X=x Condition=c -> Out=s,c | sub_block=@2
      block 2 parent 1
      var t FP32[4]
      op tanh X=x -> Out=t
      op tanh X=t -> Out=s
      op less_than X=s Y=s -> Out=c
      block 3 forward 1
      op while_grad X=x Out=s Out@GRAD=g | sub_block=@4
      block 4 parent 3 forward 2
      var h FP32[4]
      op tanh X=t -> Out=h
      """;

  @Test
  void aNestedLoopsVariables_needTheArenaOfItsOwnIterations() {
    String plan =
        """
        0:x 0 16 0-28
        0:c 16 16 1-28
        0:s 32 16 3-28
        0:g 48 16 17-28
        step 2 32
        2:t 0 16 7-24
        4:h 16 16 23-24
        """;
    assertThat(validate(NESTED, plan)).isEqualTo("valid");
    assertThat(validate(NESTED, plan.replace("step 2", "step 1")))
        .contains("variable 't': has more copies than its arena, which is of block 1");
  }
}
