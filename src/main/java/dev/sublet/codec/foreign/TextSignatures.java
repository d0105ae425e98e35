package dev.sublet.codec.foreign;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Signatures of text files: patterns at the beginning.
 *
 * <p>Sources: {@code schema.h} of Paddle's {@code pir/serialize_deserialize} (the object {@code
 * base_code} with the magic {@code pir}, then the regions of the program); the Git LFS
 * specification, whose pointers begin with their version; ncnn's wiki about the param format (the
 * number 7767517 is its first line, also in pnnx); OpenVINO's {@code net} element with name and
 * version; {@code caffe.proto} ({@code layer}, {@code layers} and {@code input} of NetParameter,
 * {@code top} and {@code bottom} of a layer); {@code graph.proto} and {@code saved_model.proto} of
 * TensorFlow.
 */
final class TextSignatures {

  private static final ImmutableMap<Pattern, ForeignFormat> PATTERNS =
      ImmutableMap.<Pattern, ForeignFormat>builder()
          .put(
              pattern(
                  "\\{\\s*\"(base_code\"\\s*:\\s*\\{[^{}]*\"magic\"\\s*:\\s*\"pir\""
                      + "|program\"\\s*:\\s*\\{\\s*\"regions\"\\s*:)"),
              ForeignFormat.PIR)
          .put(
              pattern("version https?://(git-lfs|hawser)\\.github\\.com/spec/"),
              ForeignFormat.GIT_LFS)
          .put(pattern("7767517\\s+\\d+\\s+\\d+\\s"), ForeignFormat.NCNN)
          .put(
              pattern("(<\\?xml[^>]*>\\s*)?<net\\s[^>]*version\\s*=[^>]*>"),
              ForeignFormat.OPEN_VINO)
          .put(
              pattern("(<\\?xml[^>]*>\\s*)?(?><!--.*?-->\\s*){0,9}<(!doctype html|html|error)\\b"),
              ForeignFormat.WEB_PAGE)
          .put(
              pattern("((404: )?not found|entry not found|access denied)\\s*\\z"),
              ForeignFormat.WEB_PAGE)
          .put(pattern("saved_model_schema_version\\s*:"), ForeignFormat.SAVED_MODEL)
          .put(
              pattern("node\\s*\\{\\s*name\\s*:\\s*\"[^\"]*\"\\s*op\\s*:"), ForeignFormat.GRAPH_DEF)
          .put(
              pattern(
                  "(?:#[^\\n]*\\s+|(?:name|input|input_dim)\\s*:\\s*(?:\"[^\"]*\"|'[^']*'|\\d+)\\s*"
                      + "|(?:input_shape|state)\\s*:?\\s*\\{[^{}]*\\}\\s*){0,99}+"
                      + "layers?\\s*:?\\s*\\{[^{}]*(?:\\{[^{}]*\\}[^{}]*){0,9}\\b(?:top|bottom)\\s*:"),
              ForeignFormat.CAFFE)
          .buildOrThrow();

  private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

  private TextSignatures() {}

  private static Pattern pattern(String regex) {
    return Pattern.compile("\\A" + regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  /** Returns the format that a file begins like. */
  static Optional<ForeignFormat> find(FileSample file) {
    String text = file.headText();
    String start = withoutComments(text.startsWith(BYTE_ORDER_MARK) ? text.substring(3) : text);
    for (Map.Entry<Pattern, ForeignFormat> entry : PATTERNS.entrySet()) {
      if (entry.getKey().matcher(start).find()) {
        return Optional.of(entry.getValue());
      }
    }
    return Optional.empty();
  }

  /** Returns the text after blank lines and the comments of protobuf's text format. */
  private static String withoutComments(String text) {
    String rest = text.stripLeading();
    while (rest.startsWith("#")) {
      int end = rest.indexOf('\n');
      rest = end < 0 ? "" : rest.substring(end).stripLeading();
    }
    return rest;
  }
}
