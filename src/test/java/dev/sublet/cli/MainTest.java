package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static picocli.CommandLine.Help.Ansi.OFF;

import dev.sublet.cli.console.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What all commands have in common: usage, help, exit codes, streams. */
class MainTest {

  private static final Streams NO_STREAMS =
      new Streams(
          InputStream.nullInputStream(),
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));

  @TempDir private Path folder;

  @Test
  void aVerbIsDescribedAlone_orWithAllOthers() {
    CommandLine all = Main.commandLine(new String[0], NO_STREAMS);
    assertThat(all.getSubcommands().size()).isAtLeast(10);
    all.getSubcommands()
        .forEach(
            (name, verb) -> {
              assertThat(verb.getCommandSpec().name()).isEqualTo(name);
              CommandLine alone = Main.commandLine(new String[] {name}, NO_STREAMS);
              assertThat(alone.getSubcommands().keySet()).containsExactly(name);
              assertThat(CommandRun.of(name, "--help").text()).isEqualTo(verb.getUsageMessage(OFF));
            });
  }

  @Test
  void everyOptionWithAValue_hasADefaultAndAnExample() {
    for (CommandLine verb : Main.commandLine(new String[0], NO_STREAMS).getSubcommands().values()) {
      for (OptionSpec option : verb.getCommandSpec().options()) {
        if (option.arity().max() > 0) {
          String description = String.join(" ", option.description());
          assertWithMessage("%s", description)
              .that(description)
              .containsMatch("(Default: .*|Required\\. )Example: (.* )?-");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "                         | name a verb: optimize, plan, verify, inspect, liveness, explain, diff, check, run, compile, convert, report, ops, micro, plugin, completion (see sublet --help)",
        "optimise                 | there is no verb 'optimise'; did you mean 'optimize'? The verbs are: optimize, plan, verify, inspect, liveness, explain, diff, check, run, compile, and 6 more (see sublet --help)",
        "zzz                      | there is no verb 'zzz'; the verbs are: optimize, plan, verify, inspect, liveness, explain, diff, check, run, compile, and 6 more (see sublet --help)",
        "--no                     | there is no option '--no'; the options are: --version, --help (see sublet --help)",
        "optimize m --polcy pool  | there is no option '--polcy'; did you mean '--policy'? The options are: --output, --plan, --schedule, --constants, --shape, --batch, --lod, --value, --fetch, --keep, and 33 more (see sublet optimize --help)",
        "optimize m --polcy=pool  | there is no option '--polcy=pool'; did you mean '--policy'? The options are: --output, --plan, --schedule, --constants, --shape, --batch, --lod, --value, --fetch, --keep, and 33 more (see sublet optimize --help)",
        "optimize                 | Missing required parameter: 'IN' (see sublet optimize --help)",
        "optimize --helpp         | there is no option '--helpp'; did you mean '--help'? The options are: --output, --plan, --schedule, --constants, --shape, --batch, --lod, --value, --fetch, --keep, and 33 more (see sublet optimize --help)",
        "inspect m n              | there is no place for the argument 'n' (see sublet inspect --help)",
        "plan                     | Missing required parameter: 'IN' (see sublet plan --help)",
        "optimize m               | nothing to write: name the rewritten program with -o OUT, its plan with --plan P, or a picture with --report R",
        "inspect m --batch 0      | Invalid value for option '--batch': '0' is not a whole number from 1 (see sublet inspect --help)",
        "inspect m --shape x=2,0  | Invalid value for option '--shape' (NAME=D,D,…): '0' in 'x=2,0' is not an extent; extents are whole numbers from 1 (see sublet inspect --help)",
        "optimize m --policy some | Invalid value for option '--policy': 'some' is not a valid word; the words are: pool, global, best (see sublet optimize --help)",
        "optimize m --level exat  | Invalid value for option '--level': 'exat' is not a valid word; did you mean 'exact'? The words are: exact, fit (see sublet optimize --help)",
        "plan m -o p --align 3TB  | Invalid value for option '--align': '3TB' is not a size; write bytes, or a whole number of KiB, MiB, GiB, KB, MB, GB (see sublet plan --help)",
        "plan m --nodes -1        | Invalid value for option '--nodes': '-1' is not a whole number from 0 (see sublet plan --help)",
        "plan m --timeout 5       | Invalid value for option '--timeout': '5' is not a time; write a whole number from 1 and s or ms, such as 5s (see sublet plan --help)",
        "plan m --timeout 0ms     | Invalid value for option '--timeout': '0ms' is not a time; write a whole number from 1 and s or ms, such as 5s (see sublet plan --help)",
        "plan m --buffer-order up | Invalid value for option '--buffer-order': 'up' is not a valid word; the words are: size, area, duration, start, conflicts (see sublet plan --help)",
        "plan m --capacity 0      | Invalid value for option '--capacity': '0' is not a size; write bytes, or a whole number of KiB, MiB, GiB, KB, MB, GB (see sublet plan --help)",
        "plan m --report p.png    | 'p.png' is not the name of a picture; name it .html or .svg",
        "optimize m --report p    | 'p' is not the name of a picture; name it .html or .svg",
        "report p -o p.pdf        | 'p.pdf' is not the name of a picture; name it .html or .svg",
        "report - --program -     | standard input can be read only once",
        "plan m --color some      | Invalid value for option '--color': 'some' is not a valid word; the words are: auto, always, never (see sublet plan --help)",
        "plugin --max-request 2GiB | --max-request is 2,147,483,648 bytes (2.00 GiB); it must be less than 2GiB",
        "plugin --max-request 0   | Invalid value for option '--max-request': '0' is not a size; write bytes, or a whole number of KiB, MiB, GiB, KB, MB, GB (see sublet plugin --help)",
        "verify m                 | nothing to verify: name a rewritten program, or a --plan P",
        "verify - -               | standard input can be read only once",
        "liveness m v --raw       | --raw shows all variables; leave VAR out",
        "liveness m v --top 3     | --top selects from all variables; leave VAR out",
        "liveness m --at 3 --dot  | --at selects from all variables; leave --dot out",
        "liveness m --sort name   | Invalid value for option '--sort': 'name' is not a valid word; did you mean 'time'? The words are: bytes, time (see sublet liveness --help)",
        "ops relu --all           | --all lists operators; leave relu out",
      })
  void aWrongCommandLine_isOneLineAndExitCode2(String arguments, String message) {
    Object[] split = arguments == null ? new Object[0] : arguments.split(" ");

    CommandRun run = CommandRun.of(split);

    assertThat(run.errors()).isEqualTo("error: " + message + "\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.text()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "optimize",
        "plan",
        "verify",
        "inspect",
        "liveness",
        "run",
        "compile",
        "convert",
        "report",
        "ops",
        "micro",
        "plugin"
      })
  void everyVerb_hasHelpWithExamplesOnStandardOutput(String verb) {
    CommandRun run = CommandRun.of(verb, "--help");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).isEmpty();
    assertThat(run.text()).startsWith("Usage: sublet " + verb + " ");
    assertThat(run.text()).contains("\nExamples:\n  sublet " + verb);
    assertThat(run.text()).doesNotContain("\u001B");
    assertThat(CommandRun.of("--help").text()).contains("\n  " + verb + " ");
  }

  @Test
  void version_isOneLine() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).matches("sublet .+\n");
  }

  /** The parser of options would write a warning of its own past our streams. */
  @Test
  void aNameWithOneQuote_isNothingToWarnOf() {
    PrintStream before = System.err;
    ByteArrayOutputStream stray = new ByteArrayOutputStream();
    System.setErr(new PrintStream(stray, /* autoFlush= */ true, StandardCharsets.UTF_8));
    try {
      CommandRun.of("inspect", "nowhere.pdmodel", "--fetch", "a\"b");
    } finally {
      System.setErr(before);
    }
    assertThat(stray.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void anInputThatIsNotThere_isOneLineAndExitCode3() {
    CommandRun run = CommandRun.of("inspect", folder.resolve("none"));

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors()).isEqualTo("error: " + folder.resolve("none") + ": no such file\n");
  }

  @Test
  void aNameWithALineFeed_doesNotBreakTheLine() throws IOException {
    Path file = CommandRun.write(folder.resolve("in"), CommandRun.CHAIN);

    CommandRun run = CommandRun.of("liveness", file, "a\nb");

    assertThat(run.errors()).startsWith("error: no block declares 'a\\x0Ab'; the variables are: ");
    assertThat(run.errorLines()).hasSize(1);
  }

  @Test
  void aNameThatBeginsWithAt_isNoFileOfArguments() throws IOException {
    Path file = CommandRun.write(folder.resolve("in"), CommandRun.CHAIN);
    CommandRun.write(folder.resolve("x.txt"), CommandRun.CHAIN);

    CommandRun run = CommandRun.of("liveness", file, "@" + folder.resolve("x.txt"));

    assertThat(run.errors())
        .startsWith("error: no block declares '@" + folder.resolve("x.txt") + "'; ");
  }

  @Test
  void aBugOfOurs_hasAStackTraceAndExitCode70() {
    String errors =
        errorsOf(
            70,
            () -> {
              throw new IllegalStateException("planted");
            });

    assertThat(errors)
        .startsWith(
            "error: internal error; this is a bug in Sublet\n"
                + "java.lang.IllegalStateException: planted\n\tat ");
  }

  @Test
  void tooLittleStackOrMemory_isOneLineAndExitCode4() {
    String stack =
        errorsOf(
            4,
            () -> {
              throw new StackOverflowError();
            });
    String memory =
        errorsOf(
            4,
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    String array =
        errorsOf(
            4,
            () -> {
              throw new OutOfMemoryError("Requested array size exceeds VM limit");
            });

    assertThat(stack)
        .isEqualTo(
            "error: the stack is exhausted: blocks, graphs or expressions are nested too deeply\n");
    assertThat(memory)
        .matches(
            "error: out of memory: the Java heap of [0-9]+ MiB is too small; enlarge it, for"
                + " example with SUBLET_JAVA_OPTS=-Xmx[0-9]+g\n");
    assertThat(array)
        .isEqualTo(
            "error: out of memory: something takes more than the 2 GiB of the longest array, which"
                + " no larger heap allows\n");
  }

  /** Standard error of a command in the middle of which something happens. */
  private static String errorsOf(int exitCode, Runnable fault) {
    InputStream broken =
        new ByteArrayInputStream(new byte[0]) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            fault.run();
            return super.read(bytes, offset, length);
          }
        };
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    String[] arguments = {"inspect", "-"};
    PrintStream nowhere = print(OutputStream.nullOutputStream());
    assertThat(Main.run(arguments, broken, nowhere, print(errors))).isEqualTo(exitCode);
    return errors.toString(StandardCharsets.UTF_8);
  }

  @Test
  void standardOutputThatNobodyTakes_isAnError() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    InputStream none = new ByteArrayInputStream(new byte[0]);

    int exitCode = Main.run(new String[] {"ops"}, none, print(full), print(errors));

    assertThat(exitCode).isEqualTo(2);
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .isEqualTo("error: <stdout>: standard output cannot be written\n");
  }

  @Test
  void theLocale_changesNothing() throws IOException {
    Path file = CommandRun.write(folder.resolve("in"), CommandRun.CHAIN);
    byte[] expected = CommandRun.of("inspect", file).output();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(CommandRun.of("inspect", file).output()).isEqualTo(expected);
    } finally {
      Locale.setDefault(before);
    }
  }

  private static PrintStream print(OutputStream stream) {
    return new PrintStream(stream, true, StandardCharsets.UTF_8);
  }
}
