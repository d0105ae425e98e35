package dev.sublet.compile;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sublet.cli.CommandRun;
import dev.sublet.codec.tensor.NpyReader;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.testing.c.CCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example for a Cortex-M4, {@code testdata/examples/keyword_spotting}, as {@code
 * docs/microcontroller.md} builds it: it fits, and computes the bits of {@code sublet run}.
 */
final class MicrocontrollerExampleTest {

  private static final Path EXAMPLE = Path.of("testdata", "examples", "keyword_spotting");
  private static final Path CHIP = EXAMPLE.resolve("cortex_m4");
  private static final Pattern SIZES =
      Pattern.compile("\\s*(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+\\d+\\s.*");
  private static final Pattern STACK = Pattern.compile("bytes of stack (\\d+)");

  @TempDir private Path folder = Path.of("");

  @Test
  void firmware_computesTheBitsOfRun() throws Exception {
    for (String command : List.of("make", "arm-none-eabi-gcc", "qemu-system-arm")) {
      assumeTrue(CCompiler.isInstalled(command), "not on the path: " + command + ": not tested");
    }
    Path program = EXAMPLE.resolve("program.textproto");
    sublet("compile", program, "-o", folder, "--capacity", "128KiB");
    sublet("run", program, "--save", folder, "--feed", "features=" + CHIP.resolve("features.npy"));
    String makefile = CHIP.resolve("Makefile").toAbsolutePath().toString();
    for (String option : List.of("-Os", "-O2")) {
      Files.deleteIfExists(folder.resolve("firmware.elf"));
      String printed =
          CCompiler.find()
              .run(folder, List.of("make", "-f", makefile, "MODEL=.", "CFLAGS=" + option, "run"));
      assertThat(number(STACK, printed)).isAtMost(1280);
      checkSizes(printed);
      Tensor expected = NpyReader.read(folder.resolve("0_scores.npy"));
      byte[] scores = Files.readAllBytes(folder.resolve("scores.bin"));
      assertThat(TensorBytes.get(expected.type(), expected.shape(), scores, 0)).isEqualTo(expected);
      Files.delete(folder.resolve("scores.bin"));
    }
  }

  /** Flash is little more than the constants, and RAM little more than the arena and the stack. */
  private static void checkSizes(String printed) {
    for (String line : printed.split("\n", -1)) {
      Matcher sizes = SIZES.matcher(line);
      if (sizes.matches()) {
        long data = Long.parseLong(sizes.group(2));
        assertThat(Long.parseLong(sizes.group(1)) + data).isAtMost(112 << 10);
        assertThat(Long.parseLong(sizes.group(3)) + data).isAtMost(68 << 10);
        return;
      }
    }
    assertWithMessage(printed).fail();
  }

  private static long number(Pattern pattern, String printed) {
    Matcher matcher = pattern.matcher(printed);
    assertWithMessage(printed).that(matcher.find()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static void sublet(Object... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
  }
}
