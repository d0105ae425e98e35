package dev.sublet.codec.plan;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import dev.sublet.testing.HandPlan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The array that TFLite Micro reads, and its JSON. */
class OfflineAllocationTest {

  private static PlanSubject tensors(String... names) {
    ImmutableList.Builder<VariableId> tensors = ImmutableList.builder();
    for (String name : names) {
      tensors.add(new VariableId(0, name));
    }
    return new PlanSubject("p", Optional.of(tensors.build()), Optional.empty());
  }

  /** A plan with what is at an offset put to another one. */
  private static MemoryPlan moved(MemoryPlan plan, long from, long to) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    for (Allocation each : plan.allocations()) {
      allocations.add(
          each.offset() == from
              ? new Allocation(each.variable(), each.arena(), to, each.bytes(), each.live())
              : each);
    }
    return new MemoryPlan(
        "", "p", 1, plan.arenas(), allocations.build(), plan.unplanned(), plan.aliases());
  }

  private static byte[] words(int... words) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int word : words) {
      bytes.putInt(word);
    }
    return bytes.array();
  }

  private static List<String> lines(DiagnosticLog log) {
    return log.diagnostics().stream().map(Diagnostic::toString).toList();
  }

  @Test
  void theArray_hasVersionSubgraphCountAndOffsets() {
    MemoryPlan plan = HandPlan.of(512, "0:b 256 16 0-2\n0:c 0 16 2-4\nunplanned 0:a");
    DiagnosticLog log = new DiagnosticLog();
    byte[] bytes = PlanWriter.toBytes(plan, PlanFormat.TFLM, tensors("a", "b", "c", "w"), log);
    assertThat(bytes).isEqualTo(words(1, 0, 4, -1, 256, 0, -1));
    // The same, byte by byte: 256 is 00 01 00 00.
    assertThat(bytes[16]).isEqualTo(0);
    assertThat(bytes[17]).isEqualTo(1);
    assertThat(log.diagnostics()).isEmpty();
  }

  @Test
  void whatCannotBeSaid_isUnplannedWithAReasonAndAWarning() {
    MemoryPlan small =
        HandPlan.of(
            1 << 20,
            """
            0:several 0 16 0-2
            0:several 64 16 4-6
            0:same 32 16 0-2
            0:same 32 16 4-6
            0:moved 1[0,16] 16 5-19
            0:far 1 16 0-2
            0:last 2 16 0-2
            1:inner 0 16 7-8
            step 1 48
            0:kept 0 16 0-4
            """);
    MemoryPlan plan = moved(moved(small, 1, 1L << 31), 2, Integer.MAX_VALUE);
    DiagnosticLog log = new DiagnosticLog();
    OfflineAllocation made =
        OfflineAllocation.of(
            plan, tensors("several", "same", "moved", "far", "last", "kept", "inner"), log);
    assertThat(made.offsets().asList())
        .containsExactly(-1, 32, -1, -1, Integer.MAX_VALUE, -1, -1)
        .inOrder();
    assertThat(made.reasons())
        .containsExactly(
            "at several offsets",
            "",
            "moved by loops",
            "at an offset of more than 31 bits",
            "",
            "in a step arena",
            "not in the plan")
        .inOrder();
    assertThat(lines(log))
        .containsExactly(
            "1 variable has no offset in an OfflineMemoryAllocation: at several offsets",
            "1 variable has no offset in an OfflineMemoryAllocation: moved by loops",
            "1 variable has no offset in an OfflineMemoryAllocation: at an offset of more than 31"
                + " bits",
            "1 variable has no offset in an OfflineMemoryAllocation: in a nested block",
            "1 variable has no offset in an OfflineMemoryAllocation: in a step arena",
            "there are offsets that are not multiples of 16, to which TFLite Micro aligns");
  }

  @Test
  void onlyTheFirstArenaOfBlock0_hasOffsets() {
    ImmutableList<Interval> live = ImmutableList.of(new Interval(0, 1));
    MemoryPlan plan =
        new MemoryPlan(
            "",
            "p",
            1,
            ImmutableList.of(
                new Arena("a", 16, 0, 16), new Arena("b", 16, 0, 16), new Arena("c", 16, 0, 16)),
            ImmutableList.of(
                new Allocation(new VariableId(0, "y"), 2, 0, 8, live),
                new Allocation(new VariableId(0, "x"), 1, 0, 8, live),
                new Allocation(new VariableId(1, "z"), 0, 0, 8, live)),
            ImmutableList.of(),
            ImmutableList.of());
    OfflineAllocation made = OfflineAllocation.of(plan, tensors("x", "y"), new DiagnosticLog());
    assertThat(made.offsets().asList()).containsExactly(0, -1).inOrder();
    assertThat(made.reasons()).containsExactly("", "in another arena").inOrder();
  }

  @Test
  void whereEverythingWouldBeLost_thatIsAnError() {
    MemoryPlan plan = HandPlan.of(64, "1:x 0 16 0-2");
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () -> OfflineAllocation.of(plan, tensors("x"), new DiagnosticLog()));
    assertThat(error)
        .hasMessageThat()
        .isEqualTo(
            "nothing of the plan can be expressed as one offset a tensor: 'x': in a nested block");
    assertThat(error.exitCode()).isEqualTo(3);
    assertThrows(ProgramException.class, () -> PlanWriter.toBytes(plan, PlanFormat.TFLM));
  }

  @Test
  void bothForms_areReadBack() {
    MemoryPlan plan = HandPlan.of(512, "0:b 256 16 0-2\n0:c 0 16 2-4\nunplanned 0:a");
    OfflineAllocation made =
        OfflineAllocation.of(plan, tensors("a", "b", "c", "\\\udc80\"\n"), new DiagnosticLog());
    assertThat(OfflineAllocationReader.isOne(made.toBytes())).isTrue();
    assertThat(OfflineAllocationReader.isOne(made.toJson())).isTrue();
    assertThat(OfflineAllocationReader.parse(made.toJson(), "f")).isEqualTo(made);
    OfflineAllocation bare = OfflineAllocationReader.parse(made.toBytes(), "f");
    assertThat(bare.offsets()).isEqualTo(made.offsets());
    assertThat(bare.names()).isEmpty();
    assertThat(bare.toBytes()).isEqualTo(made.toBytes());
    assertThat(
            bare.named(
                    ImmutableList.of(
                        new VariableId(0, "a"),
                        new VariableId(0, "b"),
                        new VariableId(0, "c"),
                        new VariableId(0, "d")))
                .names())
        .containsExactly("a", "b", "c", "d")
        .inOrder();
    assertThrows(ProgramException.class, () -> bare.named(ImmutableList.of()));
  }

  @Test
  void plansAndPrograms_areNotTakenForOne() {
    MemoryPlan plan = HandPlan.of(512, "0:b 256 16 0-2");
    for (PlanFormat format : PlanFormat.values()) {
      if (format.isComplete() || format == PlanFormat.CSV) {
        byte[] bytes = PlanWriter.toBytes(plan, format);
        assertThat(OfflineAllocationReader.isOne(bytes)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 0         | f: not an OfflineMemoryAllocation: 8 bytes are not three or more numbers of 4 bytes",
        "2 0 0       | f: an OfflineMemoryAllocation of version 2 for subgraph 0; only version 1 for subgraph 0 is known",
        "1 1 0       | f: an OfflineMemoryAllocation of version 1 for subgraph 1; only version 1 for subgraph 0 is known",
        "1 0 2 5     | f: it should have 2 offsets, but it has 1",
        "1 0 0 5     | f: it should have 0 offsets, but it has 1",
        "1 0 -1      | f: it should have -1 offsets, but it has 0",
        "1 0 2147483647 | f: it should have 2147483647 offsets, but it has 0",
        "1 0 1 -2    | f: the offset of tensor 0 is -2",
      })
  void malformedArrays_areOneLine(String text, String message) {
    String[] parts = Iterables.toArray(Splitter.on(' ').split(text.strip()), String.class);
    int[] words = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      words[i] = Integer.parseInt(parts[i]);
    }
    ProgramException error =
        assertThrows(
            ProgramException.class, () -> OfflineAllocationReader.parse(words(words), "f"));
    assertThat(error).hasMessageThat().isEqualTo(message);
    assertThat(error.exitCode()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"name\":\"OfflineMemoryAllocation\"}",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[1,0,1,1.5]}",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[1,0,1,4294967296]}",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[1,0,1,\"x\"]}",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[1,0,1,3],\"tensors\":[{},{}]}",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[1,0,1,3],\"more\":1}",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[1,0,1,3]",
        "{\"name\":\"OfflineMemoryAllocation\",\"buffer\":[[[[1]]]]}",
        "{\"name\":[]}",
      })
  void malformedJson_isOneLine(String json) {
    ProgramException error =
        assertThrows(
            ProgramException.class, () -> OfflineAllocationReader.parse(json.getBytes(UTF_8), "f"));
    assertThat(error.diagnostics()).hasSize(1);
    assertThat(error.getMessage()).startsWith("f: ");
    assertThat(error.getMessage()).doesNotContain("\n");
    assertThat(error.exitCode()).isEqualTo(3);
  }
}
