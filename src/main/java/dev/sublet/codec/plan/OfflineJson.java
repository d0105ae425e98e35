package dev.sublet.codec.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import dev.sublet.codec.program.MessageParser;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An {@link OfflineAllocation} in JSON: {@code buffer} is the array itself; {@code tensors} lists
 * the index, the name and the offset of each tensor, and the reason if there is no offset. One
 * tensor per line.
 */
final class OfflineJson {

  private static final String INDENT = "  ";
  private static final String NAME = "OfflineMemoryAllocation";

  private OfflineJson() {}

  static String print(OfflineAllocation allocation) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.setIndent(INDENT);
      write(allocation, json);
    } catch (IOException e) {
      throw new IllegalStateException("a string can always be written to", e);
    }
    return text.append('\n').toString();
  }

  private static void write(OfflineAllocation allocation, JsonWriter json) throws IOException {
    json.beginObject();
    json.name("name").value(NAME);
    json.name("buffer").beginArray();
    json.setIndent("");
    for (int word : allocation.words()) {
      json.value(word);
    }
    json.endArray();
    json.setIndent(INDENT);
    json.name("tensors").beginArray();
    for (int i = 0; i < allocation.names().size(); i++) {
      json.beginObject();
      json.setIndent("");
      json.name("index").value(i);
      json.name("variable").value(allocation.names().get(i));
      json.name("offset").value(allocation.offsets().get(i));
      if (!allocation.reasons().get(i).isEmpty()) {
        json.name("reason").value(allocation.reasons().get(i));
      }
      json.endObject();
      json.setIndent(INDENT);
    }
    json.endArray();
    json.endObject();
  }

  /** Whether the text begins like the JSON that {@link #print} writes. */
  static boolean isOne(String text) {
    try (JsonReader reader = new JsonReader(new StringReader(text))) {
      if (reader.peek() != JsonToken.BEGIN_OBJECT) {
        return false;
      }
      reader.beginObject();
      return reader.hasNext()
          && reader.nextName().equals("name")
          && reader.peek() == JsonToken.STRING
          && reader.nextString().equals(NAME);
    } catch (IOException | NumberFormatException e) { // the latter for a wrong escape
      return false;
    }
  }

  /**
   * Reads the output of {@link #print}: the offsets from the array, and the names and reasons from
   * the tensors.
   *
   * @throws dev.sublet.diag.ProgramException if it is malformed
   */
  static OfflineAllocation parse(String text) {
    try (JsonReader json = new JsonReader(new StringReader(text))) {
      return read(json);
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      throw OfflineAllocationReader.malformed(
          "malformed JSON of an OfflineMemoryAllocation: "
              + MessageParser.oneLine(String.valueOf(e.getMessage())));
    }
  }

  private static OfflineAllocation read(JsonReader json) throws IOException {
    ImmutableIntArray.Builder words = ImmutableIntArray.builder();
    ImmutableList.Builder<String> names = ImmutableList.builder();
    ImmutableList.Builder<String> reasons = ImmutableList.builder();
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "name" -> json.nextString();
        case "buffer" -> {
          json.beginArray();
          while (json.hasNext()) {
            words.add(json.nextInt());
          }
          json.endArray();
        }
        case "tensors" -> {
          json.beginArray();
          while (json.hasNext()) {
            readTensor(json, names, reasons);
          }
          json.endArray();
        }
        default -> throw new IllegalStateException("unknown field at path " + json.getPath());
      }
    }
    json.endObject();
    return checked(words.build(), names.build(), reasons.build());
  }

  private static void readTensor(
      JsonReader json, ImmutableList.Builder<String> names, ImmutableList.Builder<String> reasons)
      throws IOException {
    String name = "";
    String reason = "";
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "variable" -> name = json.nextString();
        case "reason" -> reason = json.nextString();
        default -> json.nextInt();
      }
    }
    json.endObject();
    names.add(name);
    reasons.add(reason);
  }

  /** Converts the numbers by way of bytes, so that the same checks apply to both forms. */
  private static OfflineAllocation checked(
      ImmutableIntArray words, ImmutableList<String> names, ImmutableList<String> reasons) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Integer.BYTES * words.length()).order(ByteOrder.LITTLE_ENDIAN);
    words.forEach(bytes::putInt);
    OfflineAllocation read = OfflineAllocationReader.ofWords(bytes.array());
    if (!names.isEmpty() && names.size() != read.offsets().length()) {
      throw OfflineAllocationReader.malformed(
          "there are " + names.size() + " tensors, but " + read.offsets().length() + " offsets");
    }
    return new OfflineAllocation(read.offsets(), names, reasons);
  }
}
