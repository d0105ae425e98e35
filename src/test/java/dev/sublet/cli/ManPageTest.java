package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManPageTest {

  private static final String PAGE = ManPage.of("1.2.3");

  @TempDir private Path folder;

  @Test
  void verbsAndOptions_areThoseOfTheHelp() {
    assertThat(PAGE).startsWith(".TH SUBLET 1 \"\" \"Sublet 1.2.3\"\n");
    assertThat(PAGE).contains(".SS sublet optimize [OPTIONS] IN\n");
    assertThat(PAGE).contains(".SS sublet completion [OPTIONS] [SHELL]\n");
    assertThat(PAGE).contains(".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIOUT\\fR\n");
    assertThat(PAGE).contains(".TP\n\\fB\\-\\-release\\fR\n");
  }

  /** A line that begins with a point or an apostrophe would be a request to roff. */
  @Test
  void textIsNoRequest() {
    List<String> requests =
        List.of(".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".B", ".I", ".RI");
    for (String line : PAGE.lines().toList()) {
      if (line.startsWith(".") || line.startsWith("'")) {
        assertThat(requests).contains(line.replaceFirst(" .*", ""));
      }
    }
    assertThat(PAGE.replaceAll("\\\\(f[BIR]|e|-|&)", "")).doesNotContain("\\");
  }

  @Test
  void groff_hasNothingToSay() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "skipped: there is no groff");
    Path page = Files.writeString(folder.resolve("sublet.1"), PAGE);

    Process groff =
        new ProcessBuilder("groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z", page.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(groff.getInputStream().readAllBytes(), UTF_8);

    assertWithMessage(output).that(groff.waitFor()).isEqualTo(0);
    assertThat(output).isEmpty();
  }
}
