package dev.sublet.codec.table;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TablePlans;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanSubject;
import dev.sublet.codec.plan.PlanWriter;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.TablePlanner;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.testing.HandPlan;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import dev.sublet.verify.plan.BufferTableValidator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Plans as tables for other planners, whose every answer must be a plan for the program. */
class PlanBuffersTest {

  private static final PlannerOptions FEW_NODES =
      new PlannerOptions(/* nodes= */ 500, /* timeoutMillis= */ 0, BufferOrder.SIZE);

  private static String table(MemoryPlan plan) {
    return table(plan, new DiagnosticLog());
  }

  private static String table(MemoryPlan plan, DiagnosticLog log) {
    return new String(
        PlanWriter.toBytes(plan, PlanFormat.BUFFERS, PlanSubject.unknown(), log), UTF_8);
  }

  private static BufferTable read(MemoryPlan plan, PlanFormat format) {
    DiagnosticLog log = new DiagnosticLog();
    BufferTable table = BufferTableReader.parse(PlanWriter.toBytes(plan, format), "t", log);
    assertThat(log.diagnostics()).isEmpty();
    return table;
  }

  private static MemoryPlan withAliases(MemoryPlan plan, Alias... aliases) {
    return new MemoryPlan(
        "",
        "p",
        1,
        plan.arenas(),
        plan.allocations(),
        plan.unplanned(),
        ImmutableList.copyOf(aliases));
  }

  private static Alias view(String variable, String of, long offset) {
    return new Alias(new VariableId(0, variable), new VariableId(0, of), Alias.VIEW, offset);
  }

  @Test
  void everyBuffer_isARow_withGapsWhereItIsNotLive() {
    MemoryPlan plan = HandPlan.of(64, "0:x 0 16 0-4 9-12\n0:y 0 32 4-9\n0:z 32 8 0-9");
    assertThat(table(plan))
        .isEqualTo(
            """
            id,lower,upper,size,offset,gaps
            x,0,12,16,0,4-9
            y,4,9,32,0,
            z,0,9,8,32,
            """);
    assertThat(new String(PlanWriter.toBytes(plan, PlanFormat.PROBLEM), UTF_8))
        .isEqualTo(
            """
            id,lower,upper,size,gaps
            x,0,12,16,4-9
            y,4,9,32,
            z,0,9,8,
            """);
  }

  @Test
  void aliases_areOneRow_evenIfTheyAreNeverLiveTogether() {
    MemoryPlan plan = HandPlan.of(64, "0:x 16 16 0-4\n0:y 24 8 4-9\n0:z 0 8 0-9\n0:y 0 8 11-12");
    DiagnosticLog log = new DiagnosticLog();
    assertThat(table(withAliases(plan, view("y", "x", 8)), log))
        .isEqualTo(
            """
            id,lower,upper,size,offset,gaps
            x,0,9,16,16,4-9@8:16
            z,0,9,8,0,
            y#2,11,12,8,0,
            """);
    assertThat(log.diagnostics().stream().map(Diagnostic::message).toList())
        .containsExactly(
            "2 allocations that must keep their distances are 1 buffer, named after the first"
                + " of each");
    assertThat(table(plan).lines().count()).isEqualTo(5);
  }

  @Test
  void whatLiesInAHoleOfABuffer_isTiedToIt() {
    // a and c are two parts of something; b is between them while both are live, d before.
    MemoryPlan plan = HandPlan.of(64, "0:a 0 8 4-9\n0:b 8 8 5-7\n0:c 16 8 2-9\n0:d 8 8 0-2");
    assertThat(table(withAliases(plan, view("c", "a", 16))))
        .isEqualTo(
            """
            id,lower,upper,size,offset,gaps
            a,2,9,24,0,2-4@16:24
            d,0,2,8,8,
            """);
  }

  @Test
  void aRowBegins_whereItsAlignmentAllows() {
    MemoryPlan plan = HandPlan.of(64, "0:x 40 8 0-2\n0:y 0 16 0-1");
    MemoryPlan aligned = plan.withArenas(ImmutableList.of(new Arena("cpu", 64, 0, 16)));
    assertThat(table(aligned))
        .isEqualTo(
            """
            id,lower,upper,size,alignment,offset,gaps
            x,0,2,16,16,32,0-2@8:16
            y,0,1,16,16,0,
            """);
  }

  @Test
  void ids_areUnique_andWithoutWhatEndsACell() {
    ImmutableList<Interval> live = ImmutableList.of(new Interval(0, 1));
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    int offset = 0;
    for (VariableId variable :
        List.of(
            new VariableId(0, "x"),
            new VariableId(0, "1:x"),
            new VariableId(0, "y#1"),
            new VariableId(0, "y"),
            new VariableId(0, "y"),
            new VariableId(1, "x"),
            new VariableId(1, " a,b\n\"c\\ "),
            new VariableId(1, ""))) {
      allocations.add(new Allocation(variable, 0, offset++, 1, live));
    }
    MemoryPlan plan =
        new MemoryPlan(
            "",
            "p",
            1,
            ImmutableList.of(new Arena("cpu", 64, 0, 1)),
            allocations.build(),
            ImmutableList.of(),
            ImmutableList.of());
    assertThat(read(plan, PlanFormat.PROBLEM).rows().stream().map(BufferTable.Row::id).toList())
        .containsExactly(
            "0:x", "1:x", "y#1", "y#1#2", "y#2", "1:x#2", "\\x20a\\x2Cb\\x0A\\x22c\\\\\\x20", "1:")
        .inOrder();
  }

