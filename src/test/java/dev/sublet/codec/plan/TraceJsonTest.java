package dev.sublet.codec.plan;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.OperatorSpans;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.HandPlan;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Traces hold what their readers need, and what the plan says. */
class TraceJsonTest {

  private static List<JsonObject> events(MemoryPlan plan, PlanSubject subject) {
    byte[] bytes = PlanWriter.toBytes(plan, PlanFormat.TRACE, subject, new DiagnosticLog());
    List<JsonObject> events = new ArrayList<>();
    JsonObject trace = JsonParser.parseString(new String(bytes, UTF_8)).getAsJsonObject();
    for (JsonElement event : trace.getAsJsonArray("traceEvents")) {
      events.add(event.getAsJsonObject());
    }
    return events;
  }

  @Test
  void randomPrograms_haveTracesThatAreRight() {
    int slices = 0;
    for (int seed = 0; seed < 60; seed++) {
      slices += check(RandomPrograms.generate(seed, 12), "seed " + seed);
      slices +=
          check(ProgramText.parse(RandomLoops.generate(seed, seed % 2 == 0)), "loops " + seed);
    }
    assertThat(slices).isGreaterThan(1000);
  }

  private static int check(Program program, String what) {
    MemoryPlan plan = Transpiler.plan(program, TranspileOptions.defaults()).plan();
    List<JsonObject> events = events(plan, PlanSubject.of(program, OperatorSpans.of(program)));
    checkNoOverlap(events, what);
    for (int arena = 0; arena < plan.arenas().size(); arena++) {
      assertWithMessage("%s, arena %s", what, arena)
          .that(largestCounter(events, arena + 2))
          .isEqualTo(peak(plan, arena));
    }
    checkSlices(events, plan, what);
    return events.size();
  }

  private static void checkNoOverlap(List<JsonObject> events, String what) {
    Map<String, TreeMap<Long, Long>> threads = new HashMap<>();
    for (JsonObject event : events) {
      if (event.get("ph").getAsString().equals("X")) {
        long begin = event.get("ts").getAsLong();
        long end = begin + event.get("dur").getAsLong();
        TreeMap<Long, Long> thread =
            threads.computeIfAbsent(
                event.get("pid") + "/" + event.get("tid"), key -> new TreeMap<>());
        Map.Entry<Long, Long> before = thread.lowerEntry(end);
        assertWithMessage("%s: %s", what, event)
            .that(before == null || before.getValue() <= begin)
            .isTrue();
        thread.put(begin, end);
      }
    }
    assertThat(threads).isNotEmpty();
  }

  private static long largestCounter(List<JsonObject> events, int process) {
    long largest = 0;
    for (JsonObject event : events) {
      if (event.get("ph").getAsString().equals("C") && event.get("pid").getAsInt() == process) {
        largest = Math.max(largest, event.getAsJsonObject("args").get("bytes").getAsLong());
      }
    }
    return largest;
  }

  /** Counted naively: at every point where something begins, interval by interval. */
  private static long peak(MemoryPlan plan, int arena) {
    TreeSet<Long> ends = new TreeSet<>();
    TreeSet<Integer> points = new TreeSet<>();
    for (Allocation allocation : plan.allocations()) {
      ends.add(allocation.offset());
      ends.add(allocation.offset() + allocation.bytes());
      allocation.live().forEach(live -> points.add(live.begin()));
    }
    long peak = 0;
    for (int point : points) {
      long bytes = 0;
      for (long low : ends.headSet(ends.isEmpty() ? 0L : ends.last())) {
        bytes += isCovered(plan, arena, point, low) ? ends.higher(low) - low : 0;
      }
      peak = Math.max(peak, bytes);
    }
    return peak;
  }

