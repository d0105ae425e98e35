package dev.sublet.cli.argument;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.primitives.ImmutableLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class FeedShapeTest {

  private static FeedShape parse(String text) {
    return new FeedShape.Converter().convert(text);
  }

  @Test
  void aShape_isANameAndExtents() {
    assertThat(parse("x=1,3,224")).isEqualTo(new FeedShape("x", ImmutableLongArray.of(1, 3, 224)));
    assertThat(parse("a=b=7")).isEqualTo(new FeedShape("a=b", ImmutableLongArray.of(7)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "=1", "x=", "x=1,", "x=-1", "x=0", "x=1,,2", "x=99999999999999999999"})
  void anythingElse_isRefused(String text) {
    assertThrows(TypeConversionException.class, () -> parse(text));
  }
}
