package dev.sublet.docs;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.docs.Page.Piece;
import dev.sublet.golden.ExpectedFiles;
import dev.sublet.golden.GoldenPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of {@code docs/gallery.md}. Each section has a question in bold type, the command
 * for a picture, the picture, and an answer. The test runs the commands and compares the pictures;
 * {@code -Dsublet.updateGoldens=true} writes them anew. It finds each figure of an answer in the
 * picture or in the output of {@code explain --peak} for the same program.
 */
class GalleryTest {

  private static final Path PAGE = Path.of("docs", "gallery.md");
  private static final Pattern PICTURE = Pattern.compile("!\\[.*\\]\\(gallery/(.*\\.svg)\\)");
  private static final Pattern FIGURE = Pattern.compile("\\d[\\d,.]* (?:KiB|MiB|GiB|bytes|%)");

  @TempDir private Path folder;

  /**
   * A case of the gallery.
   *
   * @param title the heading
   * @param command the command that writes the picture
   * @param prose the lines that are no command
   */
  private record Section(String title, DocCommand command, ImmutableList<String> prose) {

    String picture() {
      return prose.stream()
          .map(PICTURE::matcher)
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .findFirst()
          .orElseThrow(() -> new AssertionError(title + " has no picture"));
    }

    String question() {
      return prose.stream().filter(line -> line.startsWith("**")).findFirst().orElse("");
    }

    /** The words after the picture. */
    String answer() {
      String all = String.join(" ", prose);
      return all.substring(all.lastIndexOf(".svg)") + 5);
    }
  }

  private static ImmutableList<Section> sections() throws IOException {
    ImmutableList.Builder<Section> sections = ImmutableList.builder();
    String title = "";
    List<String> prose = new ArrayList<>();
    List<DocCommand> commands = new ArrayList<>();
    for (Piece piece : Page.read(PAGE).pieces()) {
      String line = piece.lines().get(0);
      if (piece.isProse() && line.startsWith("## ")) {
        add(sections, title, commands, prose);
        title = line.substring(3);
      } else if (piece.isProse()) {
        prose.add(line);
      } else if (line.startsWith(DocCommand.START)) {
        commands.add(DocCommand.parse(line));
      }
    }
    add(sections, title, commands, prose);
    return sections.build();
  }

  private static void add(
      ImmutableList.Builder<Section> sections,
      String title,
      List<DocCommand> commands,
      List<String> prose) {
    if (!title.isEmpty()) {
      assertWithMessage(title).that(commands).hasSize(1);
      sections.add(new Section(title, commands.get(0), ImmutableList.copyOf(prose)));
    }
    commands.clear();
    prose.clear();
  }

  @Test
  void pictures_areThoseOfTheCommands() throws IOException {
    ExpectedFiles expected =
        GoldenPrograms.in(Path.of("docs")).byteForByte().folder("gallery").expect();
    for (Section section : sections()) {
      DocCommand.Result result = section.command().run(folder);
      assertWithMessage(result.output()).that(result.exitCode()).isEqualTo(0);
      expected.file(section.picture(), Files.readAllBytes(folder.resolve(section.picture())));
    }
    expected.nothingElse().check();
  }

  @Test
  void answers_haveTheFiguresOfTheirPrograms() throws IOException {
    ImmutableList<Section> sections = sections();
    assertThat(sections).hasSize(6);
    for (Section section : sections) {
      assertWithMessage(section.title()).that(section.question()).endsWith("?**");
      String known =
          Files.readString(Path.of("docs", "gallery", section.picture())) + peak(section);
      List<String> figures =
          FIGURE.matcher(section.answer()).results().map(match -> match.group()).toList();
      assertWithMessage(section.title()).that(figures.size()).isAtLeast(2);
      for (String figure : figures) {
        assertWithMessage(section.title())
            .that(known)
            .containsMatch("(?<![\\d,.])" + Pattern.quote(figure));
      }
    }
  }

  /** The output of {@code explain --peak} about the program of a command, with its options. */
  private String peak(Section section) {
    List<String> arguments = new ArrayList<>(section.command().arguments());
    int report = arguments.indexOf("--report");
    arguments.subList(report, report + 2).clear();
    arguments.set(0, "explain");
    arguments.add("--peak");
    DocCommand.Result result =
        new DocCommand(ImmutableList.copyOf(arguments), Integer.MAX_VALUE, 0).run(folder);
    assertWithMessage(result.output()).that(result.exitCode()).isEqualTo(0);
    return result.output();
  }
}
