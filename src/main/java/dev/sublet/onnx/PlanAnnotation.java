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
 *   <li>{@code sublet.lower_bound}: a number of bytes that no plan for the same buffers goes below;
 *   <li>{@code sublet.planner}: the planner's name;
 *   <li>{@code sublet.arenas}: a JSON array with the memory space, the bytes and the alignment of
 *       each arena;
 *   <li>{@code sublet.offsets}: a JSON object, for each planned value of the model's own graph an
 *       array of its allocations, each {@code [arena, offset, bytes]}. The keys of values of inner
 *       graphs are {@code path:name}; so are the keys of values of the model's own graph ({@code
 *       main:name}) if the name could be taken for such a path;
 *   <li>{@code sublet.moving}: a JSON array of the values whose location changes from iteration to
 *       iteration of a loop, if there are any; only the plan file contains their offsets.
 * </ul>
 */
final class PlanAnnotation {

  private static final String PREFIX = "sublet.";

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("arena_bytes", "lower_bound", "planner", "arenas", "offsets", "moving");

  private PlanAnnotation() {}

  /** Returns the model's message with the plan's metadata after the metadata of other tools. */
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
   * Returns a unique key for a value. Paths begin with {@code main/}. A node's number in a path
   * determines the text after it, so characters such as {@code /} in a function's name cannot make
   * two keys equal.
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
