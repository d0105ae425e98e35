package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

/** Several variables that loops move, and loops inside loops and branches. */
final class MultiViewLoopsTest {

  /** Nodes: 0 1 feeds, 2 c, 3 4 5 x, 6 head, 7 y, 8 9 10 copies, 11 c, 12 exit, 13 o, 14 fetch. */
  private static final String SHIFT_CHAIN =
      """
      block 0
        feed f: fp32[4,4]
        feed g: bool[1]
        var c: bool[1]
        var x0: fp32[4,4]
        var x1: fp32[4,4]
        var x2: fp32[4,4]
        var o: fp32[4,4]
        c = assign(g)
        x0 = tanh(f)
        x1 = sigmoid(f)
        x2 = relu(f)
        while(Condition: c, X: x0 x1 x2 c) -> (Out: x0 x1 x2 c, StepScopes: s) \
      {sub_block: 1, is_test: true}
        o = elementwise_add(x0, x2)
        fetch(o)
      block 1 parent 0
        var y: fp32[4,4]
        y = matmul(x0, x2)
        x2 = assign(x1)
        x1 = assign(x0)
        x0 = assign(y)
        c = logical_not(c)
      """;

  private static final String SHIFT_CHAIN_PLAN =
      """
      0:f 1024+64 0-30
      0:g 1100+1 0-30
      0:c 1104+1 5-26
      0:x0 @1[0,192,128,64]+64 7-21 25-28
      0:x0 @1[192,128,64,0]+64 21-24
      0:x1 @1[64,0,192,128]+64 9-19 25-26
      0:x1 @1[0,192,128,64]+64 19-24
      0:x2 @1[128,64,0,192]+64 11-17 25-28
      0:x2 @1[64,0,192,128]+64 17-24
      1:y @1[192,128,64,0]+64 15-22
      0:o 256+64 27-30
      stay 1:1 64
      stay 1:2 64
      stay 1:3 64
      """;

  @Test
  void aShiftChain_needsOneRegionMoreThanItHasVariables() {
    accepts(SHIFT_CHAIN, SHIFT_CHAIN_PLAN);
    String three =
        SHIFT_CHAIN_PLAN
            .replace("0,192,128,64", "0,128,64")
            .replace("192,128,64,0", "128,64,0")
            .replace("64,0,192,128", "64,0,128")
            .replace("128,64,0,192", "128,64,0");
    rejects(SHIFT_CHAIN, three, "variable 'y': overlaps the input 'x2', which is not a legal");
  }

  @Test
  void aShiftChain_thatWrapsTooEarly_isRejected() {
    rejects(
        SHIFT_CHAIN,
        SHIFT_CHAIN_PLAN
            .replace("0,192,128,64", "0,192,128")
            .replace("192,128,64,0", "192,128,64")
            .replace("64,0,192,128", "64,0,192")
            .replace("128,64,0,192", "128,64,0"),
        "op 6 (while), variable 'x0': is read, but its bytes may hold another value at offset 0");
    rejects(SHIFT_CHAIN, SHIFT_CHAIN_PLAN.replace("192,128,64,0", "192,128"), "variable 'x0'");
  }

  /** Nodes: 0 1 feeds, 2 c, 3 a, 4 b, 5 head, 6 t, 7 8 copies, 9 c, 10 exit, 11 o, 12 fetch. */
  private static final String SWAP =
      """
      block 0
        feed f: fp32[16]
        feed g: bool[1]
        var c: bool[1]
        var a: fp32[16]
        var b: fp32[16]
        var o: fp32[16]
        c = assign(g)
        a = tanh(f)
        b = sigmoid(f)
        while(Condition: c, X: a b c) -> (Out: a b c, StepScopes: s) {sub_block: 1, is_test: true}
        o = elementwise_sub(a, b)
        fetch(o)
      block 1 parent 0
        var t: fp32[16]
        t = assign(a)
        a = assign(b)
        b = assign(t)
        c = logical_not(c)
      """;

  private static final String SWAP_PLAN =
      """
      0:f 1024+64 0-26
      0:g 1100+1 0-26
      0:c 1104+1 5-22
      0:a @1[0,64]+64 7-15 21-24
      0:a @1[64,0]+64 15-20
      0:b @1[64,0]+64 9-17 21-24
      0:b @1[0,64]+64 17-20
      1:t @1[0,64]+64 13-18
      0:o 256+64 23-26
      stay 1:0 64
      stay 1:1 64
      stay 1:2 64
      """;

