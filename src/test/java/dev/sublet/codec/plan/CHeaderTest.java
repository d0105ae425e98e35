package dev.sublet.codec.plan;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers are compiled without a warning, and their constants are the plan's. */
class CHeaderTest {

  private static final Pattern DEFINE =
      Pattern.compile(
          "(?m)^#define (\\w+?_(ARENA|OFFSET|BYTES|ALIGNMENT|ALLOCATIONS|AT|ARENAS))\\b");

  private static final ImmutableList<String> STRICT =
      ImmutableList.of("-Wall", "-Wextra", "-Werror", "-pedantic");

  @TempDir private Path folder;

  private static String header(MemoryPlan plan) {
    PlanSubject subject = PlanSubject.unknown().withTitle("1st.plan");
    return new String(
        PlanWriter.toBytes(plan, PlanFormat.HEADER, subject, new DiagnosticLog()), UTF_8);
  }

  private static Allocation at(String name, long offset, long bytes, MultiView... views) {
    return new Allocation(
        new VariableId(0, name),
        0,
        offset,
        bytes,
        ImmutableList.of(new Interval(0, 2), new Interval(3, Integer.MAX_VALUE)),
        views.length == 0 ? Optional.empty() : Optional.of(views[0]));
  }

  private static MultiView rotation(int block, long first, long... offsets) {
    ImmutableList.Builder<MultiView> views = ImmutableList.builder();
    for (long offset : offsets) {
      views.add(new MultiView.FixedView(offset));
    }
    Optional<MultiView> start =
        first < 0 ? Optional.empty() : Optional.of(new MultiView.FixedView(first));
    return new MultiView.Rotation(block, start, views.build());
  }

  private static MultiView nested() {
    return new MultiView.Rotation(
        2,
        Optional.of(new MultiView.FixedView(1L << 40)),
        ImmutableList.of(rotation(1, 3, 4, 5), rotation(1, -1, 6, 7, 8)));
  }

