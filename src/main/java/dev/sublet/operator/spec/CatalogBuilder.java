package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.sublet.operator.infer.ShapeRule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the entries of the catalog. The {@code *Operators} files are written against this class
 * and {@link OperatorEntry}; a type may be listed once, wherever it is listed.
 */
public final class CatalogBuilder {

  private final Map<String, OperatorEntry> entries = new LinkedHashMap<>();
  private @Nullable ShapeRule familyRule;

  /** Adds entries that have this shape rule as long as they name no other. */
  public void addFamily(ShapeRule rule, Consumer<CatalogBuilder> family) {
    familyRule = rule;
    family.accept(this);
    familyRule = null;
  }

  /**
   * Starts the entry of a type. As long as nothing more is said, the operator writes all its
   * outputs entirely, passes LoD on, and has no in-place pair.
   *
   * @throws IllegalStateException if the type is listed already
   */
  public OperatorEntry add(String type) {
    OperatorEntry entry = new OperatorEntry(this, type);
    if (familyRule != null) {
      entry.shape(familyRule);
    }
    if (entries.putIfAbsent(type, entry) != null) {
      throw new IllegalStateException("operator '" + type + "' is in the catalog twice");
    }
    return entry;
  }

  /** Starts the entry of an operator of ONNX: its outputs are written, and carry no LoD. */
  public OperatorEntry addOnnx(String type) {
    return add(type).clearsLod();
  }

  /** Adds operators of ONNX with this shape rule of which there is nothing more to say. */
  public void addAllOnnx(ShapeRule rule, String... types) {
    for (String type : types) {
      addOnnx(type).shape(rule);
    }
  }

  /** Adds operators of ONNX whose output 0 can be computed in the buffer of these inputs. */
  public void addAllOnnxInPlace(ShapeRule rule, ImmutableList<String> inputs, String... types) {
    for (String type : types) {
      OperatorEntry entry = addOnnx(type).shape(rule);
      inputs.forEach(input -> entry.inPlace(input, "0", InPlaceVersions.DEFINITION));
    }
  }

  /** Adds types of which there is nothing more to say. */
  public void addAll(String... types) {
    for (String type : types) {
      add(type);
    }
  }

  /** Adds types, and for each its gradient, of which there is nothing more to say. */
  public void addAllWithGradients(String... types) {
    for (String type : types) {
      add(type).withGradient();
    }
  }

  /** Adds types none of whose outputs is sure to be written. */
  public void addAllMayWrite(String... types) {
    for (String type : types) {
      add(type).mayWriteAll();
    }
  }

  /** The entries so far, by type. */
  public ImmutableSortedMap<String, OperatorSpec> build() {
    ImmutableSortedMap.Builder<String, OperatorSpec> specs = ImmutableSortedMap.naturalOrder();
    entries.forEach((type, entry) -> specs.put(type, entry.toSpec()));
    return specs.buildOrThrow();
  }
}
