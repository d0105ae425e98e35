package dev.sublet.docs;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.docs.Page.Piece;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests of what holds the documents together: links, the index, how pages begin, sizes. */
class DocsLinksTest {

  private static final Pattern TERM = Pattern.compile("\\[([^\\[\\]]+)\\]\\([^)]*glossary\\.md\\)");
  private static final Path INDEX = Path.of("docs", "README.md");

  @Test
  void links_reachFilesAndHeadings() throws IOException {
    List<String> faults = new ArrayList<>();
    int links = 0;
    for (Page page : Page.all()) {
      for (Piece piece : page.pieces()) {
        if (!piece.isProse()) {
          continue;
        }
        for (String link : piece.links()) {
          links++;
          if (!isReached(page, link)) {
            faults.add(page.at(piece.first()) + ": " + link);
          }
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(links).isAtLeast(80);
  }

  private static boolean isReached(Page page, String link) throws IOException {
    if (link.startsWith("https://")) {
      return true;
    }
    String path = link.replaceFirst("#.*", "");
    Path parent = page.file().getParent() == null ? Path.of("") : page.file().getParent();
    Path target = path.isEmpty() ? page.file() : parent.resolve(path).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return !link.contains("#")
        || Page.read(target).anchors().contains(link.substring(link.indexOf('#') + 1));
  }

  /** A link to the glossary is a term, perhaps in the plural: the glossary must explain it. */
  @Test
  void linksToTheGlossary_areTerms() throws IOException {
    String glossary = Files.readString(Path.of("docs", "glossary.md"));
    List<String> faults = new ArrayList<>();
    int terms = 0;
    for (Page page : Page.all()) {
      Matcher links = TERM.matcher(String.join(" ", page.lines()));
      while (links.find()) {
        String term = links.group(1);
        terms++;
        if (!glossary.contains("| **" + term + "** |")
            && !glossary.contains("| **" + term.replaceFirst("s$", "") + "** |")
            && !term.equals("glossary")
            && !term.equals("Glossary")) {
          faults.add(page.file() + ": " + term);
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(terms).isAtLeast(30);
  }

  @Test
  void pages_areInTheIndex_andBeginWithTheirPurpose() throws IOException {
    String index = Files.readString(INDEX);
    for (Page page : Page.all()) {
      if (!page.file().startsWith("docs")) {
        continue;
      }
      assertWithMessage("the first line of %s", page.file())
          .that(page.lines().get(0))
          .startsWith("# ");
      assertWithMessage("the first sentence of %s", page.file())
          .that(page.lines().get(2))
          .startsWith("This page ");
      if (!page.file().equals(INDEX)) {
        assertThat(index).contains("](" + page.file().getFileName() + ")");
      }
    }
  }

  @Test
  void readme_isShort_andNamesTwoCommands() throws IOException {
    Path readme = Path.of("README.md");
    assertThat(Files.readAllLines(readme).size()).isAtMost(150);
    assertThat(Files.size(readme)).isAtMost(9 * 1024L);
    assertThat(Files.readString(readme))
        .contains("./sublet optimize testdata/examples/mobile_block/program.textproto");
    assertThat(Files.readString(readme)).contains("\nmvn verify\n");
  }
}