  private static boolean isCovered(MemoryPlan plan, int arena, int point, long low) {
    for (Allocation allocation : plan.allocations()) {
      if (allocation.arena() == arena
          && allocation.offset() <= low
          && low < allocation.offset() + allocation.bytes()) {
        for (Interval live : allocation.live()) {
          if (live.begin() <= point && point < live.end()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Each live interval is there once, on a track that is named for its address. */
  private static void checkSlices(List<JsonObject> events, MemoryPlan plan, String what) {
    Map<String, String> tracks = new HashMap<>();
    List<String> found = new ArrayList<>();
    for (JsonObject event : events) {
      String thread = event.get("pid") + "/" + event.get("tid");
      JsonObject args = event.getAsJsonObject("args");
      if (event.get("name").getAsString().equals("thread_name")) {
        tracks.put(thread, args.get("name").getAsString());
      } else if (event.get("ph").getAsString().equals("X") && event.get("pid").getAsInt() > 1) {
        assertThat(tracks.get(thread)).startsWith("offset " + args.get("offset"));
        found.add(
            event.get("name").getAsString()
                + args.get("block")
                + args.get("arena")
                + args.get("offset")
                + args.get("bytes")
                + event.get("ts")
                + event.get("dur"));
      }
    }
    List<String> expected = new ArrayList<>();
    for (Allocation allocation : plan.allocations()) {
      for (Interval live : allocation.live()) {
        expected.add(
            PlanNames.encode(allocation.variable().name())
                + allocation.variable().block()
                + allocation.arena()
                + allocation.offset()
                + allocation.bytes()
                + live.begin()
                + (live.end() - live.begin()));
      }
    }
    assertWithMessage(what).that(found).containsExactlyElementsIn(expected);
  }

  @Test
  void aliases_areOnTracksOfTheSameAddress() {
    MemoryPlan plan = HandPlan.of(16, "0:x 0 8 0-9\n0:y 0 8 2-5\n0:z 0 8 6-7\n0:w 8 8 9-12\n");
    List<String> names = new ArrayList<>();
    for (JsonObject event : events(plan, PlanSubject.unknown())) {
      String name = event.get("name").getAsString();
      if (name.equals("thread_name")) {
        names.add(event.getAsJsonObject("args").get("name").getAsString());
      } else if (event.get("ph").getAsString().equals("X")) {
        names.add(name + " on " + event.get("tid"));
      }
    }
    assertThat(names)
        .containsExactly(
            "offset 0", "offset 0 (2)", "offset 8", "x on 1", "y on 2", "z on 2", "w on 3")
        .inOrder();
  }

  @Test
  void withoutTheProgram_thereAreNoOperators_andANoteSaysSo() {
    DiagnosticLog log = new DiagnosticLog();
    MemoryPlan plan = HandPlan.of(8, "0:x 0 8 0-2");
    PlanWriter.toBytes(plan, PlanFormat.TRACE, PlanSubject.unknown(), log);
    assertThat(log.diagnostics().get(0).message())
        .isEqualTo("the trace has no operators, because the program is not at hand");
  }

  @Test
  void controlOperators_lastUntilTheirExit_onTheTrackOfTheirBlock() {
    Program program = ProgramText.parse(RandomLoops.generate(1, true));
    ImmutableList<String> loops =
        OperatorSpans.of(program).stream()
            .filter(span -> span.type().equals("while"))
            .map(span -> span.block() + ": " + (span.end() - span.begin() > 2))
            .collect(ImmutableList.toImmutableList());
    assertThat(loops).containsExactly("0: true", "1: true").inOrder();
  }

  @Test
  void pointsBeforeTheBeginning_areRefused() {
    byte[] json =
        ("{\"point_numbering\": 1, \"arenas\": [{\"place\": \"cpu\", \"bytes\": 8, \"alignment\": 1}],"
                + " \"allocations\": [{\"variable\": \"x\", \"bytes\": 8, \"live\": [{\"begin\": -4}]}]}")
            .getBytes(UTF_8);
    MemoryPlan plan = PlanReader.parse(json, "p");
    ProgramException error =
        assertThrows(ProgramException.class, () -> PlanWriter.toBytes(plan, PlanFormat.TRACE));
    assertThat(error).hasMessageThat().isEqualTo("'x' is live in [-4, 0), but time begins at 0");
  }
}
