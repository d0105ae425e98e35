package dev.sublet.loop;

import com.google.protobuf.ByteString;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Copies that are meant to happen at the same time, written one after the other: first those whose
 * target nobody still copies; a circle is opened by saving one target in a temporary. O(n²) for the
 * few variables of a loop.
 *
 * <p>Source: the usual way to take a register allocator's parallel moves apart.
 */
final class ParallelCopies {

  /** What each target that is still to be written gets. */
  private final Map<ByteString, ByteString> sources;

  ParallelCopies(Map<ByteString, ByteString> sources) {
    this.sources = new LinkedHashMap<>(sources);
  }

  /**
   * Writes the copies.
   *
   * @param temporary makes a variable like a target
   */
  void write(BlockDesc.Builder block, UnaryOperator<ByteString> temporary) {
    while (!sources.isEmpty()) {
      ByteString free = findFree();
      if (free != null) {
        addCopy(block, sources.remove(free), free);
        continue;
      }
      ByteString saved = sources.keySet().iterator().next();
      ByteString copy = temporary.apply(saved);
      addCopy(block, saved, copy);
      sources.replaceAll((target, source) -> source.equals(saved) ? copy : source);
    }
  }

  private @Nullable ByteString findFree() {
    for (ByteString target : sources.keySet()) {
      if (!sources.containsValue(target)) {
        return target;
      }
    }
    return null;
  }

  private static void addCopy(BlockDesc.Builder block, ByteString from, ByteString to) {
    OpDesc.Builder copy = OpDesc.newBuilder().setType("assign");
    copy.addInputsBuilder().setParameter("X").addArgumentsBytes(from);
    copy.addOutputsBuilder().setParameter("Out").addArgumentsBytes(to);
    block.addOps(copy);
  }
}
