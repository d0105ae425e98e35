package dev.sublet.report.catalog;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.report.Report;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.TextTable;
import dev.sublet.runtime.machine.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the operator catalog, and how the operators are executed.
 *
 * @param catalog the catalog
 * @param specs the operators, in the order of the rows
 * @param version the program's version, which decides which in-place pairs are on; if absent, the
 *     report does not state which ones are on
 */
public record CatalogReport(
    OperatorCatalog catalog, ImmutableList<OperatorSpec> specs, OptionalLong version)
    implements Report {

  @Override
  public String text() {
    TextTable table =
        new TextTable(
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT,
            TextTable.Column.TEXT);
    table.row(
        "operator", "outputs", "control", "lod", "shapes", "runs", "view", "in place", "further");
    for (OperatorSpec spec : specs) {
      table.row(
          spec.type(),
          display(spec.effects().others()),
          display(spec.control()),
          display(spec.lod().rule()),
          spec.shapeRule() == null ? "-" : "rule",
          runs(spec),
          spec.viewRule() == null ? "-" : spec.viewRule().toString(),
          spec.inPlacePairs().isEmpty() ? "-" : String.join("; ", pairs(spec)),
          further(spec));
    }
    return table.toString();
  }

  static String display(Enum<?> value) {
    return Ascii.toLowerCase(value.name());
  }

  static String runs(OperatorSpec spec) {
    return switch (Execution.of(spec)) {
      case MICRO_OPS -> "micro ops";
      case NATIVE -> "natively";
      case NONE -> "-";
    };
  }

  /** Describes each in-place pair of an operator. */
  ImmutableList<String> pairs(OperatorSpec spec) {
    ImmutableList.Builder<String> parts = ImmutableList.builder();
    for (InPlacePair pair : spec.inPlacePairs()) {
      StringBuilder text = new StringBuilder(pair.input()).append("->").append(pair.output());
      text.append(" [").append(pair.versions()).append(']');
      if (!pair.conditionText().isEmpty()) {
        text.append(' ').append(pair.conditionText());
      }
      text.append(", ").append(evidence(spec, pair));
      if (version.isPresent()) {
        text.append(isOn(spec, pair) ? ", on" : ", off");
      }
      parts.add(text.toString());
    }
    return parts.build();
  }

  /** The evidence for an in-place pair. */
  private static String evidence(OperatorSpec spec, InPlacePair pair) {
    if (spec.isOnnx()) {
      return "by definition";
    }
    return pair.runs().any()
        ? pair.runs().names() + " and " + pair.runs().buffers() + " runs"
        : "not run";
  }

  private boolean isOn(OperatorSpec spec, InPlacePair pair) {
    return catalog.inPlacePairs(spec, version.orElse(0)).contains(pair);
  }

  static String further(OperatorSpec spec) {
    List<String> parts = new ArrayList<>();
    if (!spec.known()) {
      parts.add("not in the catalog: the worst is assumed");
    }
    for (Map.Entry<String, Effect> entry : spec.effects().listed().entrySet()) {
      parts.add(entry.getKey() + ": " + display(entry.getValue()));
    }
    addSlots(parts, "old value stays if an input is empty: ", spec.effects().keptIfEmpty());
    addSlots(parts, "arrays get more elements: ", spec.effects().addedTo());
    addSlots(parts, "modified inputs: ", spec.writtenInputs());
    addSlots(parts, "LoD is passed on from: ", spec.lod().sources());
    addSlots(parts, "LoD is replaced: ", spec.lod().replaced());
    if (spec.aliases(0)) {
      String text = "outputs share the inputs' buffers";
      parts.add(
          spec.aliasesBefore() == Long.MAX_VALUE
              ? text
              : text + " before version " + spec.aliasesBefore());
    }
    addSlots(parts, "on the host: ", spec.hostOutputs());
    addSlots(parts, "only the shape is read: ", spec.noNeedBuffer());
    return String.join("; ", parts);
  }

  private static void addSlots(List<String> parts, String text, ImmutableSet<String> slots) {
    if (!slots.isEmpty()) {
      parts.add(text + String.join(" ", slots));
    }
  }

  @Override
  public String json() {
    JsonArray operators = new JsonArray();
    for (OperatorSpec spec : specs) {
      JsonObject effects = new JsonObject();
      for (Map.Entry<String, Effect> entry : spec.effects().listed().entrySet()) {
        effects.addProperty(entry.getKey(), display(entry.getValue()));
      }
      JsonObject object = new JsonObject();
      object.addProperty("op_type", spec.type());
      object.addProperty("known", spec.known());
      object.addProperty("control", display(spec.control()));
      object.addProperty("default_effect", display(spec.effects().others()));
      object.add("output_effects", effects);
      object.add("kept_if_empty", JsonText.strings(spec.effects().keptIfEmpty()));
      object.add("added_to", JsonText.strings(spec.effects().addedTo()));
      object.add("written_inputs", JsonText.strings(spec.writtenInputs()));
      object.addProperty("lod", display(spec.lod().rule()));
      object.add("lod_sources", JsonText.strings(spec.lod().sources()));
      object.add("lod_replaced", JsonText.strings(spec.lod().replaced()));
      object.addProperty("shape_rule", spec.shapeRule() != null);
      object.addProperty("runs", display(Execution.of(spec)));
      object.add("view", jsonView(spec.viewRule()));
      object.add("in_place", jsonPairs(spec));
      object.add("host_outputs", JsonText.strings(spec.hostOutputs()));
      object.add("no_need_buffer", JsonText.strings(spec.noNeedBuffer()));
      object.addProperty("aliases", spec.aliases(version.orElse(0)));
      operators.add(object);
    }
    JsonObject object = new JsonObject();
    object.add("operators", operators);
    return JsonText.print(object);
  }

  private static JsonElement jsonView(@Nullable ViewRule rule) {
    if (rule == null) {
      return JsonNull.INSTANCE;
    }
    JsonObject object = new JsonObject();
    object.addProperty("input", rule.input());
    object.addProperty("output", rule.output());
    object.addProperty("relation", display(rule.relation()));
    return object;
  }

  private JsonArray jsonPairs(OperatorSpec spec) {
    JsonArray pairs = new JsonArray();
    for (InPlacePair pair : spec.inPlacePairs()) {
      JsonObject object = new JsonObject();
      object.addProperty("input", pair.input());
      object.addProperty("output", pair.output());
      object.addProperty("versions", pair.versions());
      object.addProperty("condition", pair.conditionText());
      object.addProperty("runs_with_one_name", pair.runs().names());
      object.addProperty("runs_with_one_buffer", pair.runs().buffers());
      if (version.isPresent()) {
        object.addProperty("on", isOn(spec, pair));
      }
      pairs.add(object);
    }
    return pairs;
  }
}
