package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The shape, sequences and value of a feed that a plan was made for, beside the batch.
 *
 * @param name the name of the feed, or of a named extent of an ONNX model
 * @param extents the shape; empty for the declared shape
 * @param sequences the offsets of the sequences, the coarsest level first; empty if they were not
 *     given
 * @param values the elements; empty if the plan holds for all
 */
public record Feed(
    String name,
    Optional<ImmutableLongArray> extents,
    ImmutableList<ImmutableLongArray> sequences,
    ImmutableLongArray values) {

  public Feed {
    requireNonNull(name, "name");
    requireNonNull(extents, "extents");
    requireNonNull(sequences, "sequences");
    requireNonNull(values, "values");
  }

  /** A feed of any value. */
  public Feed(
      String name,
      Optional<ImmutableLongArray> extents,
      ImmutableList<ImmutableLongArray> sequences) {
    this(name, extents, sequences, ImmutableLongArray.of());
  }

  /** The options of the command line for this feed, for example {@code --shape x=1,3,8,8}. */
  @Override
  public String toString() {
    List<String> said = new ArrayList<>();
    extents.ifPresent(all -> said.add("--shape " + name + "=" + joined(all)));
    if (!sequences.isEmpty()) {
      List<String> levels = new ArrayList<>();
      sequences.forEach(level -> levels.add(joined(level)));
      said.add("--lod " + name + "=" + String.join("/", levels));
    }
    if (!values.isEmpty()) {
      said.add("--value " + name + "=" + value());
    }
    return String.join(" ", said);
  }

  /** The elements with commas, as {@code --value} takes them. */
  public String value() {
    return joined(values);
  }

  private static String joined(ImmutableLongArray numbers) {
    return Joiner.on(',').join(numbers.asList());
  }
}
