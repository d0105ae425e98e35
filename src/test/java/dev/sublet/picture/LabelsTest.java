package dev.sublet.picture;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.gson.JsonParser;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.BufferTable.Row;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/** Names that nobody should have given, in pictures of all forms. */
class LabelsTest {

  @Test
  void printable_leavesWhatCanBeSeen() {
    assertThat(Labels.printable("conv2d_0.tmp_0@GRAD")).isEqualTo("conv2d_0.tmp_0@GRAD");
    assertThat(Labels.printable("名前 é🙂")).isEqualTo("名前 é🙂");
    assertThat(Labels.printable("\u001B[31mred\u0007\n")).isEqualTo("\\x1B[31mred\\x07\\x0A");
    // What would turn the rest of the line around, and what has no width.
    assertThat(Labels.printable("a\u202Eb\u200Bc")).isEqualTo("a\\u{202E}b\\u{200B}c");
    assertThat(Labels.printable("\u2028\uFFFF\uE000")).isEqualTo("\\u{2028}\\u{FFFF}\\u{E000}");
    // A byte that is not UTF-8, as the program decodes it.
    assertThat(Labels.printable("x\uDCFF")).isEqualTo("x\\xFF");
  }

  @Test
  void percent_isAPartOfAWhole() {
    assertThat(Labels.percent(1, 0)).isEqualTo("0 %");
    assertThat(Labels.percent(1, 8)).isEqualTo("12.5 %");
  }

  @Test
  void anyName_leavesEveryFormWellFormed() throws Exception {
    StringBuilder all = new StringBuilder();
    for (char c = 0; c < 0x2100; c++) {
      all.append(c);
    }
    String name = all.append("\uFFFE\uFFFF</script>]]>&<!--").toString();
    Row row = new Row(2, "", name, 0, 2, 64, 0, 0, ImmutableList.of());
    BufferTable table = new BufferTable("", ImmutableList.of("id"), "\n", ImmutableList.of(row));
    Picture picture = Picture.ofTable(name, table, ImmutableLongArray.of(0), 64, 64);

    byte[] svg = SvgPicture.toBytes(picture);
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg));
    assertThat(
            JsonParser.parseString(PictureJson.of(picture))
                .getAsJsonObject()
                .getAsJsonArray("strings")
                .toString())
        .contains("\\\\x00");
    assertThat(PictureJson.of(picture)).doesNotContain("<");
    String page = new String(HtmlPicture.toBytes(picture), StandardCharsets.UTF_8);
    assertThat(page.split("</script>", -1)).hasLength(3);
    assertThat(TerminalPicture.toText(picture, 80, false)).doesNotContain("\u001B");
  }
}
