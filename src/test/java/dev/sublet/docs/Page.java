package dev.sublet.docs;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A document in Markdown, as its lines.
 *
 * @param file its path from the root of the project
 * @param lines its lines
 */
record Page(Path file, ImmutableList<String> lines) {

  private static final Pattern HEADING = Pattern.compile("#+ (.*)");
  private static final Pattern FENCE = Pattern.compile("```(\\S*)(?: (.*))?");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  /**
   * A piece of a page: a fenced block with its language, or a line of prose, whose language is
   * empty.
   *
   * @param first the number of its first line in {@link #lines}, from 0; of a block the line after
   *     the fence
   * @param language the word after the fence: {@code sh}, {@code console}, …
   * @param lines its lines, without fences
   */
  record Piece(int first, String language, ImmutableList<String> lines) {

    /** Whether this is prose. */
    boolean isProse() {
      return language.isEmpty();
    }

    /** The code in backquotes. */
    ImmutableList<String> spans() {
      return matches(SPAN, lines);
    }

    /** The targets of the links. */
    ImmutableList<String> links() {
      return matches(LINK, lines);
    }

    private static ImmutableList<String> matches(Pattern pattern, List<String> lines) {
      return lines.stream()
          .flatMap(line -> pattern.matcher(line).results())
          .map(match -> match.group(1))
          .collect(ImmutableList.toImmutableList());
    }
  }

  static Page read(Path file) throws IOException {
    return new Page(file, ImmutableList.copyOf(Files.readAllLines(file)));
  }

  /** README, CONTRIBUTING, and the pages of docs by their names. */
  static ImmutableList<Page> all() throws IOException {
    List<Page> pages = new ArrayList<>();
    pages.add(read(Path.of("README.md")));
    pages.add(read(Path.of("CONTRIBUTING.md")));
    try (Stream<Path> files = Files.list(Path.of("docs"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
        pages.add(read(file));
      }
    }
    return ImmutableList.copyOf(pages);
  }

  /** The blocks and the lines of prose, in order. */
  ImmutableList<Piece> pieces() {
    ImmutableList.Builder<Piece> pieces = ImmutableList.builder();
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        pieces.add(new Piece(i, "", ImmutableList.of(lines.get(i))));
        continue;
      }
      int end = i + 1;
      while (!lines.get(end).equals("```")) {
        end++;
      }
      String language = fence.group(1).isEmpty() ? "text" : fence.group(1);
      pieces.add(new Piece(i + 1, language, lines.subList(i + 1, end)));
      i = end;
    }
    return pieces.build();
  }

  /** The names by which links reach the headings, as GitHub makes them. */
  ImmutableList<String> anchors() {
    Map<String, Integer> seen = new HashMap<>();
    ImmutableList.Builder<String> anchors = ImmutableList.builder();
    for (Piece piece : pieces()) {
      Matcher heading = HEADING.matcher(piece.lines().isEmpty() ? "" : piece.lines().get(0));
      if (piece.isProse() && heading.matches()) {
        String anchor =
            heading
                .group(1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
        int count = seen.merge(anchor, 1, Integer::sum);
        anchors.add(count == 1 ? anchor : anchor + "-" + (count - 1));
      }
    }
    return anchors.build();
  }

  /** A place in the page, for messages. */
  String at(int line) {
    return file + ":" + (line + 1);
  }
}
