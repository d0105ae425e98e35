package dev.sublet.codec.plan;

import com.google.common.collect.ImmutableList;
import com.google.gson.stream.JsonWriter;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.codec.table.PlanTable;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.OperatorSpan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.program.Names;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prints a plan as a trace for Perfetto and Chrome, one event per line; one program point is one
 * microsecond.
 *
 * <p>Process 1 contains the operators, one thread per block. Each arena is a process of its own,
 * from process 2 on. An arena has a complete event for each live interval of an allocation, on the
 * threads of {@link TraceLanes}, and a counter of the live bytes, in which bytes that several
 * variables share count once. No two complete events of a thread overlap. A variable that moves in
 * loops is shown at its place before the first iteration; an argument of its event lists all its
 * places.
 *
 * <p>Source: "Trace Event Format", phases X, C and M.
 */
final class TraceJson {

  private static final String INDENT = "  ";
  private static final int OPERATORS = 1;
  private static final int FIRST_ARENA = 2;

  private final MemoryPlan plan;
  private final JsonWriter json;

  private TraceJson(MemoryPlan plan, JsonWriter json) {
    this.plan = plan;
    this.json = json;
    json.setIndent(INDENT);
  }

  static String print(MemoryPlan plan, PlanSubject subject, DiagnosticLog log) {
    checkPoints(plan);
    if (subject.operators().isEmpty()) {
      log.note(
          Location.nowhere(), "the trace has no operators, because the program is not at hand");
    }
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      new TraceJson(plan, json).write(subject);
    } catch (IOException e) {
      throw new IllegalStateException("a string can always be written to", e);
    }
    return text.append('\n').toString();
  }

  private static void checkPoints(MemoryPlan plan) {
    for (Allocation allocation : plan.allocations()) {
      if (!allocation.live().isEmpty() && allocation.live().get(0).begin() < 0) {
        throw ProgramException.unreadable(
            Location.nowhere(),
            "'"
                + Names.display(allocation.variable().name())
                + "' is live in "
                + allocation.live().get(0)
                + ", but time begins at 0");
      }
    }
  }

  private void write(PlanSubject subject) throws IOException {
    json.beginObject();
    json.name("displayTimeUnit").value("ns");
    json.name("otherData").beginObject();
    json.name("planner").value(plan.planner());
    json.name("program_sha256").value(plan.programSha256());
    json.name("time").value("1 us is a program point; operator k reads at 2k and writes at 2k + 1");
    json.endObject();
    json.name("traceEvents").beginArray();
    if (subject.operators().isPresent()) {
      writeOperators(subject.operators().get());
    }
    for (int arena = 0; arena < plan.arenas().size(); arena++) {
      writeArena(arena);
    }
    json.endArray();
    json.endObject();
  }

  private void writeOperators(ImmutableList<OperatorSpan> operators) throws IOException {
    writeName("process_name", OPERATORS, 0, "operators");
    Set<Integer> blocks = new TreeSet<>();
    for (OperatorSpan operator : operators) {
      blocks.add(operator.block());
    }
    for (int block : blocks) {
      writeName("thread_name", OPERATORS, block + 1, "block " + block);
    }
    Set<Long> unneeded = new HashSet<>();
    for (UnneededCopy copy : plan.copies()) {
      unneeded.add(key(copy.block(), copy.operator()));
    }
    for (OperatorSpan operator : operators) {
      beginSlice(
          Names.display(operator.type()),
          OPERATORS,
          operator.block() + 1,
          operator.begin(),
          operator.end());
      json.name("block").value(operator.block());
      json.name("op").value(operator.index());
      if (unneeded.contains(key(operator.block(), operator.index()))) {
        json.name("needed").value(false);
      }
      endEvent();
    }
  }

  private static long key(int block, int operator) {
    return ((long) block << 32) | operator;
  }

  private void writeArena(int arena) throws IOException {
    int process = FIRST_ARENA + arena;
    writeName(
        "process_name",
        process,
        0,
        "arena " + arena + ": " + ArenaLabels.of(plan.arenas().get(arena)));
    TraceLanes lanes = TraceLanes.of(plan, arena);
    ImmutableList<String> names = lanes.names();
    for (int lane = 0; lane < names.size(); lane++) {
      writeName("thread_name", process, lane + 1, names.get(lane));
      beginEvent("thread_sort_index", "M", process, lane + 1);
      json.name("sort_index").value(lane + 1);
      endEvent();
    }
    for (TraceLanes.Slice slice : lanes.slices()) {
      writeSlice(plan.allocations().get(slice.allocation()), slice, process);
    }
    ImmutableList<LivePoints.Change> changes = LivePoints.of(plan, arena);
    for (LivePoints.Change change : changes) {
      beginEvent("live bytes", "C", process, 0, change.point());
      json.name("bytes").value(change.bytes());
      endEvent();
    }
  }

  private void writeSlice(Allocation allocation, TraceLanes.Slice slice, int process)
      throws IOException {
    String name = PlanNames.encode(allocation.variable().name());
    Interval live = slice.live();
    beginSlice(name, process, slice.lane() + 1, live.begin(), live.end());
    json.name("variable").value(name);
    json.name("block").value(allocation.variable().block());
    json.name("arena").value(allocation.arena());
    json.name("offset").value(allocation.offset());
    json.name("bytes").value(allocation.bytes());
    if (allocation.views().isPresent()) {
      json.name("views").value(PlanTable.text(allocation.views().get()));
    }
    endEvent();
  }

  private void writeName(String what, int process, int thread, String name) throws IOException {
    beginEvent(what, "M", process, thread);
    json.name("name").value(name);
    endEvent();
  }

  private void beginSlice(String name, int process, int thread, int begin, int end)
      throws IOException {
    json.beginObject();
    json.setIndent("");
    json.name("name").value(name);
    json.name("ph").value("X");
    json.name("pid").value(process);
    json.name("tid").value(thread);
    json.name("ts").value(begin);
    json.name("dur").value((long) end - begin);
    json.name("args").beginObject();
  }

  private void beginEvent(String name, String phase, int process, int thread, int... time)
      throws IOException {
    json.beginObject();
    json.setIndent("");
    json.name("name").value(name);
    json.name("ph").value(phase);
    json.name("pid").value(process);
    json.name("tid").value(thread);
    for (int point : time) {
      json.name("ts").value(point);
    }
    json.name("args").beginObject();
  }

  private void endEvent() throws IOException {
    json.endObject();
    json.endObject();
    json.setIndent(INDENT);
  }
}
