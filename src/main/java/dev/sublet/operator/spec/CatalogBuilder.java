package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import dev.sublet.operator.infer.ShapeRule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the entries of the operator catalog. The {@code *Operators} classes use this class and
 * {@link OperatorEntry}. A type may be listed only once, in one family.
 */
public final class CatalogBuilder {

  private final Map<String, OperatorEntry> entries = new LinkedHashMap<>();
  private final Map<String, String> families = new LinkedHashMap<>();
  private String family = "";
  private @Nullable ShapeRule familyRule;

  /** Returns this builder; the entries that are added next belong to the given family. */
  public CatalogBuilder under(String name) {
    family = name;
    return this;
  }

  /** The family of each type that has been added. */
  public ImmutableMap<String, String> families() {
    return ImmutableMap.copyOf(families);
  }

  /**
   * Adds a family of entries. Each entry has the given shape rule unless it declares another one.
   */
  public void addFamily(ShapeRule rule, Consumer<CatalogBuilder> family) {
    familyRule = rule;
    family.accept(this);
    familyRule = null;
  }

  /**
   * Starts the entry of a type. By default, the operator writes all its outputs entirely, passes
   * LoD on, and has no in-place pair.
   *
   * @throws IllegalStateException if the type is listed already
   */
  public OperatorEntry add(String type) {
    OperatorEntry entry = new OperatorEntry(this, type);
    if (familyRule != null) {
      entry.shape(familyRule);
    }
    families.put(type, family);
    if (entries.putIfAbsent(type, entry) != null) {
      throw new IllegalStateException("operator '" + type + "' is in the catalog twice");
    }
    return entry;
  }

  /**
   * Starts the entry of an ONNX operator, which writes its outputs entirely and clears their LoD.
   */
  public OperatorEntry addOnnx(String type) {
    return add(type).clearsLod();
  }

  /** Adds ONNX operators with the given shape rule and default properties. */
  public void addAllOnnx(ShapeRule rule, String... types) {
    for (String type : types) {
      addOnnx(type).shape(rule);
    }
  }

  /**
   * Adds ONNX operators whose output 0 can be computed in the buffer of any of the given inputs.
   */
  public void addAllOnnxInPlace(ShapeRule rule, ImmutableList<String> inputs, String... types) {
    for (String type : types) {
      OperatorEntry entry = addOnnx(type).shape(rule);
      inputs.forEach(input -> entry.inPlace(input, "0", InPlaceVersions.DEFINITION));
    }
  }

  /** Adds types with default properties. */
  public void addAll(String... types) {
    for (String type : types) {
      add(type);
    }
  }

  /** Adds types and their gradient operators, with default properties. */
  public void addAllWithGradients(String... types) {
    for (String type : types) {
      add(type).withGradient();
    }
  }

  /** Adds types whose outputs are not certain to be written. */
  public void addAllMayWrite(String... types) {
    for (String type : types) {
      add(type).mayWriteAll();
    }
  }

  /**
   * Sets the order that operators keep apart from their arguments.
   *
   * @throws IllegalStateException if a type has not been added
   */
  public void order(OrderRule rule, String... types) {
    for (String type : types) {
      entry(type).keepsOrder(rule);
    }
  }

  /**
   * Declares that a runtime rejects all inputs that the shape rules of some types reject, as runs
   * have confirmed.
   *
   * @throws IllegalStateException if a type has not been added
   */
  public void rejectSurely(String... types) {
    for (String type : types) {
      entry(type).rejectsSurely();
    }
  }

  private OperatorEntry entry(String type) {
    OperatorEntry entry = entries.get(type);
    if (entry == null) {
      throw new IllegalStateException("operator '" + type + "' is not in the catalog");
    }
    return entry;
  }

  /** The types of a family that have been added, in order. */
  public ImmutableList<String> types(String name) {
    ImmutableList.Builder<String> types = ImmutableList.builder();
    families.forEach(
        (type, each) -> {
          if (each.equals(name)) {
            types.add(type);
          }
        });
    return types.build();
  }

  /** Returns the specifications of all entries so far, by type. */
  public ImmutableSortedMap<String, OperatorSpec> build() {
    ImmutableSortedMap.Builder<String, OperatorSpec> specs = ImmutableSortedMap.naturalOrder();
    entries.forEach((type, entry) -> specs.put(type, entry.toSpec()));
    return specs.buildOrThrow();
  }
}
