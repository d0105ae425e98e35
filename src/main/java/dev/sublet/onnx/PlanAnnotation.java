package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.StringStringEntryProto;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A plan as metadata of a model, under keys that begin with {@code sublet.}:
 *
 * <ul>
 *   <li>{@code sublet.arena_bytes}: the bytes of all arenas together, in decimal;
 *   <li>{@code sublet.lower_bound}: no plan for the same buffers is smaller;
 *   <li>{@code sublet.planner}: the planner's name;
 *   <li>{@code sublet.arenas}: a JSON array, for each arena its place, bytes and alignment;
 *   <li>{@code sublet.offsets}: a JSON object, for each planned value of the model's own graph an
 *       array of its allocations, each {@code [arena, offset, bytes]}; values of inner graphs are
 *       called {@code path:name}, and so are those of the model's own graph ({@code main:name})
 *       whose name begins as such paths do;
 *   <li>{@code sublet.moving}: a JSON array of the values whose place changes from iteration to
 *       iteration of a loop, if there are any: their offsets are in the plan alone.
 * </ul>
 */
final class PlanAnnotation {

  private static final String PREFIX = "sublet.";

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("arena_bytes", "lower_bound", "planner", "arenas", "offsets", "moving");

  private PlanAnnotation() {}

  /** The model's message with the plan's metadata behind that of others. */
  static ModelProto of(OnnxModel model, MemoryPlan plan) {
    ModelProto.Builder message = model.toMessage().toBuilder().clearMetadataProps();
    for (StringStringEntryProto entry : model.toMessage().getMetadataPropsList()) {
      if (!isOurs(entry.getKey())) {
        message.addMetadataProps(entry);
      }
    }
    put(message, "arena_bytes", Long.toString(plan.arenaBytes()));
    put(message, "lower_bound", Long.toString(plan.lowerBound()));
    put(message, "planner", plan.planner());
    put(message, "arenas", arenas(plan).toString());
    addOffsets(message, model.values(), plan);
    return message.build();
  }

  private static boolean isOurs(String key) {
    return key.startsWith(PREFIX) && KEYS.contains(key.substring(PREFIX.length()));
  }

  private static void put(ModelProto.Builder message, String key, String value) {
    message.addMetadataPropsBuilder().setKey(PREFIX + key).setValue(value);
  }

  private static JsonArray arenas(MemoryPlan plan) {
    JsonArray arenas = new JsonArray();
    for (Arena arena : plan.arenas()) {
      JsonObject described = new JsonObject();
      described.addProperty("place", arena.place());
      described.addProperty("bytes", arena.bytes());
      described.addProperty("alignment", arena.alignment());
      arenas.add(described);
    }
    return arenas;
  }

  private static void addOffsets(
      ModelProto.Builder message, ImmutableList<OnnxValue> values, MemoryPlan plan) {
    ImmutableListMultimap<VariableId, Allocation> allocations = plan.allocationsByVariable();
    JsonObject offsets = new JsonObject();
    Set<String> moving = new LinkedHashSet<>();
    for (OnnxValue value : values) {
      String name = key(value);
      List<Allocation> planned = allocations.get(value.variable());
      if (planned.stream().anyMatch(allocation -> allocation.views().isPresent())) {
        moving.add(name);
      } else if (!planned.isEmpty()) {
        offsets.add(name, places(planned));
      }
    }
    put(message, "offsets", offsets.toString());
    if (!moving.isEmpty()) {
      JsonArray names = new JsonArray();
      moving.forEach(names::add);
      put(message, "moving", names.toString());
    }
  }

  /**
   * What a value is called, and no other one. Paths begin with {@code main/}; within them the
   * node's number says what comes behind it, so that what its name holds makes no difference.
   */
  private static String key(OnnxValue value) {
    boolean isPlain =
        value.isInMainGraph()
            && !value.name().startsWith(OnnxValue.MAIN + "/")
            && !value.name().startsWith(OnnxValue.MAIN + ":");
    return isPlain ? value.name() : value.graph() + ":" + value.name();
  }

  private static JsonArray places(List<Allocation> planned) {
    JsonArray places = new JsonArray();
    for (Allocation allocation : planned) {
      JsonArray place = new JsonArray();
      place.add(allocation.arena());
      place.add(allocation.offset());
      place.add(allocation.bytes());
      places.add(place);
    }
    return places;
  }
}
