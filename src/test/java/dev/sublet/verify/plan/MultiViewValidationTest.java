package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

/** Plans in which loops move variables, right and wrong ones; see {@link MultiViewPlans}. */
final class MultiViewValidationTest {

  /** Nodes: 0 1 feeds, 2 c, 3 x, 4 head, 5 y, 6 copy, 7 c, 8 exit, 9 o, 10 fetch. */
  private static final String PING_PONG =
      """
      block 0
        feed x0: fp32[16]
        feed g: bool[1]
        var x: fp32[16]
        var c: bool[1]
        var o: fp32[16]
        c = assign(g)
        x = tanh(x0)
        while(Condition: c, X: x c) -> (Out: x c, StepScopes: s) {sub_block: 1, is_test: true}
        o = tanh(x)
        fetch(o)
      block 1 parent 0
        var y: fp32[16]
        y = softmax(x)
        x = assign(y)
        c = logical_not(c)
      """;

  private static final String PING_PONG_PLAN =
      """
      0:x0 1024+64 0-22
      0:g 1100+1 0-22
      0:c 1104+1 5-18
      0:x @1[0,64]+64 7-13 17-20
      0:x @1[64,0]+64 13-17
      1:y @1[64,0]+64 11-14
      0:o 256+64 19-22
      stay 1:1 64
      """;

  @Test
  void aVariableMayAlternateBetweenTwoRegions() {
    accepts(PING_PONG, PING_PONG_PLAN);
  }

  @Test
  void aCopyOntoItselfNeedNotBeListed() {
    accepts(PING_PONG, PING_PONG_PLAN.replace("stay 1:1 64\n", ""));
  }

  @Test
  void equalViewsMayBeWrittenDifferently() {
    accepts(
        PING_PONG,
        PING_PONG_PLAN
            .replace("1:y @1[64,0]", "1:y @1[64;0,64,0,64]")
            .replace("7-13 17-20", "7-13\n0:x @1[0;64,0]+64 17-20"));
    accepts(PING_PONG, PING_PONG_PLAN.replace("7-13 17-20", "8-13 17-20\n0:x 0+64 7-8"));
  }