  @Test
  void aSwap_repeatsAfterTwoIterations() {
    accepts(SWAP, SWAP_PLAN);
    accepts(SWAP, SWAP_PLAN.replace("stay 1:0 64\nstay 1:1 64\nstay 1:2 64\n", ""));
    rejects(SWAP, SWAP_PLAN.replace("@1[64,0]", "@1[64,0,0]"), "variable 'a'");
    rejects(
        SWAP,
        SWAP_PLAN.replace("15 21-24", "15").replace("15-20", "15-20 21-24"),
        "op 6 (elementwise_sub), variable 'a': is read");
    rejects(
        SWAP,
        SWAP_PLAN.replace("1:t @1[0,64]", "1:t @1[64,0]"),
        "op 0 (assign): is listed as an unneeded copy, but its input is at offset 0 of arena 0 and"
            + " its output at offset 64 of arena 0");
  }

  /** Nodes: 0 1 feeds, 2 c, 3 v, 4 x, 5 head, 6 y, 7 copy, 8 c, 9 exit, 10 o, 11 fetch. */
  private static final String SURVIVOR =
      """
      block 0
        feed f: fp32[4,4]
        feed g: bool[1]
        var c: bool[1]
        var v: fp32[4,4]
        var x: fp32[4,4]
        var o: fp32[4,4]
        c = assign(g)
        v = tanh(f)
        x = assign(v)
        while(Condition: c, X: x c) -> (Out: x c, StepScopes: s) {sub_block: 1, is_test: true}
        o = elementwise_sub(x, v)
        fetch(o)
      block 1 parent 0
        var y: fp32[4,4]
        y = matmul(x, x)
        x = assign(y)
        c = logical_not(c)
      """;

  private static final String SURVIVOR_PLAN =
      """
      0:f 1024+64 0-24
      0:g 1100+1 0-24
      0:c 1104+1 5-20
      0:v 512+64 7-22
      0:x @1[512;0,64]+64 9-15 19-22
      0:x @1[0,64]+64 15-18
      1:y @1[0,64]+64 13-16
      0:o 256+64 21-24
      stay 0:4 64
      stay 1:1 64
      """;

  @Test
  void withAFirstViewOfItsOwn_theOutsideValueSurvives() {
    accepts(SURVIVOR, SURVIVOR_PLAN);
    rejects(
        SURVIVOR,
        SURVIVOR_PLAN.replace("@1[512;0,64]", "@1[512,0]").replace("@1[0,64]", "@1[0,512]"),
        "variable 'v': is read, but its bytes may hold another value");
    rejects(
        SURVIVOR,
        SURVIVOR_PLAN.replace("@1[512;0,64]", "@1[512;0]").replace("@1[0,64]", "@1[0]"),
        "variable 'y': overlaps the input 'x'");
  }

  @Test
  void behindALoopThatMayNotHaveRun_theFirstViewCounts() {
    rejects(
        SURVIVOR,
        SURVIVOR_PLAN.replace(" 19-22", "\n0:x @1[64,0]+64 19-22"),
        "op 6 (elementwise_sub), variable 'x': is read");
  }

  /**
   * Nodes: 0 1 feeds, 2 c, 3 x, 4 head, 5 z, 6 d, 7 head, 8 w, 9 copy, 10 d, 11 exit, 12 y, 13
   * copy, 14 c, 15 exit, 16 o, 17 fetch.
   */
  private static final String NESTED =
      """
      block 0
        feed f: fp32[4,4]
        feed g: bool[1]
        var c: bool[1]
        var x: fp32[4,4]
        var o: fp32[4,4]
        c = assign(g)
        x = tanh(f)
        while(Condition: c, X: x c) -> (Out: x c, StepScopes: s) {sub_block: 1, is_test: true}
        o = tanh(x)
        fetch(o)
      block 1 parent 0
        var z: fp32[4,4]
        var d: bool[1]
        var y: fp32[4,4]
        z = tanh(x)
        d = assign(g)
        while(Condition: d, X: z d) -> (Out: z d, StepScopes: s2) {sub_block: 2, is_test: true}
        y = matmul(z, x)
        x = assign(y)
        c = logical_not(c)
      block 2 parent 1
        var w: fp32[4,4]
        w = matmul(z, z)
        z = assign(w)
        d = logical_not(d)
      """;

  private static final String NESTED_PLAN =
      """
      0:f 1024+64 0-36
      0:g 1100+1 0-36
      0:c 1104+1 5-32
      1:d 1108+1 13-24
      0:x @1[0,64]+64 7-27 31-34
      0:x @1[64,0]+64 27-30
      1:z 128+64 11-14
      1:z @2[128,192]+64 14-19 23-26
      1:z @2[192,128]+64 19-22
      2:w @2[192,128]+64 17-20
      1:y @1[64,0]+64 25-28
      0:o 256+64 33-36
      stay 1:4 64
      stay 2:1 64
      """;

