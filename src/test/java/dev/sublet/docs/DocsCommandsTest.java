package dev.sublet.docs;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import com.google.common.truth.extensions.proto.ProtoTruth;
import dev.sublet.cli.CommandRun;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.docs.Page.Piece;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of every document, page by page, each page in a folder of its own.
 *
 * <ul>
 *   <li>In a block {@code sh} every line {@code ./sublet …} is run. It must end with exit code 0,
 *       or with the one that a comment {@code # exit 1} states.
 *   <li>In a block {@code console} commands begin with {@code $ }, and the lines after them are the
 *       output, compared byte for byte. {@code -Dsublet.updateGoldens=true} writes it anew.
 *   <li>Code in backquotes that begins with {@code ./sublet } is run, too.
 *   <li>A command of another program may stand in a block {@code sh} only: it needs what the
 *       repository does not contain (Maven, a corpus, an archive). It is not run, but the classes,
 *       tests and executions of the build that it names must exist.
 *   <li>A block {@code csv NAME} or {@code text NAME} is the content of a file of that name, for
 *       the commands after it. A block {@code program FILE} is the program of that file, in the
 *       language of the tests.
 * </ul>
 *
 * <p>The files of {@code testdata/docs} are in the folder before the first command: see its README.
 */
class DocsCommandsTest {

  private static final Path GIVEN = Path.of("testdata", "docs");
  private static final ImmutableSet<String> OTHER_PROGRAMS =
      ImmutableSet.of(
          "mvn",
          "java",
          "javadoc",
          "protoc",
          "unzip",
          "tar",
          "pip",
          "cd",
          "source",
          "make",
          "cc",
          "arm-none-eabi-gcc",
          "apt-get",
          "tail");
  private static final Pattern NAMED_FILE = Pattern.compile("```(?:csv|text) (\\S+)");
  private static final Pattern NAMED_PROGRAM = Pattern.compile("```program (\\S+)");
  private static final Pattern CLASS_NAME = Pattern.compile("\\bdev((?:\\.[a-z]+)+)\\.([A-Z]\\w*)");
  private static final Pattern TESTS = Pattern.compile("-Dtest='?([\\w,]+)'?");
  private static final Pattern BENCHES = Pattern.compile("-Dbench=([\\w|]+)");
  private static final Pattern EXECUTION = Pattern.compile("exec:exec@(\\w+)");

  @TempDir private Path scratch;

  private final List<String> faults = new ArrayList<>();

  @TestFactory
  Stream<DynamicTest> pages() throws IOException {
    return Page.all().stream()
        .map(page -> DynamicTest.dynamicTest(page.file().toString(), () -> check(page)));
  }

  @Test
  void commands_areFound() throws IOException {
    int run = 0;
    int compared = 0;
    for (Page page : Page.all()) {
      for (Piece piece : page.pieces()) {
        String start = piece.language().equals("console") ? "$ ./sublet " : "./sublet ";
        int lines = (int) piece.lines().stream().filter(line -> line.startsWith(start)).count();
        run += lines;
        compared += piece.language().equals("console") ? lines : 0;
      }
    }
    assertThat(run).isAtLeast(40);
    assertThat(compared).isAtLeast(12);
  }

  private void check(Page page) throws IOException {
    faults.clear();
    Path folder = Files.createDirectories(scratch.resolve(page.file().getFileName().toString()));
    giveFiles(folder);
    List<String> rewritten = new ArrayList<>();
    int copied = 0;
    for (Piece piece : page.pieces()) {
      rewritten.addAll(page.lines().subList(copied, piece.first()));
      rewritten.addAll(checkPiece(page, piece, folder));
      copied = piece.first() + piece.lines().size();
    }
    rewritten.addAll(page.lines().subList(copied, page.lines().size()));
    if (Boolean.getBoolean(GoldenPrograms.UPDATE_SWITCH)) {
      Files.writeString(page.file(), String.join("\n", rewritten) + "\n");
    } else if (!rewritten.equals(page.lines())) {
      assertWithMessage(
              "output shown in %s; -D%s=true writes it", page.file(), GoldenPrograms.UPDATE_SWITCH)
          .that(String.join("\n", page.lines()))
          .isEqualTo(String.join("\n", rewritten));
    }
    assertThat(faults).isEmpty();
  }

  /** Checks a piece of a page and returns its lines, with the outputs as they are now. */
  private List<String> checkPiece(Page page, Piece piece, Path folder) throws IOException {
    String opening = piece.isProse() ? "" : page.lines().get(piece.first() - 1);
    Matcher file = NAMED_FILE.matcher(opening);
    Matcher program = NAMED_PROGRAM.matcher(opening);
    if (piece.language().equals("console")) {
      return console(page, piece, folder);
    } else if (piece.language().equals("sh")) {
      shell(page, piece, folder);
    } else if (file.matches()) {
      Files.write(folder.resolve(file.group(1)), piece.lines());
    } else if (program.matches()) {
      ProtoTruth.assertThat(ProgramText.parse(piece.lines().toArray(new String[0])).toMessage())
          .ignoringRepeatedFieldOrder()
          .isEqualTo(ProgramReader.read(Path.of(program.group(1))).toMessage());
    } else if (piece.isProse()) {
      for (String span : piece.spans()) {
        if (span.startsWith(DocCommand.START)) {
          run(page.at(piece.first()), span, folder);
        }
      }
    }
    for (String line : piece.lines()) {
      if (piece.language().equals("sh")) {
        break;
      }
      if (line.strip().replaceFirst("^\\$ ", "").startsWith(DocCommand.START)) {
        faults.add(page.at(piece.first()) + ": a command outside of blocks 'sh' and 'console'");
      }
    }
    return piece.lines();
  }

  private List<String> console(Page page, Piece piece, Path folder) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < piece.lines().size(); i++) {
      String line = piece.lines().get(i);
      if (line.startsWith("$ ")) {
        lines.add(line);
        lines.addAll(
            Splitter.on('\n')
                .splitToList(run(page.at(piece.first() + i), line.substring(2), folder)));
      } else if (i == 0) {
        faults.add(page.at(piece.first()) + ": the block does not begin with a command");
      }
    }
    return lines;
  }

  private void shell(Page page, Piece piece, Path folder) throws IOException {
    String joined = String.join("\n", piece.lines()).replaceAll("\\\\\n *", "");
    for (String line : Splitter.on('\n').split(joined)) {
      if (line.startsWith(DocCommand.START)) {
        run(page.at(piece.first()), line, folder);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        checkNames(page, line);
      }
    }
  }

  private String run(String at, String text, Path folder) {
    DocCommand command = DocCommand.parse(text);
    DocCommand.Result result = command.run(folder);
    if (result.exitCode() != command.exitCode()) {
      faults.add(at + ": exit code " + result.exitCode() + ": " + text + "\n" + result.output());
    }
    return result.output();
  }

  /** Checks a command that is not run. */
  private void checkNames(Page page, String line) throws IOException {
    String first = line.replaceFirst("^(?:[A-Z_]+=\\S* )+", "");
    first = Splitter.on(' ').splitToList(first).get(0);
    if (!OTHER_PROGRAMS.contains(first)) {
      faults.add(page.file() + ": unknown command: " + line);
    }
    Matcher classes = CLASS_NAME.matcher(line);
    while (classes.find()) {
      String file = "dev" + classes.group(1).replace('.', '/') + "/" + classes.group(2) + ".java";
      if (Stream.of("main", "test", "bench", "fuzz")
          .noneMatch(root -> Files.exists(Path.of("src", root, "java").resolve(file)))) {
        faults.add(page.file() + ": there is no class " + classes.group());
      }
    }
    for (Pattern named : List.of(TESTS, BENCHES)) {
      Matcher names = named.matcher(line);
      while (names.find()) {
        for (String name : Splitter.onPattern("[,|]").split(names.group(1))) {
          if (!sources().contains(name + ".java")) {
            faults.add(page.file() + ": there is no class " + name);
          }
        }
      }
    }
    Matcher execution = EXECUTION.matcher(line);
    if (execution.find()
        && !Files.readString(Path.of("pom.xml")).contains("<id>" + execution.group(1) + "</id>")) {
      faults.add(page.file() + ": pom.xml has no execution " + execution.group(1));
    }
  }

  /** The names of the sources of tests and benchmarks. */
  private static ImmutableSet<String> sources() throws IOException {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (String root : List.of("test", "bench")) {
      try (Stream<Path> files = Files.walk(Path.of("src", root, "java"))) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      }
    }
    return names.build();
  }

  /** Puts the files of {@code testdata/docs} into a folder, in the forms that their names say. */
  private static void giveFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(GIVEN)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".program")) {
          CommandRun.write(
              folder.resolve(name.replace(".program", ".pdmodel")), Files.readString(file));
        } else if (name.endsWith(".onnx.textproto")) {
          Path model = folder.resolve(name.replace(".textproto", ""));
          CommandRun run = CommandRun.of("convert", file, "-o", model);
          assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
        } else if (!name.equals("README")) {
          Files.copy(file, folder.resolve(name));
        }
      }
    }
  }
}
