package dev.sublet.report.format;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.VisibleText;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Names;
import dev.sublet.program.SourceLine;
import dev.sublet.program.VariableId;
import java.util.List;
import java.util.Optional;

/** Parts of JSON that several reports share. */
public final class JsonText {

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  private JsonText() {}

  /** Returns an object as indented text, with keys in the order in which they were added. */
  public static String print(JsonObject object) {
    return escaped(GSON.toJson(object)) + "\n";
  }

  /** Returns the same JSON with invisible characters escaped, except for line feeds. */
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

  /** Returns a variable's identity: {@code block_idx} and {@code variable}. */
  public static JsonObject variable(VariableId id) {
    JsonObject object = new JsonObject();
    object.addProperty("block_idx", id.block());
    object.addProperty("variable", Names.display(id.name()));
    return object;
  }

  /** Returns a variable's identity with a reason, such as why it is not planned. */
  public static JsonObject reason(VariableId id, String reason) {
    JsonObject object = variable(id);
    object.addProperty("reason", reason);
    return object;
  }

  /** Returns the variables that a plan leaves to the runtime, with the reasons. */
  public static JsonArray unplanned(List<Unplanned> unplanned) {
    JsonArray array = new JsonArray(unplanned.size());
    for (Unplanned entry : unplanned) {
      array.add(reason(entry.variable(), entry.reason()));
    }
    return array;
  }

  /**
   * Returns warnings and notes, each with its kind, the known parts of its location, and its
   * message.
   */
  public static JsonArray diagnostics(List<Diagnostic> diagnostics) {
    JsonArray array = new JsonArray(diagnostics.size());
    for (Diagnostic diagnostic : diagnostics) {
      JsonObject object = new JsonObject();
      object.addProperty("kind", diagnostic.kind() == Diagnostic.Kind.NOTE ? "note" : "warning");
      addPlace(object, diagnostic.location());
      object.addProperty("message", diagnostic.message());
      array.add(object);
    }
    return array;
  }

  /** Adds the known parts of a location, except the file. */
  public static void addPlace(JsonObject object, Location place) {
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

  /** Returns the line of the user's code that made a variable; null if it is not known. */
  public static JsonElement source(Optional<SourceLine> source) {
    if (source.isEmpty()) {
      return JsonNull.INSTANCE;
    }
    SourceLine line = source.get();
    JsonObject object = new JsonObject();
    object.addProperty("node", line.node().isEmpty() ? null : line.node());
    object.addProperty("file", line.file().isEmpty() ? null : line.file());
    object.addProperty("line", line.file().isEmpty() ? null : line.line());
    object.addProperty("text", line.text());
    return object;
  }

  /** Returns an array of strings, in order. */
  public static JsonArray strings(Iterable<String> strings) {
    JsonArray array = new JsonArray();
    for (String string : strings) {
      array.add(string);
    }
    return array;
  }
}
