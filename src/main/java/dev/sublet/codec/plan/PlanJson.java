package dev.sublet.codec.plan;

import com.google.common.io.CharStreams;
import com.google.common.primitives.ImmutableLongArray;
import com.google.gson.stream.JsonWriter;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Feed;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import java.io.IOException;

/**
 * Prints a plan as JSON for scripts. The fields are those of {@code plan.proto}, in its order.
 * Every field is present, except those of order, pools, views, slots, copies, step arenas and
 * feeds, which may be absent. Integers are numbers. Each element of a list is on a line of its own,
 * so that plans can be compared line by line.
 *
 * <p>Protobuf's own printer is not used, because it writes 64-bit integers as strings and builds a
 * tree first.
 */
final class PlanJson {

  private static final String INDENT = "  ";

  private final JsonWriter json;

  private PlanJson(JsonWriter json) {
    this.json = json;
    json.setIndent(INDENT);
  }

  static String print(MemoryPlan plan) {
    StringBuilder text = new StringBuilder();
    // A StringWriter would take a lock for each of its characters.
    try (JsonWriter json = new JsonWriter(CharStreams.asWriter(text))) {
      new PlanJson(json).write(plan);
    } catch (IOException e) {
      throw new IllegalStateException("a string can always be written to", e);
    }
    return text.append('\n').toString();
  }

  private void write(MemoryPlan plan) throws IOException {
    json.beginObject();
    json.name("point_numbering").value(PlanMessages.POINT_NUMBERING);
    json.name("program_sha256").value(plan.programSha256());
    json.name("planner").value(plan.planner());
    json.name("batch").value(plan.batch());
    if (!PlanMessages.order(plan.order()).isEmpty()) {
      json.name("order").value(PlanMessages.order(plan.order()));
    }
    json.name("arenas").beginArray();
    for (Arena arena : plan.arenas()) {
      write(arena);
    }
    json.endArray();
    json.name("allocations").beginArray();
    for (Allocation allocation : plan.allocations()) {
      write(allocation);
    }
    json.endArray();
    json.name("unplanned").beginArray();
    for (Unplanned unplanned : plan.unplanned()) {
      beginLine();
      writeVariable("block_idx", "variable", unplanned.variable());
      json.name("reason").value(unplanned.reason());
      endLine();
    }
    json.endArray();
    json.name("aliases").beginArray();
    for (Alias alias : plan.aliases()) {
      beginLine();
      writeVariable("block_idx", "variable", alias.variable());
      writeVariable("of_block_idx", "of_variable", alias.of());
      json.name("kind").value(alias.kind());
      if (alias.kind().equals(Alias.VIEW)) {
        json.name("offset").value(alias.offset());
      }
      endLine();
    }
    json.endArray();
    if (!plan.copies().isEmpty()) {
      json.name("copies").beginArray();
      for (UnneededCopy copy : plan.copies()) {
        write(copy);
      }
      json.endArray();
    }
    if (!plan.feeds().isEmpty()) {
      json.name("feeds").beginArray();
      for (Feed feed : plan.feeds()) {
        write(feed);
      }
      json.endArray();
    }
    json.endObject();
  }

  private void write(Feed feed) throws IOException {
    beginLine();
    json.name("name").value(PlanNames.encode(feed.name()));
    if (feed.extents().isPresent()) {
      json.name("shape").beginObject();
      writeNumbers("extents", feed.extents().get());
      json.endObject();
    }
    if (!feed.sequences().isEmpty()) {
      json.name("levels").beginArray();
      for (ImmutableLongArray level : feed.sequences()) {
        json.beginObject();
        writeNumbers("offsets", level);
        json.endObject();
      }
      json.endArray();
    }
    if (!feed.values().isEmpty()) {
      writeNumbers("values", feed.values());
    }
    endLine();
  }

  private void writeNumbers(String name, ImmutableLongArray numbers) throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < numbers.length(); i++) {
      json.value(numbers.get(i));
    }
    json.endArray();
  }

  private void write(UnneededCopy copy) throws IOException {
    beginLine();
    json.name("block_idx").value(copy.block());
    json.name("op_index").value(copy.operator());
    writeVariable("from_block_idx", "from", copy.from());
    writeVariable("to_block_idx", "to", copy.to());
    json.name("bytes").value(copy.bytes());
    endLine();
  }

  private void write(Arena arena) throws IOException {
    beginLine();
    json.name("place").value(arena.place());
    json.name("bytes").value(arena.bytes());
    json.name("lower_bound").value(arena.lowerBound());
    json.name("proved_optimal").value(arena.isProvedOptimal());
    json.name("alignment").value(arena.alignment());
    if (arena.pool().isPresent()) {
      json.name("pool").value(arena.pool().get().name());
      json.name("capacity").value(PlanMessages.capacity(arena.pool().get()));
      json.name("traffic").value(arena.traffic());
    }
    if (arena.isStep()) {
      json.name("step_of_block").value(arena.stepOfBlock());
    }
    endLine();
  }

  private void write(Allocation allocation) throws IOException {
    beginLine();
    writeVariable("block_idx", "variable", allocation.variable());
    json.name("arena").value(allocation.arena());
    json.name("offset").value(allocation.offset());
    json.name("bytes").value(allocation.bytes());
    json.name("live").beginArray();
    for (Interval interval : allocation.live()) {
      json.beginObject();
      json.name("begin").value(interval.begin());
      json.name("end").value(interval.end());
      json.endObject();
    }
    json.endArray();
    if (allocation.views().isPresent()) {
      json.name("views");
      write(allocation.views().get());
    }
    if (allocation.slots() > 1) {
      json.name("slots").value(allocation.slots());
    }
    endLine();
  }

  private void write(MultiView view) throws IOException {
    json.beginObject();
    if (view instanceof MultiView.FixedView fixed) {
      json.name("offset").value(fixed.offset());
    } else {
      MultiView.Rotation rotation = (MultiView.Rotation) view;
      json.name("block_idx").value(rotation.block());
      if (rotation.first().isPresent()) {
        json.name("first");
        write(rotation.first().get());
      }
      json.name("views").beginArray();
      for (MultiView each : rotation.views()) {
        write(each);
      }
      json.endArray();
    }
    json.endObject();
  }

  private void writeVariable(String block, String name, VariableId variable) throws IOException {
    json.name(block).value(variable.block());
    json.name(name).value(PlanNames.encode(variable.name()));
  }

  /**
   * Begins an element on a line of its own: without an indent, the writer breaks no line inside it.
   */
  private void beginLine() throws IOException {
    json.beginObject();
    json.setIndent("");
  }

  private void endLine() throws IOException {
    json.endObject();
    json.setIndent(INDENT);
  }
}
