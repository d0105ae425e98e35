package dev.sublet.codec.program;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field names of Paddle 3 get their old names; nothing else changes, columns included. */
class DenseTensorNamesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      quoteCharacter = '`',
      value = {
        "dense_tensor { x: 1 }|lod_tensor   { x: 1 }",
        "legacy_lod_level: 1|lod_level       : 1",
        "a{dense_tensor{}}|a{lod_tensor  {}}",
        "type: DENSE_TENSOR|type: DENSE_TENSOR",
        "dense_tensors: 1|dense_tensors: 1",
        "my_dense_tensor: 1|my_dense_tensor: 1",
        "name: \"dense_tensor\"|name: \"dense_tensor\"",
        "name: 'dense_tensor'|name: 'dense_tensor'",
        "n: \"\\\"dense_tensor\" dense_tensor|n: \"\\\"dense_tensor\" lod_tensor  ",
        "n: \"unterminated dense_tensor|n: \"unterminated dense_tensor",
        "# dense_tensor|# dense_tensor",
      })
  void text(String written, String read) {
    assertThat(DenseTensorNames.replaceInText(written)).isEqualTo(read);
  }

  @Test
  void aCommentEndsWithItsLine() {
    assertThat(DenseTensorNames.replaceInText("# it's\ndense_tensor {}"))
        .isEqualTo("# it's\nlod_tensor   {}");
  }

  @Test
  void otherNamesStay() {
    assertThat(DenseTensorNames.oldName("denseTensor")).isEqualTo("lodTensor");
    assertThat(DenseTensorNames.oldName("tensor")).isEqualTo("tensor");
  }
}