  @Test
  void loopsInsideEachOther_moveTheirOwnVariables() {
    accepts(NESTED, NESTED_PLAN);
    rejects(NESTED, NESTED_PLAN.replace("@2[192,128]", "@2[192,0]"), "variable 'x'");
  }

  private static final String NESTED_VIEWS_PLAN =
      NESTED_PLAN
          .replace("z 128+", "z @1[128,192]+")
          .replace("@2[128,192]", "@1[@2[128,192],@2[192,128]]")
          .replaceAll(" @2\\[192,128\\]", " @1[@2[192,128],@2[128,192]]");

  @Test
  void viewsMayBeNested() {
    accepts(NESTED, NESTED_VIEWS_PLAN);
    accepts(
        NESTED,
        NESTED_VIEWS_PLAN.replace(
            "@1[@2[192,128],@2[128,192]]+64 17", "@2[@1[192,128],@1[128,192]]+64 17"));
    rejects(
        NESTED,
        NESTED_VIEWS_PLAN.replace("z @1[128,192]+", "z 128+"),
        "op 2 (while), variable 'z': is read, but its bytes may hold another value at offset 192");
  }

  @Test
  void whenALoopStartsAgain_whatDependsOnItsOldCountIsLost() {
    rejects(
        NESTED,
        NESTED_PLAN.replace("1:z 128+64 11-14\n", "").replace("14-19", "11-19"),
        "op 2 (while), variable 'z': is read, but its bytes may hold another value at offset 128");
  }

  /**
   * Nodes: 0 1 feeds, 2 c, 3 z, 4 head, 5 u, 6 z, 7 d, 8 head, 9 w, 10 copy, 11 d, 12 exit, 13 c,
   * 14 exit, 15 o, 16 fetch.
   */
  private static final String CARRIED_BY_COUNT =
      """
      block 0
        feed f: fp32[4,4]
        feed g: bool[1]
        var c: bool[1]
        var z: fp32[4,4]
        var o: fp32[4,4]
        c = assign(g)
        z = tanh(f)
        while(Condition: c, X: z c) -> (Out: z c, StepScopes: s) {sub_block: 1, is_test: true}
        o = tanh(z)
        fetch(o)
      block 1 parent 0
        var u: fp32[4,4]
        var d: bool[1]
        u = tanh(z)
        z = sigmoid(u)
        d = assign(g)
        while(Condition: d, X: z d) -> (Out: z d, StepScopes: s2) {sub_block: 2, is_test: true}
        c = logical_not(c)
      block 2 parent 1
        var w: fp32[4,4]
        w = matmul(z, z)
        z = assign(w)
        d = logical_not(d)
      """;

  private static final String CARRIED_BY_COUNT_PLAN =
      """
      0:f 1024+64 0-34
      0:g 1100+1 0-34
      0:c 1104+1 5-30
      1:d 1108+1 15-26
      0:z @2[128,192]+64 7-12 16-21 25-32
      0:z 128+64 13-16
      0:z @2[192,128]+64 21-24
      1:u 256+64 11-14
      2:w @2[192,128]+64 19-22
      0:o 320+64 31-34
      stay 2:1 64
      """;

  /** Nodes: 0 1 feeds, 2 c, 3 z, 4 head, 5 w, 6 copy, 7 c, 8 exit, 9 o, 10 fetch. */
  private static final String IN_PLACE_AFTER =
      """
      block 0
        feed f: fp32[4,4]
        feed g: bool[1]
        var c: bool[1]
        var z: fp32[4,4]
        var o: fp32[4,4]
        c = assign(g)
        z = tanh(f)
        while(Condition: c, X: z c) -> (Out: z c, StepScopes: s) {sub_block: 1, is_test: true}
        o = relu(z)
        fetch(o)
      block 1 parent 0
        var w: fp32[4,4]
        w = matmul(z, z)
        z = assign(w)
        c = logical_not(c)
      """;

  private static final String IN_PLACE_AFTER_PLAN =
      """
      0:f 1024+64 0-22
      0:g 1100+1 0-22
      0:c 1104+1 5-18
      0:z @1[128,192]+64 7-13 17-19
      0:z @1[192,128]+64 13-16
      1:w @1[192,128]+64 11-14
      0:o @1[128,320]+64 19-22
      stay 1:1 64
      """;

