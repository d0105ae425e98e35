package dev.sublet.codec.plan;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Feed;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.Pool;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.testing.UnusualProgram;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans in all their forms. */
class PlanRoundTripTest {

  private static final VariableId X = new VariableId(0, "x");
  private static final VariableId Y = new VariableId(1, "y,\"\n");

  private static final MemoryPlan PLAN =
      new MemoryPlan(
          "00ff",
          "best",
          1,
          ImmutableList.of(new Arena("cpu", 1L << 54, 96, 64), new Arena("gpu", 0, 0, 64)),
          ImmutableList.of(
              new Allocation(X, 0, 0, 64, ImmutableList.of(new Interval(0, 2), new Interval(5, 8))),
              new Allocation(X, 0, (1L << 53) + 1, 32, ImmutableList.of(new Interval(9, 10))),
              new Allocation(Y, 1, 0, 0, ImmutableList.of())),
          ImmutableList.of(new Unplanned(new VariableId(2, "z"), "an array")),
          ImmutableList.of(new Alias(X, Y, "in_place")));

  private static String print(MemoryPlan plan, PlanFormat format) {
    return new String(PlanWriter.toBytes(plan, format), UTF_8);
  }

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void whatIsWrittenIsReadBack(PlanFormat format) {
    assertThat(PlanReader.parse(PlanWriter.toBytes(PLAN, format), "plan")).isEqualTo(PLAN);
  }

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void theParallelOrderIsReadBack(PlanFormat format) {
    MemoryPlan plan =
        new MemoryPlan(
            PLAN.programSha256(),
            PLAN.planner(),
            PLAN.batch(),
            ExecutionOrder.PARALLEL,
            PLAN.arenas(),
            PLAN.allocations(),
            PLAN.unplanned(),
            PLAN.aliases());
    assertThat(PlanReader.parse(PlanWriter.toBytes(plan, format), "plan")).isEqualTo(plan);
  }

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void feedsAreReadBack(PlanFormat format) {
    MemoryPlan plan =
        PLAN.withFeeds(
            ImmutableList.of(
                new Feed("scalar", Optional.of(ImmutableLongArray.of()), ImmutableList.of()),
                new Feed(
                    "words\n",
                    Optional.of(ImmutableLongArray.of(1L << 60, 3)),
                    ImmutableList.of(
                        ImmutableLongArray.of(0, 1, 1), ImmutableLongArray.of(0, 4, 1L << 60))),
                new Feed(
                    "sequences", Optional.empty(), ImmutableList.of(ImmutableLongArray.of(0, 7))),
                new Feed(
                    "rate",
                    Optional.empty(),
                    ImmutableList.of(),
                    ImmutableLongArray.of(16000, 0, -1, 1L << 60))));
    assertThat(PlanReader.parse(PlanWriter.toBytes(plan, format), "plan")).isEqualTo(plan);
  }

  @Test
  void anOrderThatIsNotKnown_isRefused() {
    byte[] json = "{\"point_numbering\": 1, \"order\": \"sideways\"}".getBytes(UTF_8);
    ProgramException error =
        assertThrows(ProgramException.class, () -> PlanReader.parse(json, "plan"));
    assertThat(error).hasMessageThat().contains("order is 'sideways'");
    byte[] named = "{\"point_numbering\": 1, \"order\": \"sequential\"}".getBytes(UTF_8);
    assertThat(PlanReader.parse(named, "plan").order()).isEqualTo(ExecutionOrder.SEQUENTIAL);
  }

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void namesThatAreNotTextAreReadBack(PlanFormat format) {
    Program program = Program.of(UnusualProgram.withBytesName());
    VariableId bytes = program.variable(2).id();
    VariableId backslash = new VariableId(0, "\\x80\\");
    VariableId accents = new VariableId(0, "\u00e9\ud83d\ude00");
    MemoryPlan plan =
        new MemoryPlan(
            "",
            "p",
            0,
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of(
                new Unplanned(bytes, ""), new Unplanned(backslash, ""), new Unplanned(accents, "")),
            ImmutableList.of());
    assertThat(PlanReader.parse(PlanWriter.toBytes(plan, format), "plan")).isEqualTo(plan);
  }

  private static final MemoryPlan POOLED =
      new MemoryPlan(
          "",
          "p",
          1,
          ImmutableList.of(
              new Arena("gpu", 8, 8, 4, Optional.of(new Pool("sram", 64)), 1L << 60),
              new Arena("gpu", 0, 0, 4, Optional.of(new Pool("dram", Pool.UNLIMITED)), 0)),
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of());

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void poolsAreReadBack(PlanFormat format) {
    assertThat(PlanReader.parse(PlanWriter.toBytes(POOLED, format), "plan")).isEqualTo(POOLED);
  }