  @Test
  void whatIsLeftOut_isAWarning() {
    MemoryPlan plan =
        HandPlan.of(64, "0:x 0 8 0-2\n0:e 0 0 0-2\nunplanned 0:w\nstep 1 48\n0:kept 0 16 0-4");
    DiagnosticLog log = new DiagnosticLog();
    assertThat(table(plan, log)).isEqualTo("id,lower,upper,size,offset\nx,0,2,8,0\n");
    assertThat(log.diagnostics().stream().map(Diagnostic::message).toList())
        .containsExactly(
            "a table of buffers holds the allocations of one arena, without 1 allocation of"
                + " a step arena, 1 allocation that is never there, 1 unplanned variable");
  }

  @Test
  void whatATableCannotSay_isRefused() {
    MemoryPlan moving = HandPlan.of(64, "0:x 1[0,16] 16 5-19");
    MemoryPlan steps = HandPlan.of(64, "step 1 48\n0:kept 0 16 0-4");
    MemoryPlan parallel =
        new MemoryPlan(
            "",
            "p",
            1,
            ExecutionOrder.PARALLEL,
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of());
    Map<MemoryPlan, String> expected = new HashMap<>();
    expected.put(moving, "'x' is moved by loops");
    expected.put(steps, "everything is in a step arena");
    expected.put(parallel, "in the parallel order");
    expected.forEach(
        (plan, message) -> {
          ProgramException error = assertThrows(ProgramException.class, () -> table(plan));
          assertThat(error.exitCode()).isEqualTo(3);
          assertThat(error).hasMessageThat().contains(message);
        });
  }

  /** Our planners, and one that puts buffers anywhere: the validator accepts what they find. */
  @Test
  void anyAnswerToTheTable_isAPlanForTheProgram() {
    int tied = 0;
    int windows = 0;
    int programs = LongForm.tries(/* usual= */ 24, /* all= */ 72);
    for (int seed = 0; seed < programs; seed++) {
      int size = 3 + seed % 40;
      Program program =
          seed % 2 == 0
              ? RandomPrograms.generateWithViews(seed, size)
              : RandomPrograms.generate(seed, size);
      long alignment = ImmutableList.of(1L, 16L, 32L, 64L).get(seed / 2 % 4);
      Views views = ImmutableList.copyOf(Views.values()).get(seed % 3);
      MemoryPlan plan = checkAnswers(program, alignment, views, seed);
      tied += plan.allocations().size() - read(plan, PlanFormat.BUFFERS).rows().size();
      for (BufferTable.Row row : read(plan, PlanFormat.BUFFERS).rows()) {
        windows += row.gaps().stream().anyMatch(BufferTable.TimeGap::hasWindow) ? 1 : 0;
      }
    }
    // Else the test shows little.
    assertThat(tied).isAtLeast(2 * programs / 3);
    assertThat(windows).isAtLeast(programs / 8);
  }

  @Test
  void theSame_ofWrittenPrograms() throws IOException {
    int count = 0;
    for (String folder : List.of("formats", "nested")) {
      try (Stream<Path> files = Files.walk(Path.of("testdata", folder))) {
        for (Path file : (Iterable<Path>) files.sorted()::iterator) {
          if (file.toString().endsWith(".program")) {
            checkAnswers(ProgramText.parse(Files.readString(file)), 64, Views.ALL, count++);
          }
        }
      }
    }
    assertThat(count).isAtLeast(8);
  }

  private static MemoryPlan checkAnswers(Program program, long alignment, Views views, int seed) {
    TranspileOptions options =
        TranspileOptions.defaults()
            .withLoops(LoopMode.COPY)
            .withOffsets(
                new OffsetOptions(
                        OffsetOptions.defaults().planner(),
                        alignment,
                        /* inPlace= */ seed % 3 != 0,
                        views)
                    .withSearch(FEW_NODES)
                    .withHierarchical(seed % 5 == 0));
    MemoryPlan plan = Transpiler.plan(program, options).plan();
    if (plan.allocations().stream().allMatch(each -> plan.arenas().get(each.arena()).isStep())) {
      return plan;
    }
    BufferTable planned = read(plan, PlanFormat.BUFFERS);
    BufferTable problem = read(plan, PlanFormat.PROBLEM);
    assertThat(BufferTableValidator.validate(problem, 1, planned).isValid()).isTrue();
    TablePlans.plan(planned, OffsetOptions.defaults().withAlignment(1)); // pins agree
    for (String planner : Planners.names()) {
      OffsetOptions search = new OffsetOptions(planner, 1, true, Views.NONE).withSearch(FEW_NODES);
      check(
          program,
          options,
          plan,
          TablePlanner.plan(problem, search, new DiagnosticLog()).offsets(),
          planner);
    }
    ImmutableLongArray anywhere = anywhere(problem, new Random(seed));
    assertThat(BufferTableValidator.validate(problem, 1, anywhere, Long.MAX_VALUE).isValid())
        .isTrue();
    check(program, options, plan, anywhere, "anywhere");
    return plan;
  }

