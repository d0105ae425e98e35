package dev.sublet.codec.table;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of buffers: what is read, what is written, what is refused and where. */
final class BufferTableTest {

  private static BufferTable parse(String text) {
    return parse(text, new DiagnosticLog());
  }

  private static BufferTable parse(String text, DiagnosticLog log) {
    return BufferTableReader.parse(text.getBytes(UTF_8), "t.csv", log);
  }

  private static BufferTable.Row onlyRow(String text) {
    BufferTable table = parse(text);
    assertThat(table.rows()).hasSize(1);
    return table.rows().get(0);
  }

  private static String write(BufferTable table, long... offsets) {
    return new String(BufferTableWriter.toBytes(table, ImmutableLongArray.copyOf(offsets)), UTF_8);
  }

  private static String failure(String text) {
    ProgramException e = assertThrows(ProgramException.class, () -> parse(text));
    assertThat(e.exitCode()).isEqualTo(3);
    return e.diagnostics().get(0).toString();
  }

  @Test
  void aRow_hasWhatItsCellsSay() {
    BufferTable.Row row =
        onlyRow("id,lower,upper,size,alignment,offset,gaps\na b,1,9,64,8,16,2-4\n");

    assertThat(row)
        .isEqualTo(
            new BufferTable.Row(
                2,
                "a b,1,9,64,8,16,2-4",
                "a b",
                1,
                9,
                64,
                8,
                16,
                ImmutableList.of(new BufferTable.TimeGap(2, 4, 0, 0))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "size,upper,id,lower\n7,5,a,2\n",
        "size,upper,buffer,start\r\n7,5,a,2\r\n",
        "buffer_id,begin,size,upper\n a,2,7,5",
        "id, lower ,upper,size\na, 2 ,5,7\n\n",
        "id,lower,end,size\na,2,4,7\n",
        "\uFEFFid,lower,upper,size\na,2,5,7\n",
      })
  void columns_haveSynonymsInAnyOrder(String text) {
    BufferTable.Row row = onlyRow(text);

    assertThat(row.id().strip()).isEqualTo("a");
    assertThat(row.lower()).isEqualTo(2);
    assertThat(row.upper()).isEqualTo(5);
    assertThat(row.size()).isEqualTo(7);
    assertThat(row.alignment()).isEqualTo(BufferTable.NO_ALIGNMENT);
    assertThat(row.offset()).isEqualTo(BufferTable.NO_OFFSET);
    assertThat(row.gaps()).isEmpty();
  }

  @Test
  void gaps_areSeparatedBySpaces_andMayHaveWindows() {
    assertThat(onlyRow("id,lower,upper,size,gaps\na,0,9,64, 1-2  3-5@8:64 5-6@0:1\n").gaps())
        .containsExactly(
            new BufferTable.TimeGap(1, 2, 0, 0),
            new BufferTable.TimeGap(3, 5, 8, 64),
            new BufferTable.TimeGap(5, 6, 0, 1))
        .inOrder();
  }

  @Test
  void anInclusiveEnd_isTheEndOfGapsToo_butNotOfWindows() {
    assertThat(onlyRow("id,lower,end,size,gaps\na,0,9,64,1-1@0:8\n").gaps())
        .containsExactly(new BufferTable.TimeGap(1, 2, 0, 8));
  }

  @Test
  void numbers_have63Bits() {
    long most = Long.MAX_VALUE;
    BufferTable.Row row =
        onlyRow("id,lower,upper,size\na,9223372036854775806," + most + "," + most);

    assertThat(row.upper()).isEqualTo(most);
    assertThat(row.size()).isEqualTo(most);
  }

  @Test
  void whatIsNotUsed_isANote() {
    DiagnosticLog log = new DiagnosticLog();

    BufferTable table = parse("id,lower,upper,size,hint\na,0,1,1,7\n\nb,0,1,1,7\n", log);

    assertThat(table.rows()).hasSize(1);
    assertThat(log.diagnostics().toString())
        .isEqualTo(
            "[t.csv: column 'hint' is not used, "
                + "t.csv: the table ends with the blank line 3; what follows is not used]");
  }

  @Test
  void offsets_goIntoANewColumnOrIntoTheirOwn() {
    assertThat(write(parse("size,id,lower,upper\r\n1,a,0,1\r\n"), 8))
        .isEqualTo("size,id,lower,upper,offset\r\n1,a,0,1,8\r\n");
    assertThat(write(parse("offset,id,lower,upper,size,x\n,é,0,1,1,\n 4,b,0,1,1,?"), 8, 4))
        .isEqualTo("offset,id,lower,upper,size,x\n8,é,0,1,1,\n 4,b,0,1,1,?\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a,0,1              | 2:6: the row has 3 cells, but the header has 5; commas cannot be quoted",
        "a,0,1,8,,          | 2:9: the row has 6 cells, but the header has 5; commas cannot be quoted",
        "`,0,1,8,`          | 2:1: the id is empty; give every row a name of its own",
        "a,x,1,8,           | 2:3: lower is 'x'; write a whole number from 0 to 9223372036854775807",
        "a,-1,1,8,          | 2:3: lower is '-1'; write a whole number from 0 to 9223372036854775807",
        "a,0,+1,8,          | 2:5: upper is '+1'; write a whole number from 0 to 9223372036854775807",
        "a,0,1,0,           | 2:7: size is '0'; write a whole number from 1 to 9223372036854775807",
        "a,0,1,1.5,         | 2:7: size is '1.5'; write a whole number from 1 to 9223372036854775807",
        "a,0,1,9223372036854775808, | 2:7: size is '9223372036854775808'; write a whole number from 1 to 9223372036854775807",
        "a,0,1,,            | 2:7: size is ''; write a whole number from 1 to 9223372036854775807",
        "é,2,2,8,           | 2:5: the row ends before it begins; write an upper above 2 on, or leave the row out",
        "a,0,9,8,1          | 2:9: '1' is not a gap; write lower-upper or lower-upper@low:high, separated by spaces",
        "a,0,9,8,1-2 3      | 2:13: '3' is not a gap; write lower-upper or lower-upper@low:high, separated by spaces",
        "a,0,9,8,1-2@3      | 2:9: '1-2@3' is not a gap; write lower-upper or lower-upper@low:high, separated by spaces",
        "a,0,9,8,1-x        | 2:11: a number of the gaps is 'x'; write a whole number from 0 to 9223372036854775807",
        "a,0,9,8,1--2       | 2:11: a number of the gaps is '-2'; write a whole number from 0 to 9223372036854775807",
        "a,0,9,8,2-2        | 2:9: the gap ends before it begins; leave it out",
        "a,1,9,8,0-2        | 2:9: the gap is not within the row's time; shorten it",
        "a,1,9,8,8-10       | 2:9: the gap is not within the row's time; shorten it",
        "a,0,9,8,1-3 2-4    | 2:13: the gap begins before the one in front of it ends; sort them and join overlaps",
        "a,0,9,8,4-5 1-2    | 2:13: the gap begins before the one in front of it ends; sort them and join overlaps",
        "a,0,9,8,1-2@0:9    | 2:13: the window is not within the row's bytes, or is empty; write low:high with low below high and high up to 8",
        "a,0,9,8,1-2@4:4    | 2:13: the window is not within the row's bytes, or is empty; write low:high with low below high and high up to 8",
        "a,0,9,8,0-5 5-9    | 2:9: the gaps leave nothing of the row; leave the row out",
      })
  void aMalformedRow_isOneLineWithItsPlace(String row, String message) {
    assertThat(failure("id,lower,upper,size,gaps\n" + row + "\n")).isEqualTo("t.csv: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                        | the file is empty",
        "' '                       | 1:1: the header is missing; write id,lower,upper,size into the first line",
        "id,lower,size             | 1:1: no column 'upper'; a table of buffers begins with id,lower,upper,size",
        "id,lower,upper,end,size   | 1:16: the column 'end' is there twice (as upper); leave one out",
      })
  void aMalformedHeader_isOneLineWithItsPlace(String header, String message) {
    assertThat(failure(header)).isEqualTo("t.csv: " + message);
  }

  @Test
  void furtherMistakes_haveTheirPlaceToo() {
    assertThat(failure("id,lower,end,size\na,0,9223372036854775807,1"))
        .isEqualTo("t.csv: 2:5: the end is too large; write one below 9223372036854775807");
    assertThat(failure("id,lower,end,size\na,1,0,1"))
        .isEqualTo(
            "t.csv: 2:5: the row ends before it begins; write an end from 1 on, or leave the row"
                + " out");
    assertThat(failure("id,lower,upper,size,alignment\na,0,1,1,0"))
        .isEqualTo(
            "t.csv: 2:9: alignment is '0'; write a whole number from 1 to 9223372036854775807");
    assertThat(failure("id,lower,upper,size,offset\na,0,1,1,-4"))
        .isEqualTo(
            "t.csv: 2:9: offset is '-4'; write a whole number from 0 to 9223372036854775807");
    assertThat(failure("id,lower,upper,size\na,0,1,1\nb,0,1,1\na,0,1,1"))
        .isEqualTo(
            "t.csv: 4:1: the id 'a' is also that of line 2; give every row an id of its own");
    assertThat(failure("id,lower,upper,size\na,0,1," + "9".repeat(1_000_000)))
        .isEqualTo(
            "t.csv: 2:7: size is '"
                + "9".repeat(39)
                + "…'; write a whole number from 1 to 9223372036854775807");
  }

  @Test
  void whatIsNotUtf8_hasItsLine() {
    byte[] bytes = "id,lower,upper,size\na,0,1,1\n?,0,1,1\n".getBytes(UTF_8);
    bytes[28] = (byte) 0xFF;

    ProgramException e =
        assertThrows(
            ProgramException.class,
            () -> BufferTableReader.parse(bytes, "t.csv", new DiagnosticLog()));

    assertThat(e).hasMessageThat().isEqualTo("t.csv: 3:1: the line is not UTF-8 text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'id,lower,upper,size'     | true",
        "'\uFEFFsize,buffer'       | true",
        "'block_idx,variable,size' | false",
        "'blocks {'                | false",
        "''                        | false",
      })
  void theHeader_tellsATable(String text, boolean isTable) {
    assertThat(BufferTableReader.isTable(text.getBytes(UTF_8))).isEqualTo(isTable);
  }

  @Test
  void aHundredThousandRows_areReadInNoTime() {
    StringBuilder text = new StringBuilder("id,lower,upper,size,gaps\n");
    for (int i = 0; i < 100_000; i++) {
      text.append('b').append(i).append(',').append(i).append(',').append(i + 9);
      text.append(",64,").append(i + 2).append('-').append(i + 4).append("@8:16\n");
    }
    byte[] bytes = text.toString().getBytes(UTF_8);
    Stopwatch stopwatch = Stopwatch.createStarted();

    BufferTable table = BufferTableReader.parse(bytes, "t.csv", new DiagnosticLog());

    assertThat(table.rows()).hasSize(100_000);
    assertThat(stopwatch.elapsed()).isLessThan(Duration.ofSeconds(2));
  }

  /** One row may hold all the gaps: looking for the parts of one must not look at the others. */
  @Test
  void aRowOfAHundredThousandGaps_isReadInNoTime() {
    StringBuilder text = new StringBuilder("gaps,id,lower,upper,size\n");
    for (int i = 0; i < 100_000; i++) {
      text.append(2 * i).append('-').append(2 * i + 1).append(' ');
    }
    text.append(",a,0,1000000,8\n");
    Stopwatch stopwatch = Stopwatch.createStarted();

    assertThat(onlyRow(text.toString()).gaps()).hasSize(100_000);
    assertThat(stopwatch.elapsed()).isLessThan(Duration.ofSeconds(2));
  }

  /** Whatever is wrong with a table, it is read or refused in one line that begins with a place. */
  @Property(tries = 3000)
  void aDamagedTable_isReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(randomTable(random));
    String alphabet = "0123456789,,\n\n-@: \rax\"\u0000é";
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length());
      char c = alphabet.charAt(random.nextInt(alphabet.length()));
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, c);
        case 1 -> text.insert(at, c);
        default -> text.deleteCharAt(at);
      }
    }
    try {
      BufferTable table = parse(text.toString());
      String again = write(table, new long[table.rows().size()]);
      assertThat(parse(again).rows().size()).isEqualTo(table.rows().size());
    } catch (ProgramException e) {
      assertThat(e.exitCode()).isEqualTo(3);
      assertThat(e.diagnostics()).hasSize(1);
      assertThat(e).hasMessageThat().matches("t\\.csv: [0-9]+:[0-9]+: [^\n]+");
    }
  }

  /** Written without new offsets, a table is what it was; written with them, it has them. */
  @Property(tries = 500)
  void aTable_comesBack(@ForAll long seed) {
    String text = randomTable(new Random(seed));
    BufferTable table = parse(text);
    long[] offsets = new long[table.rows().size()];
    for (int i = 0; i < offsets.length; i++) {
      BufferTable.Row row = table.rows().get(i);
      offsets[i] = row.hasOffset() ? row.offset() : 1000L + i;
    }

    BufferTable planned = parse(write(table, offsets));

    assertThat(planned.offsets().toArray()).isEqualTo(offsets);
    assertThat(write(planned, offsets)).isEqualTo(write(table, offsets));
    for (int i = 0; i < offsets.length; i++) {
      BufferTable.Row before = table.rows().get(i);
      BufferTable.Row after = planned.rows().get(i);
      assertWithMessage(text).that(after.id()).isEqualTo(before.id());
      assertWithMessage(text).that(after.upper()).isEqualTo(before.upper());
      assertWithMessage(text).that(after.gaps()).isEqualTo(before.gaps());
      assertWithMessage(text).that(after.alignment()).isEqualTo(before.alignment());
    }
  }

  private static String randomTable(Random random) {
    boolean inclusive = random.nextBoolean();
    boolean offsets = random.nextBoolean();
    String lineEnd = random.nextInt(4) == 0 ? "\r\n" : "\n";
    StringBuilder text = new StringBuilder("size,id,alignment,");
    text.append(inclusive ? "end" : "upper").append(offsets ? ",offset" : "");
    text.append(",lower,gaps,note").append(lineEnd);
    for (int row = 1 + random.nextInt(6); row > 0; row--) {
      int size = 2 + random.nextInt(100);
      int lower = random.nextInt(50);
      text.append(size).append(",r").append(row).append(',');
      text.append(random.nextBoolean() ? "" : 1 << random.nextInt(4)).append(',');
      text.append(lower + 20).append(',');
      if (offsets) {
        text.append(random.nextBoolean() ? "" : 64 * random.nextInt(9)).append(',');
      }
      text.append(lower).append(',');
      if (random.nextBoolean()) {
        text.append(lower + 1).append('-').append(lower + 2 + random.nextInt(9));
        text.append(" ").append(lower + 15).append('-').append(lower + 16);
        text.append(random.nextBoolean() ? "" : "@1:" + size);
      }
      text.append(",\"no quotes\"").append(lineEnd);
    }
    return text.toString();
  }
}
