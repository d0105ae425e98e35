package dev.sublet.report.format;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

/**
 * An output of a run.
 *
 * @param content its content, in a few words: {@code rewritten program}
 * @param target the file as the user named it, or {@code -} for standard output
 */
public record WrittenFile(String content, String target) {

  private static final String STANDARD_OUTPUT = "-";

  /** Adds a row per output, or one that says that there is none. */
  public static void addRows(TextTable table, ImmutableList<WrittenFile> files) {
    for (WrittenFile file : files) {
      boolean isStandardOutput = file.target.equals(STANDARD_OUTPUT);
      table.row("written: " + file.content, isStandardOutput ? "to standard output" : file.target);
    }
    if (files.isEmpty()) {
      table.row("written", "nothing");
    }
  }

  /** Adds the outputs to a JSON object. */
  public static void addTo(JsonObject object, ImmutableList<WrittenFile> files) {
    JsonArray array = new JsonArray();
    for (WrittenFile file : files) {
      JsonObject entry = new JsonObject();
      entry.addProperty("content", file.content);
      entry.addProperty("target", file.target);
      array.add(entry);
    }
    object.add("written", array);
  }
}