  @Test
  void whatIsInTheWrongPlaceInSomeIteration_isRejected() {
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("1:y @1[64,0]", "1:y @1[64,128]"),
        "op 1 (assign): is listed as an unneeded copy");
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("@1[64,0]", "@1[64,128]"),
        "op 4 (while), variable 'x': is read, but its bytes may hold another value at offset 0 of");
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("@1[0,64]", "@1[0,64,128]"),
        "variable 'x': is read at offset 128 of arena 0, but its value is at offset 0 of arena 0");
    rejects(PING_PONG, PING_PONG_PLAN.replace("@1[64,0]", "64"), "variable 'y'");
    rejects(PING_PONG, PING_PONG_PLAN.replace("@1[0,64]", "0"), "variable 'x'");
  }

  @Test
  void behindTheLoop_aVariableIsWhereTheNumberOfIterationsPutsIt() {
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("17-20", "17-18\n0:x 0+64 18-20"),
        "op 5 (tanh), variable 'x': is read at offset 0 of arena 0, but its value is at offset 0"
            + " or 64 of arena 0 by the iterations of block 1");
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace(" 17-20", "").replace("13-17", "13-20"),
        "op 5 (tanh), variable 'x': is read, but its bytes may hold another value at offset 64 or"
            + " 0");
  }

  @Test
  void behindTheLoop_itMayBeInAnyOfItsRegions() {
    String program =
        PING_PONG
            .replace("  var o", "  var t: fp32[16]\n  var o")
            .replace("  o = tanh(x)", "  t = tanh(x0)\n  o = elementwise_add(x, t)");
    String plan =
        PING_PONG_PLAN.replace("17-20", "17-22").replace("19-22", "21-24").replace("0-22", "0-24");
    accepts(program, plan + "0:t 192+64 19-22\n");
    rejects(program, plan + "0:t 0+64 19-22\n", "variable 'x'");
    rejects(program, plan + "0:t 64+64 19-22\n", "variable 'x'");
    rejects(program, plan + "0:t @1[0,64]+64 19-22\n", "variable 'x'");
    accepts(program, plan + "0:t @1[64,0]+64 19-22\n");
  }

  @Test
  void beforeTheLoop_itIsInTheFirstRegionOnly() {
    String program =
        PING_PONG
            .replace("  var o", "  var t: fp32[16]\n  var o")
            .replace("  while", "  t = tanh(x0)\n  x = elementwise_add(x, t)\n  while");
    // Two more nodes in front of the head.
    String plan =
        """
        0:x0 1024+64 0-26
        0:g 1100+1 0-26
        0:c 1104+1 5-22
        0:x @1[0,64]+64 7-17 21-24
        0:x @1[64,0]+64 17-21
        1:y @1[64,0]+64 15-18
        0:o 256+64 23-26
        stay 1:1 64
        """;
    accepts(program, plan + "0:t 64+64 9-12\n");
    rejects(program, plan + "0:t 0+64 9-12\n", "variable 't'");
  }

  /** Where a tensor gets the shape that it has, that is a copy; not if it does anything else. */
  @Test
  void aReshapeToTheSameShapeIsACopy() {
    String reshaping = PING_PONG.replace("fp32[16]", "fp32[4,4]");
    String program = with(reshaping, "var e: fp32[0,4,4]", "XShape: e", "shape: [-1, 4]");
    accepts(program, PING_PONG_PLAN + "1:e 0+0 13-14\n");

    String objection = "op 1 (reshape2): is listed as an unneeded copy, but does not just copy";
    rejects(
        program.replace("y = softmax(x)", "y = reshape2(x) {shape: [2, 8]}"),
        PING_PONG_PLAN + "1:e 0+0 13-14\n",
        objection);
    rejects(
        program.replace("c = logical_not(c)", "e = assign(e)\n  c = logical_not(c)"),
        PING_PONG_PLAN.replace("17-2", "19-2").replace("13-17", "13-19") + "1:e 0+0 13-16\n",
        objection);
    rejects(
        program.replace("var e: fp32[0,4,4]", "var e: fp32[0,4,4] persistable"),
        PING_PONG_PLAN,
        objection);
    rejects(
        program.replace("reshape2(y)", "reshape2(y, Shape: c)"),
        PING_PONG_PLAN + "1:e 0+0 13-14\n",
        objection);
  }

  private static String with(String program, String variable, String output, String attribute) {
    return program
        .replace("var y:", variable + "\n  var y:")
        .replace("x = assign(y)", "(Out: x, " + output + ") = reshape2(y) {" + attribute + "}");
  }

  @Test
  void theCopysListingIsChecked() {
    String plan = PING_PONG_PLAN;
    rejects(
        PING_PONG, plan + "stay 1:1 64\n", "op 1 (assign): is listed as an unneeded copy twice");
    rejects(PING_PONG, plan.replace("1:1 64", "1:0 64"), "but does not just copy a tensor");
    rejects(PING_PONG, plan + "stay 1:3 64 1:y 0:x\n", "operator 3 is listed as an unneeded copy");
    rejects(PING_PONG, plan + "stay 2:0 64 1:y 0:x\n", "operator 0 is listed as an unneeded copy");
    rejects(PING_PONG, plan.replace("1:1 64", "1:1 64 0:x 1:y"), "of other variables");
    rejects(PING_PONG, plan.replace("1:1 64", "1:1 32"), "of 32 bytes, but copies 64");
    rejects(PING_PONG, plan + "stay 0:2 1\n", "but its input is at offset 1100 of arena 0 and");
    rejects(
        PING_PONG,
        plan.replace("11-14", "11-12"),
        "variable 'y': is read at point 12, but not live there");
  }

  @Test
  void aCopyWhoseSourceIsGone_isNeeded() {
    String program =
        PING_PONG
            .replace("  x = assign(y)", "  t = tanh(x0)\n  x = assign(y)")
            .replace("  var y", "  var t: fp32[16]\n  var y");
    String plan =
        """
        0:x0 1024+64 0-24
        0:g 1100+1 0-24
        0:c 1104+1 5-20
        0:x @1[0,64]+64 7-15 19-22
        0:x @1[64,0]+64 15-19
        1:y @1[64,0]+64 11-16
        0:o 256+64 21-24
        stay 1:2 64
        """;
    accepts(program, plan + "1:t 512+64 13-14\n");
    rejects(program, plan + "1:t @1[64,0]+64 13-14\n", "op 2 (assign), variable 'y': is read, but");
  }

  @Test
  void everyRegionIsAlignedAndInItsArena() {
    rejects(
        PING_PONG, PING_PONG_PLAN.replace("@1[0,64]", "@1[0,66]"), "offset 66 is not a multiple");
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("@1[0,64]", "@1[0,4040]"),
        "does not lie inside its arena");
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("@1[0,64]", "@1[0;0,4040]"),
        "does not lie inside its arena");
  }

  @Test
  void viewsAreByLoopsThatRun() {
    rejects(PING_PONG, PING_PONG_PLAN.replace("@1[0,64]", "@0[0,64]"), "iterations of block 0");
    rejects(PING_PONG, PING_PONG_PLAN.replace("@1[0,64]", "@7[0,64]"), "iterations of block 7");
  }

  @Test
  void theParallelOrderHasNoViews() {
    rejects(PING_PONG, "parallel\n" + PING_PONG_PLAN, "not allowed in the parallel order");
  }

  @Test
  void tooManyPhasesAreRefused() {
    String of4099 = "@1[0" + ",64".repeat(4098) + "]";
    rejects(PING_PONG, PING_PONG_PLAN.replace("@1[0,64]", of4099), "too many to verify");
    String of67 = "0:x @1[0" + ",64".repeat(66) + "]";
    String of71 = "1:y @1[64" + ",0".repeat(70) + "]";
    rejects(
        PING_PONG,
        PING_PONG_PLAN.replace("0:x @1[0,64]", of67).replace("1:y @1[64,0]", of71),
        "repeat together only after more than 4096 iterations, which is too many to verify");
  }

  private static void accepts(String program, String plan) {
    assertThat(MultiViewPlans.validate(program, plan).toString()).isEqualTo("valid");
  }

  private static void rejects(String program, String plan, String gist) {
    assertThat(MultiViewPlans.validate(program, plan).toString()).contains(gist);
  }
}
