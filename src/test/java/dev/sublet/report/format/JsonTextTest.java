package dev.sublet.report.format;

import static com.google.common.truth.Truth.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** JSON with names that hold anything. */
class JsonTextTest {

  @Test
  void print_showsNoCharacterThatCannotBeSeen_andChangesNone() {
    JsonObject object = new JsonObject();
    object.addProperty("é🙂", "a\u202Eb\u009B\n" + new String(Character.toChars(0xE0001)));
    String text = JsonText.print(object);
    assertThat(text).isEqualTo("{\n  \"é🙂\": \"a\\u202eb\\u009b\\n\\udb40\\udc01\"\n}\n");
    assertThat(JsonParser.parseString(text)).isEqualTo(object);
  }
}
