package dev.sublet.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.VisibleText;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Names;
import dev.sublet.program.VariableId;
import java.util.List;

/** The pieces of JSON that several reports have in common. */
final class JsonText {

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  private JsonText() {}

  /** An object as text, indented, keys in the order in which they were added. */
  static String print(JsonObject object) {
    return escaped(GSON.toJson(object)) + "\n";
  }

  /** The same JSON without characters that cannot be seen, but for line feeds. */
  private static String escaped(String json) {
    StringBuilder text = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); ) {
      int c = json.codePointAt(i);
      int end = i + Character.charCount(c);
      if (c == '\n' || VisibleText.isVisible(c)) {
        text.appendCodePoint(c);
      } else {
        json.substring(i, end).chars().forEach(unit -> text.append(String.format("\\u%04x", unit)));
      }
      i = end;
    }
    return text.toString();
  }

  /** {@code block_idx} and {@code variable}: a variable's identity. */
  static JsonObject variable(VariableId id) {
    JsonObject object = new JsonObject();
    object.addProperty("block_idx", id.block());
    object.addProperty("variable", Names.display(id.name()));
    return object;
  }

  /** A variable and why something was not done with it. */
  static JsonObject reason(VariableId id, String reason) {
    JsonObject object = variable(id);
    object.addProperty("reason", reason);
    return object;
  }

  /** The variables that a plan leaves to the runtime. */
  static JsonArray unplanned(List<Unplanned> unplanned) {
    JsonArray array = new JsonArray(unplanned.size());
    for (Unplanned entry : unplanned) {
      array.add(reason(entry.variable(), entry.reason()));
    }
    return array;
  }

  /** Warnings and notes, each with its kind, the known parts of its place, and its message. */
  static JsonArray diagnostics(List<Diagnostic> diagnostics) {
    JsonArray array = new JsonArray(diagnostics.size());
    for (Diagnostic diagnostic : diagnostics) {
      JsonObject object = new JsonObject();
      object.addProperty("kind", diagnostic.kind() == Diagnostic.Kind.NOTE ? "note" : "warning");
      addPlace(object, diagnostic.place());
      object.addProperty("message", diagnostic.message());
      array.add(object);
    }
    return array;
  }

  /** Adds what is known of a place, file aside. */
  static void addPlace(JsonObject object, Location place) {
    if (place.block() >= 0) {
      object.addProperty("block_idx", place.block());
    }
    if (place.operation() >= 0) {
      object.addProperty("op_idx", place.operation());
      object.addProperty("op_type", place.operationType());
    }
    if (!place.variable().isEmpty()) {
      object.addProperty("variable", place.variable());
    }
  }

  /** An array of strings, in order. */
  static JsonArray strings(Iterable<String> strings) {
    JsonArray array = new JsonArray();
    for (String string : strings) {
      array.add(string);
    }
    return array;
  }
}
