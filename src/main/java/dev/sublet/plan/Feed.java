package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a plan was told of a feed, beside the batch: its bytes hold for that.
 *
 * @param name the feed; of an ONNX model perhaps an extent with a name
 * @param extents its shape; empty for the declared one
 * @param sequences where its sequences begin and end, the coarsest level first; none if they were
 *     not given
 */
public record Feed(
    String name,
    Optional<ImmutableLongArray> extents,
    ImmutableList<ImmutableLongArray> sequences) {

  public Feed {
    requireNonNull(name, "name");
    requireNonNull(extents, "extents");
    requireNonNull(sequences, "sequences");
  }

  /** As the command line says it, say {@code --shape x=1,3,8,8}. */
  @Override
  public String toString() {
    List<String> said = new ArrayList<>();
    extents.ifPresent(all -> said.add("--shape " + name + "=" + joined(all)));
    if (!sequences.isEmpty()) {
      List<String> levels = new ArrayList<>();
      sequences.forEach(level -> levels.add(joined(level)));
      said.add("--lod " + name + "=" + String.join("/", levels));
    }
    return String.join(" ", said);
  }

  private static String joined(ImmutableLongArray numbers) {
    return Joiner.on(',').join(numbers.asList());
  }
}