  /** After an even number of iterations, o is in place of z; after an odd one, beside it. */
  @Test
  void anOutput_mayBeInPlaceAfterSomeNumbersOfIterations() {
    accepts(IN_PLACE_AFTER, IN_PLACE_AFTER_PLAN);
    String gist = "variable 'o': overlaps the input 'z', which is not a legal in-place pair";
    rejects(IN_PLACE_AFTER, IN_PLACE_AFTER_PLAN.replace("@1[128,320]", "@1[160,320]"), gist);
    rejects(IN_PLACE_AFTER, IN_PLACE_AFTER_PLAN.replace("@1[128,320]", "@1[320,160]"), gist);
    rejects(IN_PLACE_AFTER.replace("o = relu(z)", "o = matmul(z, z)"), IN_PLACE_AFTER_PLAN, gist);
  }

  @Test
  void theCountOfALoopInside_lastsUntilItStartsAgain() {
    accepts(CARRIED_BY_COUNT, CARRIED_BY_COUNT_PLAN);
    accepts(CARRIED_BY_COUNT, CARRIED_BY_COUNT_PLAN.replace("u 256", "u @1[256;320]"));
    rejects(CARRIED_BY_COUNT, CARRIED_BY_COUNT_PLAN.replace("u 256", "u 192"), "variable 'u'");
    rejects(
        CARRIED_BY_COUNT,
        CARRIED_BY_COUNT_PLAN.replace("7-12 16", "16").replace("13-16", "7-12 13-16"),
        "op 0 (tanh), variable 'z': is read");
  }

  @Test
  void behindALoopInABranch_theCountIsZeroIfItDidNotRun() {
    String program =
        CARRIED_BY_COUNT
            .replace(
                "while(Condition: c, X: z c) -> (Out: z c, StepScopes: s) {sub_block: 1, is_test",
                "conditional_block(Cond: c, Input: z) -> (Out: z, Scope: s) {sub_block: 1, is_scalar_condition")
            .replace("c = logical_not(c)", "u = relu(u)");
    String plan = CARRIED_BY_COUNT_PLAN.replace("u 256+64 11-14", "u 256+64 11-28");
    accepts(program, plan);
    rejects(
        program,
        plan.replace("7-12 16", "16").replace("z 128", "z @1[192]").replace("13-16", "7-12 13-16"),
        "block 1");
    rejects(
        program,
        plan.replace("7-12 16", "16").replace("13-16", "13-16\n0:z 192+64 7-12"),
        "variable 'z': is read, but its bytes may hold another value at offset 128 or 192");
  }

  @Test
  void aLoopThatAGradientRunsThroughAgain_mayNotMoveAnything() {
    String program =
        """
        block 0
          feed x: fp32[4]
          feed n: int64[1]
          i = fill_constant()
          h = tanh(x)
          h@GRAD = tanh(x)
          c = less_than(i, n)
          while(Condition: c, X: i n h) -> (Out: i c h, StepScopes: s) {sub_block: 1}
          while_grad(X: i n h, Out: h, Out@GRAD: h@GRAD, StepScopes: s) \
        -> (X@GRAD: h@GRAD) {sub_block: 2, original_output_grad: ["h@GRAD"]}
          fetch(h)
        block 1 parent 0
          h = tanh(h)
          i = increment(i)
          c = less_than(i, n)
        block 2 parent 0 forward 1
          h@GRAD = tanh(h@GRAD)
        """;
    rejects(
        program,
        """
        0:h @1[0,64]+16 7-30
        unplanned 0:x
        unplanned 0:n
        unplanned 0:i
        unplanned 0:h@GRAD
        unplanned 0:c
        """,
        "has views by the iterations of block 1, which a gradient operator runs through again");
  }

  @Test
  void aLoopThatIsLeftFromInside_mayNotMoveAnything() {
    rejects(
        """
        block 0
          feed f: fp32[16]
          feed g: bool[1]
          var c: bool[1]
          var x: fp32[16]
          c = assign(g)
          x = tanh(f)
          while(Condition: c, X: x c) -> (Out: x c, StepScopes: s) {sub_block: 1, is_test: true}
          fetch(x)
        block 1 parent 0
          x = tanh(x)
          c = logical_not(c)
          conditional_block(Cond: c, Input: x) -> (Out: x c, Scope: s2) \
        {sub_block: 2, is_scalar_condition: true}
        block 2 parent 1
          x = tanh(x)
          c = logical_not(c)
        """,
        """
        0:x @1[0,64]+64 7-26
        unplanned 0:f
        unplanned 0:g
        unplanned 0:c
        """,
        "there are views by the iterations of a loop that is left from inside, by block 1, op 2");
  }

  private static void accepts(String program, String plan) {
    assertThat(MultiViewPlans.validate(program, plan).toString()).isEqualTo("valid");
  }

  private static void rejects(String program, String plan, String gist) {
    assertThat(MultiViewPlans.validate(program, plan).toString()).contains(gist);
  }
}
