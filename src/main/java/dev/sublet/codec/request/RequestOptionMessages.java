package dev.sublet.codec.request;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.sublet.codec.table.PlanNames;
import dev.sublet.proto.Extents;
import dev.sublet.proto.MemoryPool;
import dev.sublet.proto.PlanRequestOptions;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Decodes the options of a request from their message. O(size). */
final class RequestOptionMessages {

  private RequestOptionMessages() {}

  static RequestOptions fromMessage(PlanRequestOptions message) {
    ImmutableMap.Builder<String, String> words = ImmutableMap.builder();
    ImmutableMap.Builder<String, Long> numbers = ImmutableMap.builder();
    ImmutableSet.Builder<String> flags = ImmutableSet.builder();
    // getAllFields returns only fields that differ from their default, in the order of their
    // numbers.
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (!field.isRepeated() && !field.hasPresence()) {
                if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                  words.put(field.getName(), (String) value);
                } else if (field.getJavaType() == FieldDescriptor.JavaType.LONG) {
                  numbers.put(field.getName(), (Long) value);
                } else {
                  flags.add(field.getName());
                }
              }
            });
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> lod = ImmutableMap.builder();
    new TreeMap<>(message.getLodMap())
        .forEach(
            (name, sequences) ->
                lod.put(
                    PlanNames.decode(name),
                    sequences.getLevelsList().stream()
                        .map(level -> ImmutableLongArray.copyOf(level.getDimsList()))
                        .collect(ImmutableList.toImmutableList())));
    ImmutableList.Builder<RequestOptions.RequestedPool> pools = ImmutableList.builder();
    for (MemoryPool pool : message.getPoolsList()) {
      pools.add(new RequestOptions.RequestedPool(pool.getName(), pool.getCapacity()));
    }
    ImmutableMap.Builder<String, String> alias = ImmutableMap.builder();
    new TreeMap<>(message.getAliasMap())
        .forEach((feed, result) -> alias.put(PlanNames.decode(feed), PlanNames.decode(result)));
    return new RequestOptions(
        words.buildOrThrow(),
        numbers.buildOrThrow(),
        flags.build(),
        message.hasNodes() ? OptionalLong.of(message.getNodes()) : OptionalLong.empty(),
        shapes(message.getShapesMap()),
        shapes(message.getTypicalMap()),
        lod.buildOrThrow(),
        names(message.getFetchList()),
        names(message.getKeepList()),
        alias.buildOrThrow(),
        pools.build());
  }

  /** The shapes by name, in the order of the names: a map in a message has no reliable order. */
  private static ImmutableMap<String, ImmutableLongArray> shapes(Map<String, Extents> encoded) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    new TreeMap<>(encoded)
        .forEach(
            (name, shape) ->
                shapes.put(PlanNames.decode(name), ImmutableLongArray.copyOf(shape.getDimsList())));
    return shapes.buildOrThrow();
  }

  private static ImmutableSet<String> names(Iterable<String> encoded) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (String name : encoded) {
      names.add(PlanNames.decode(name));
    }
    return names.build();
  }
}