  /** Names that mean something in C, large numbers, and all kinds of views. */
  private static MemoryPlan hard() {
    return new MemoryPlan(
        "*/ /* ??/\n\\",
        "a\u202Eb??/\n*/",
        1,
        ExecutionOrder.SEQUENTIAL,
        ImmutableList.of(
            new Arena("cpu", Long.MAX_VALUE / 2, 8, 64),
            new Arena("*/", 3, 3, 48),
            new Arena("", 0, 0, 1)),
        ImmutableList.of(
            at("x", 0, 4),
            at("x", (1L << 31) - 1, 1),
            at("x_0", 1L << 31, 2),
            at("X", (1L << 32) - 1, 0),
            at("int", 1L << 32, 1L << 33),
            at("*/ /* // ??/ \\", (1L << 53) + 1, 8),
            at("ARENA_0", 1, 2),
            at("\u202Eевро\ud83d\ude00", 2, 3),
            at("\udc80\n\r\t", 2, 3),
            at("y".repeat(5000), 2, 3),
            at("moved", 0, 8, rotation(1, -1, 0, 8, 1L << 35)),
            at("first", 16, 8, rotation(3, 16, 0, 8)),
            at("nested", 1L << 40, 8, nested())),
        ImmutableList.of(new Unplanned(new VariableId(7, "*/"), "why /* not\\")),
        ImmutableList.of(
            new Alias(new VariableId(0, "x\\"), new VariableId(0, "*/"), "*/ int y;", 7)),
        ImmutableList.of(
            new UnneededCopy(1, 2, new VariableId(0, "*/"), new VariableId(0, "/*"), 4)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cc -std=c99", "cc -std=c17", "c++"})
  void whatCompilersSee_isThePlan(String compiler) throws Exception {
    assumeTrue(works(compiler), "skipped: there is no " + compiler);
    check(compiler, hard());
    check(
        compiler,
        new MemoryPlan(
            "",
            "p",
            1,
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of()));
    for (int seed = 0; seed < 3; seed++) {
      TranspileOptions options = TranspileOptions.defaults();
      check(compiler, Transpiler.plan(RandomPrograms.generate(seed, 10), options).plan());
      check(
          compiler,
          Transpiler.plan(ProgramText.parse(RandomLoops.generate(seed, true)), options).plan());
    }
  }

  private void check(String compiler, MemoryPlan plan) throws Exception {
    String header = header(plan);
    Files.writeString(folder.resolve("plan.h"), header);
    List<String> names = new ArrayList<>();
    Matcher matcher = DEFINE.matcher(header);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    assertThat(names).containsNoDuplicates();
    boolean cpp = compiler.startsWith("c++");
    Path source = folder.resolve(cpp ? "main.cpp" : "main.c");
    Files.writeString(source, program(header, names));
    List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
    command.addAll(STRICT);
    command.addAll(List.of(source.toString(), "-o", folder.resolve("main").toString()));
    assertWithMessage("%s", command).that(run(command)).isEmpty();

    String printed = run(List.of(folder.resolve("main").toString()));

    assertThat(printed.lines().toList()).containsExactlyElementsIn(expected(plan)).inOrder();
  }

  /** Prints all constants in their order, and the macros with one argument for all loops. */
  private static String program(String header, List<String> names) {
    StringBuilder text = new StringBuilder("#include \"plan.h\"\n#include \"plan.h\"\n");
    text.append("#include <stdio.h>\nint main(void) {\n");
    for (String name : names) {
      String word = name.substring(name.lastIndexOf('_') + 1);
      if (word.equals("AT")) {
        Matcher parameters = Pattern.compile(name + "\\(([^)]*)\\)").matcher(header);
        assertThat(parameters.find()).isTrue();
        String arguments = parameters.group(1).replaceAll("n\\d+", "n");
        text.append("  for (int n = 0; n < 9; n++) printf(\"AT %llu\\n\", (unsigned long long)");
        text.append(name).append("(").append(arguments).append("));\n");
      } else {
        text.append("  { static const size_t c = ").append(name).append(";");
        text.append(" printf(\"").append(word).append(" %llu\\n\", (unsigned long long)c); }\n");
      }
    }
    return text.append("  return 0;\n}\n").toString();
  }

  private static List<String> expected(MemoryPlan plan) {
    List<String> lines = new ArrayList<>();
    lines.add("ARENAS " + plan.arenas().size());
    for (Arena arena : plan.arenas()) {
      lines.add("BYTES " + arena.bytes());
      lines.add("ALIGNMENT " + arena.alignment());
    }
    VariableId last = new VariableId(99, "");
    for (Allocation allocation : plan.allocations()) {
      VariableId variable = allocation.variable();
      long count =
          plan.allocations().stream().filter(other -> other.variable().equals(variable)).count();
      if (count > 1 && !variable.equals(last)) {
        lines.add("ALLOCATIONS " + count);
      }
      last = variable;
      lines.add("ARENA " + allocation.arena());
      lines.add("OFFSET " + allocation.offset());
      lines.add("BYTES " + allocation.bytes());
      for (int n = 0; allocation.views().isPresent() && n < 9; n++) {
        long iterations = n;
        lines.add("AT " + allocation.offset(block -> iterations));
      }
    }
    return lines;
  }

  @Test
  void theExampleOfAnArena_canBeCompiled() throws Exception {
    assumeTrue(works("cc -std=c11"), "skipped: there is no cc");
    String header =
        header(
            hard()
                .withArenas(
                    ImmutableList.of(
                        new Arena("cpu", 64, 8, 64),
                        new Arena("cpu", 64, 8, 32),
                        new Arena("cpu", 0, 0, 1))));
    StringBuilder source = new StringBuilder("#include <stdalign.h>\n").append(header);
    Matcher example = Pattern.compile("(?m)^ \\*   (static alignas.*;)$").matcher(header);
    int examples = 0;
    while (example.find()) {
      source.append(example.group(1)).append('\n');
      examples++;
    }
    source.append(
        "int main(void) { arena0[0] = 1; arena1[0] = 2; return arena0[0] - arena1[0]; }\n");
    Path file = Files.writeString(folder.resolve("example.c"), source);
    List<String> command = new ArrayList<>(List.of("cc", "-std=c11"));
    command.addAll(STRICT);
    command.addAll(List.of(file.toString(), "-o", folder.resolve("example").toString()));
    assertThat(run(command)).isEmpty();
    assertThat(examples).isEqualTo(2);
  }

  private boolean works(String compiler) throws InterruptedException {
    try {
      Path source = Files.writeString(folder.resolve("empty.c"), "int main(void) { return 0; }\n");
      List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
      command.addAll(List.of(source.toString(), "-o", folder.resolve("empty").toString()));
      run(command);
      return Files.exists(folder.resolve("empty"));
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }
}