  private static void check(
      Program program,
      TranspileOptions options,
      MemoryPlan plan,
      ImmutableLongArray offsets,
      String planner) {
    MemoryPlan moved = moved(plan, offsets);
    assertWithMessage("%s of\n%s\n%s", planner, ProgramText.print(program), table(plan))
        .that(Verifier.verifyPlan(program, moved, options).violations())
        .isEmpty();
  }

  /** The plan with the allocations of each row where the row is. */
  private static MemoryPlan moved(MemoryPlan plan, ImmutableLongArray offsets) {
    Map<Allocation, Long> newOffsets = new HashMap<>();
    ImmutableList<TiedBuffer> buffers = PlanBuffers.buffers(plan);
    assertThat(buffers).hasSize(offsets.length());
    int arena = buffers.isEmpty() ? 0 : buffers.get(0).members().get(0).arena();
    long end = 0;
    for (int row = 0; row < buffers.size(); row++) {
      for (Allocation member : buffers.get(row).members()) {
        long offset = member.offset() - buffers.get(row).base() + offsets.get(row);
        newOffsets.put(member, offset);
        end = Math.max(end, offset + member.bytes());
      }
    }
    List<Allocation> allocations = new ArrayList<>();
    for (Allocation each : plan.allocations()) {
      allocations.add(
          new Allocation(
              each.variable(),
              each.arena(),
              newOffsets.getOrDefault(each, each.offset()),
              each.bytes(),
              each.live()));
    }
    List<Arena> arenas = new ArrayList<>(plan.arenas());
    if (!arenas.isEmpty()) {
      Arena old = arenas.get(arena);
      arenas.set(arena, new Arena(old.place(), end, /* lowerBound= */ 0, old.alignment()));
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.order(),
        ImmutableList.copyOf(arenas),
        ImmutableList.copyOf(allocations),
        plan.unplanned(),
        plan.aliases(),
        plan.copies());
  }

  /** Rows in any order, each at the first of some random places that is free, or behind all. */
  private static ImmutableLongArray anywhere(BufferTable table, Random random) {
    List<Integer> order = new ArrayList<>();
    long sum = 0;
    for (int i = 0; i < table.rows().size(); i++) {
      order.add(i);
      sum += table.rows().get(i).size() + 64;
    }
    Collections.shuffle(order, random);
    long[] offsets = new long[order.size()];
    for (int done = 0; done < order.size(); done++) {
      int row = order.get(done);
      long alignment = table.rows().get(row).alignmentOr(1);
      long offset = Long.MAX_VALUE;
      for (int tries = 0; tries < 20 && offset == Long.MAX_VALUE; tries++) {
        long wanted = random.nextInt((int) sum) / alignment * alignment;
        boolean free = true;
        for (int other : order.subList(0, done)) {
          free &= !clash(table.rows().get(row), wanted, table.rows().get(other), offsets[other]);
        }
        offset = free ? wanted : offset;
      }
      offsets[row] = offset;
      for (int other : order.subList(0, offset == Long.MAX_VALUE ? done : 0)) {
        long end = offsets[other] + table.rows().get(other).size();
        offset = offset == Long.MAX_VALUE ? 0 : offset;
        offset = Math.max(offset, (end + alignment - 1) / alignment * alignment);
      }
      offsets[row] = offset;
    }
    return ImmutableLongArray.copyOf(offsets);
  }

  private static boolean clash(BufferTable.Row a, long offsetA, BufferTable.Row b, long offsetB) {
    for (long time = Math.max(a.lower(), b.lower());
        time < Math.min(a.upper(), b.upper());
        time++) {
      BufferTable.TimeGap bytesA = bytes(a, time);
      BufferTable.TimeGap bytesB = bytes(b, time);
      if (offsetA + bytesA.low() < offsetB + bytesB.high()
          && offsetB + bytesB.low() < offsetA + bytesA.high()
          && bytesA.hasWindow()
          && bytesB.hasWindow()) {
        return true;
      }
    }
    return false;
  }

  /** Which bytes a row occupies at a time. */
  private static BufferTable.TimeGap bytes(BufferTable.Row row, long time) {
    for (BufferTable.TimeGap gap : row.gaps()) {
      if (gap.lower() <= time && time < gap.upper()) {
        return gap;
      }
    }
    return new BufferTable.TimeGap(row.lower(), row.upper(), 0, row.size());
  }
}
