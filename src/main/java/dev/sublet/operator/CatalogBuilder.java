package dev.sublet.operator;

import com.google.common.collect.ImmutableSortedMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the entries of the catalog. The {@code *Operators} files are written against this class
 * and {@link OperatorEntry}; a type may be listed once, wherever it is listed.
 */
final class CatalogBuilder {

  private final Map<String, OperatorEntry> entries = new LinkedHashMap<>();
  private @Nullable ShapeRule familyRule;

  /** Adds entries that have this shape rule as long as they name no other. */
  void addFamily(ShapeRule rule, Consumer<CatalogBuilder> family) {
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
  OperatorEntry add(String type) {
    OperatorEntry entry = new OperatorEntry(this, type);
    if (familyRule != null) {
      entry.shape(familyRule);
    }
    if (entries.putIfAbsent(type, entry) != null) {
      throw new IllegalStateException("operator '" + type + "' is in the catalog twice");
    }
    return entry;
  }

  /** Adds types of which there is nothing more to say. */
  void addAll(String... types) {
    for (String type : types) {
      add(type);
    }
  }

  /** Adds types, and for each its gradient, of which there is nothing more to say. */
  void addAllWithGradients(String... types) {
    for (String type : types) {
      add(type).withGradient();
    }
  }

  /** Adds types none of whose outputs is sure to be written. */
  void addAllMayWrite(String... types) {
    for (String type : types) {
      add(type).mayWriteAll();
    }
  }

  /** The entries so far, by type. */
  ImmutableSortedMap<String, OperatorSpec> build() {
    ImmutableSortedMap.Builder<String, OperatorSpec> specs = ImmutableSortedMap.naturalOrder();
    entries.forEach((type, entry) -> specs.put(type, entry.toSpec()));
    return specs.buildOrThrow();
  }
}