  private static MultiView alternating(int block, long first, long second) {
    return new MultiView.Rotation(
        block,
        Optional.empty(),
        ImmutableList.of(new MultiView.FixedView(first), new MultiView.FixedView(second)));
  }

  private static final MemoryPlan MOVING =
      new MemoryPlan(
          "",
          "p",
          1,
          ExecutionOrder.SEQUENTIAL,
          ImmutableList.of(new Arena("cpu", 1L << 54, 8, 4)),
          ImmutableList.of(
              new Allocation(X, 0, 8, 4, ImmutableList.of(new Interval(0, 2), new Interval(5, 8))),
              new Allocation(
                  X,
                  0,
                  (1L << 53) + 1,
                  4,
                  ImmutableList.of(new Interval(9, 10)),
                  Optional.of(
                      new MultiView.Rotation(
                          1,
                          Optional.of(new MultiView.FixedView((1L << 53) + 1)),
                          ImmutableList.of(alternating(2, 0, 16), alternating(2, 16, 0))))),
              new Allocation(
                  Y,
                  0,
                  0,
                  4,
                  ImmutableList.of(new Interval(9, 10)),
                  Optional.of(alternating(2, 0, 16)))),
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of(new UnneededCopy(2, 7, X, Y, 4)));

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void viewsAndUnneededCopiesAreReadBack(PlanFormat format) {
    assertThat(PlanReader.parse(PlanWriter.toBytes(MOVING, format), "plan")).isEqualTo(MOVING);
  }

  @Test
  void jsonHasViewsAndCopiesWhereThereAreAny() {
    assertThat(print(MOVING, PlanFormat.JSON))
        .contains(
            """
              "allocations": [
                {"block_idx":0,"variable":"x","arena":0,"offset":8,"bytes":4,"live":[{"begin":0,"end":2},{"begin":5,"end":8}]},
                {"block_idx":0,"variable":"x","arena":0,"offset":9007199254740993,"bytes":4,"live":[{"begin":9,"end":10}],"views":{"block_idx":1,"first":{"offset":9007199254740993},"views":[{"block_idx":2,"views":[{"offset":0},{"offset":16}]},{"block_idx":2,"views":[{"offset":16},{"offset":0}]}]}},
                {"block_idx":1,"variable":"y,\\"\\n","arena":0,"offset":0,"bytes":4,"live":[{"begin":9,"end":10}],"views":{"block_idx":2,"views":[{"offset":0},{"offset":16}]}}
              ],
            """);
    assertThat(print(MOVING, PlanFormat.JSON))
        .endsWith(
            """
              "aliases": [],
              "copies": [
                {"block_idx":2,"op_index":7,"from_block_idx":0,"from":"x","to_block_idx":1,"to":"y,\\"\\n","bytes":4}
              ]
            }
            """);
  }

  @Test
  void csvHasViewsWhereThereAreAny() {
    assertThat(print(MOVING, PlanFormat.CSV))
        .isEqualTo(
            """
            block_idx,variable,arena,offset,bytes,begin,end,views
            0,x,0,8,4,0,2,
            0,x,0,8,4,5,8,
            0,x,0,9007199254740993,4,9,10,1[9007199254740993 | 2[0 16] 2[16 0]]
            1,"y,""\\x0A",0,0,4,9,10,2[0 16]
            """);
  }

  @Test
  void jsonHasPoolsWhereThereAreAny() {
    assertThat(print(POOLED, PlanFormat.JSON))
        .contains(
            """
                {"place":"gpu","bytes":8,"lower_bound":8,"proved_optimal":true,"alignment":4,"pool":"sram","capacity":64,"traffic":1152921504606846976},
                {"place":"gpu","bytes":0,"lower_bound":0,"proved_optimal":true,"alignment":4,"pool":"dram","capacity":0,"traffic":0}
            """);
  }

  /** A step arena, nested views of both types, and the copy that they make unneeded. */
  private static final MemoryPlan LOOPS =
      new MemoryPlan(
          "",
          "p",
          1,
          ExecutionOrder.SEQUENTIAL,
          ImmutableList.of(new Arena("cpu", 64, 64, 4), new Arena("cpu", 8, 8, 4).forStepsOf(3)),
          ImmutableList.of(
              new Allocation(
                  X,
                  0,
                  16,
                  4,
                  ImmutableList.of(new Interval(1, 9)),
                  Optional.of(
                      new MultiView.Rotation(
                          2,
                          Optional.of(new MultiView.FixedView(16)),
                          ImmutableList.of(
                              new MultiView.FixedView(0),
                              new MultiView.Rotation(
                                  1,
                                  Optional.empty(),
                                  ImmutableList.of(
                                      new MultiView.FixedView(4), new MultiView.FixedView(8)))))))),
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of(new UnneededCopy(2, 7, Y, X, 4)));

  @ParameterizedTest
  @EnumSource(names = {"BINARY", "TEXT", "JSON"})
  void viewsCopiesAndStepArenasAreReadBack(PlanFormat format) {
    assertThat(PlanReader.parse(PlanWriter.toBytes(LOOPS, format), "plan")).isEqualTo(LOOPS);
    assertThat(LOOPS.arenaBytes()).isEqualTo(64);
  }

  @Test
  void jsonHasViewsCopiesAndStepArenasWhereThereAreAny() {
    String json = print(LOOPS, PlanFormat.JSON);

    assertThat(json).contains("\"alignment\":4,\"step_of_block\":3}\n");
    assertThat(json)
        .contains(
            "\"views\":{\"block_idx\":2,\"first\":{\"offset\":16},\"views\":[{\"offset\":0},"
                + "{\"block_idx\":1,\"views\":[{\"offset\":4},{\"offset\":8}]}]}}\n");
    assertThat(json)
        .endsWith(
            """
              "copies": [
                {"block_idx":2,"op_index":7,"from_block_idx":1,"from":"y,\\"\\n","to_block_idx":0,"to":"x","bytes":4}
              ]
            }
            """);
  }

  @Test
  void namesAreEscapedOnlyWhereTheyMust() {
    assertThat(PlanNames.encode("conv2d_0.w_0@GRAD")).isEqualTo("conv2d_0.w_0@GRAD");
    assertThat(PlanNames.encode("\u00e9\ud83d\ude00")).isEqualTo("\u00e9\ud83d\ude00");
    assertThat(PlanNames.encode("a\udc80\udcc3\\")).isEqualTo("a\\x80\\xC3\\\\");
  }

  @Test
  void jsonHoldsEveryFieldAndIntegersAsNumbers() {
    assertThat(print(PLAN, PlanFormat.JSON))
        .isEqualTo(
            """
            {
              "point_numbering": 1,
              "program_sha256": "00ff",
              "planner": "best",
              "batch": 1,
              "arenas": [
                {"place":"cpu","bytes":18014398509481984,"lower_bound":96,"proved_optimal":false,"alignment":64},
                {"place":"gpu","bytes":0,"lower_bound":0,"proved_optimal":true,"alignment":64}
              ],
              "allocations": [
                {"block_idx":0,"variable":"x","arena":0,"offset":0,"bytes":64,"live":[{"begin":0,"end":2},{"begin":5,"end":8}]},
                {"block_idx":0,"variable":"x","arena":0,"offset":9007199254740993,"bytes":32,"live":[{"begin":9,"end":10}]},
                {"block_idx":1,"variable":"y,\\"\\n","arena":1,"offset":0,"bytes":0,"live":[]}
              ],
              "unplanned": [
                {"block_idx":2,"variable":"z","reason":"an array"}
              ],
              "aliases": [
                {"block_idx":0,"variable":"x","of_block_idx":1,"of_variable":"y,\\"\\n","kind":"in_place"}
              ]
            }
            """);
  }

  @Test
  void jsonIntegersMayBeStringsAndNamesCamelCase() {
    String json =
        """
        {"point_numbering": "1", "arenas": [{"place": "cpu", "bytes": "7", "lowerBound": 6.0,
         "alignment": 1}]}
        """;
    assertThat(PlanReader.parse(json.getBytes(UTF_8), "plan").arenas())
        .containsExactly(new Arena("cpu", 7, 6, 1));
  }

  @Test
  void csvHasARowForEachLiveInterval() {
    MemoryPlan plan =
        new MemoryPlan(
            "",
            "p",
            1,
            PLAN.arenas(),
            ImmutableList.of(
                PLAN.allocations().get(0),
                new Allocation(Y, 1, 8, 4, ImmutableList.of(new Interval(3, 4)))),
            ImmutableList.of(),
            ImmutableList.of());
    assertThat(print(plan, PlanFormat.CSV))
        .isEqualTo(
            """
            block_idx,variable,arena,offset,bytes,begin,end
            0,x,0,0,64,0,2
            0,x,0,0,64,5,8
            1,"y,""\\x0A",1,8,4,3,4
            """);
  }
}
