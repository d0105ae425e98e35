package dev.sublet.golden;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link GoldenPrograms} accepts, what it says to the rest, and when it writes. */
final class GoldenProgramsTest {

  /** A switch of this test's own: that of our goldens may be on. */
  private static final String SWITCH = "sublet.test.updateGoldens";

  private static final String CHAIN =
      """
      version 2004000
      default fp32[8]
      block 0
      feed x
      a = relu(x)
      b = tanh(a)
      c = sigmoid(b)
      fetch(c)
      """;

  @TempDir private Path folder;

  @AfterEach
  void switchOff() {
    System.clearProperty(SWITCH);
  }

  private GoldenPrograms goldens() {
    return GoldenPrograms.in(folder).withUpdateSwitch(SWITCH);
  }

  private Path write(String file, String content) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, content);
  }

  private Path writeProgram(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.write(path, bytes(text, ProgramFormat.ofFileName(path)));
  }

  private static byte[] bytes(String text, ProgramFormat format) {
    return ProgramWriter.toBytes(ProgramText.parse(text), format, new DiagnosticLog());
  }

  private static UnaryOperator<Program> always(String text) {
    return program -> ProgramText.parse(text);
  }

  private static String message(org.junit.jupiter.api.function.Executable test) {
    return String.valueOf(assertThrows(AssertionError.class, test).getMessage());
  }

  /** Every file below the folder, with its content. */
  private List<String> everything() throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        files.add(folder.relativize(path) + " " + Files.readString(path, UTF_8));
      }
    }
    return files;
  }

  @Test
  void sameProgram_passes_inWhateverForm() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    writeProgram("a/out.json", CHAIN);
    writeProgram("b/in.json", CHAIN);
    writeProgram("b/out.textproto", CHAIN);
    List<String> before = everything();
    goldens().checkAll(UnaryOperator.identity());
    assertThat(everything()).isEqualTo(before);
    assertThat(goldens().cases().stream().map(GoldenCase::name).toList())
        .containsExactly("a", "b")
        .inOrder();
    goldens().folder("b").check(UnaryOperator.identity());
  }

  @Test
  void otherAttribute_isNamed() throws IOException {
    String with = CHAIN.replace("tanh(a)", "scale(a) {scale: 2.0}");
    writeProgram("a/in.textproto", CHAIN);
    writeProgram("a/out.textproto", with);
    String message =
        message(() -> goldens().checkAll(always(with.replace("scale: 2.0", "scale: 3.0"))));
    assertThat(message).contains("1 of 1 case failed\n" + folder.resolve("a"));
    assertThat(message).contains(": 1 file is not as expected\nout.textproto: another program\n");
    assertThat(message).contains("block 0, op 2 (scale)");
    assertThat(message).contains("scale");
    assertThat(message).endsWith("rerun with -D" + SWITCH + "=true and review the diff.");
  }

  @Test
  void orderOfOperators_counts() throws IOException {
    String wide = CHAIN.replace("b = tanh(a)", "b = tanh(a)\nd = exp(a)");
    writeProgram("a/in.textproto", wide);
    writeProgram("a/out.textproto", wide);
    String swapped = CHAIN.replace("b = tanh(a)", "d = exp(a)\nb = tanh(a)");
    assertThat(message(() -> goldens().checkAll(always(swapped)))).contains("another program");
  }

  @Test
  void renaming_isADifference_unlessAllowed() throws IOException {
    String renamed = CHAIN.replace("b", "q").replace("qlock", "block");
    String shared = CHAIN.replace("c", "a").replace("bloak", "block").replace("fetah", "fetch");
    writeProgram("a/in.textproto", CHAIN);
    writeProgram("a/out.textproto", CHAIN);
    assertThat(message(() -> goldens().checkAll(always(renamed)))).contains("renamed: b → q");
    goldens().withRenamings().checkAll(always(renamed));
    goldens().withRenamings().checkAll(always(shared));
    String wrong = CHAIN.replace("sigmoid(b)", "sigmoid(a)");
    assertThat(message(() -> goldens().withRenamings().checkAll(always(wrong))))
        .contains("block 0, op 3 (sigmoid)");
  }

  @Test
  void byteForByte_alsoComparesHowItIsWritten() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    Path out = writeProgram("a/out.textproto", CHAIN);
    Files.writeString(out, "# the same\n" + Files.readString(out));
    goldens().checkAll(UnaryOperator.identity());
    assertThat(message(() -> goldens().byteForByte().checkAll(UnaryOperator.identity())))
        .contains("the same, written otherwise\n  line 1 is 'blocks {'\n  instead of '# the same'");
  }

  @Test
  void missingFile_isAFailure_andNothingIsWritten() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    List<String> before = everything();
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity())))
        .contains("out.textproto: there is no such file\n");
    System.setProperty(SWITCH, "false");
    assertThrows(AssertionError.class, () -> goldens().checkAll(UnaryOperator.identity()));
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void updateSwitch_writesWhatDiffers_andOnlyThat() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    Path same = writeProgram("b/out.textproto", CHAIN);
    Files.writeString(same, "# by hand\n" + Files.readString(same));
    writeProgram("b/in.json", CHAIN);
    writeProgram("c/in.json", CHAIN);
    writeProgram("c/out.json", CHAIN.replace("tanh", "exp"));
    System.setProperty(SWITCH, "true");
    goldens().checkAll(UnaryOperator.identity());
    System.clearProperty(SWITCH);
    goldens().checkAll(UnaryOperator.identity());
    assertThat(Files.readString(same)).startsWith("# by hand\n");
    assertThat(Files.readAllBytes(folder.resolve("a/out.textproto")))
        .isEqualTo(bytes(CHAIN, ProgramFormat.TEXT));
    assertThat(Files.readAllBytes(folder.resolve("c/out.json")))
        .isEqualTo(bytes(CHAIN, ProgramFormat.JSON));
    assertThat(everything()).hasSize(6);
  }

  @Test
  void allCasesAndFiles_areInOneMessage() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    writeProgram("b/in.textproto", CHAIN);
    writeProgram("b/out.textproto", CHAIN);
    writeProgram("c/in.textproto", CHAIN);
    writeProgram("c/out.textproto", CHAIN.replace("tanh", "exp"));
    String message = message(() -> goldens().checkAll(UnaryOperator.identity()));
    assertThat(message).startsWith("2 of 3 cases failed\n" + folder.resolve("a"));
    assertThat(message).contains("\n" + folder.resolve("c"));
    assertThat(message).doesNotContain(folder.resolve("b").toString());
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity()))).isEqualTo(message);
  }

  @Test
  void noCases_isAFailure() throws IOException {
    assertThat(message(() -> goldens().cases())).endsWith("there is no folder in " + folder);
    assertThat(message(() -> goldens().files(".program")))
        .endsWith("there is no file *.program in " + folder);
    write("file.txt", "");
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity())))
        .endsWith("there is no folder in " + folder);
    Path nowhere = folder.resolve("nowhere");
    assertThat(message(() -> GoldenPrograms.in(nowhere).cases()))
        .isEqualTo("golden files: there is no folder " + nowhere);
    assertThat(message(() -> goldens().folder("nowhere"))).endsWith("no folder " + nowhere);
    assertThrows(IllegalArgumentException.class, () -> goldens().files(""));
  }

  @Test
  void noInput_orSeveral_isAFailure() throws IOException {
    write("a/README", "");
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity())))
        .contains(folder.resolve("a") + ": there is no in.*");
    writeProgram("a/in.textproto", CHAIN);
    writeProgram("a/in.json", CHAIN);
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity())))
        .contains(folder.resolve("a") + ": there is more than one in.*: [");
  }

  @Test
  void unreadableInput_isAFailure_thatSaysWhy() throws IOException {
    Path input = write("a/in.textproto", "blocks {");
    AssertionError error =
        assertThrows(AssertionError.class, () -> goldens().cases().get(0).program());
    assertThat(error).hasMessageThat().startsWith(input + ": ");
    assertThat(error).hasCauseThat().isInstanceOf(dev.sublet.diag.ProgramException.class);
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity())))
        .contains("1 of 1 case failed\n" + input + ": ");
  }

  @Test
  void unreadableExpectation_isAFailure_thatTheSwitchMends() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    write("a/out.textproto", "blocks {");
    assertThat(message(() -> goldens().checkAll(UnaryOperator.identity())))
        .contains("out.textproto: a program was made, but the file is none: ");
    System.setProperty(SWITCH, "true");
    goldens().checkAll(UnaryOperator.identity());
    System.clearProperty(SWITCH);
    goldens().checkAll(UnaryOperator.identity());
  }

  @Test
  void whatTheTranspilerThrows_isThrown() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    IllegalStateException bug = new IllegalStateException("bug");
    UnaryOperator<Program> broken =
        program -> {
          throw bug;
        };
    assertThat(assertThrows(IllegalStateException.class, () -> goldens().checkAll(broken)))
        .isSameInstanceAs(bug);
  }

  @Test
  void plans_areComparedByWhatTheySay() throws IOException {
    Path input = writeProgram("a/in.textproto", CHAIN);
    MemoryPlan plan =
        Transpiler.plan(ProgramReader.read(input), TranspileOptions.defaults()).plan();
    System.setProperty(SWITCH, "true");
    GoldenCase golden = goldens().cases().get(0);
    golden.expect().plan("plan.json", plan).plan("plan.pb", plan).check();
    System.clearProperty(SWITCH);
    Path json = folder.resolve("a/plan.json");
    Files.writeString(json, Files.readString(json).replaceAll("\\s+", " "));
    golden.expect().plan("plan.json", plan).plan("plan.pb", plan).check();

    Allocation first = plan.allocations().get(0);
    String message = message(() -> golden.expect().plan("plan.json", without(plan, first)).check());
    assertThat(message)
        .contains("plan.json: another plan\n  gone: " + first.variable() + ", it was ");
  }

  private static MemoryPlan without(MemoryPlan plan, Allocation gone) {
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.arenas(),
        plan.allocations().stream()
            .filter(allocation -> !allocation.equals(gone))
            .collect(ImmutableList.toImmutableList()),
        plan.unplanned(),
        plan.aliases());
  }

  @Test
  void filesOfATranspiler_areComparedByTheirContent() throws Exception {
    writeProgram("a.model.json", CHAIN);
    writeProgram("a.small.textproto", CHAIN);
    write("a.txt", "one\ntwo\n");
    Files.write(folder.resolve("a.bin"), new byte[] {(byte) 0xC0, 1, 2});
    GoldenCase golden = goldens().files(".model.json").get(0);
    assertThat(golden.name()).isEqualTo("a");
    assertThat(golden.folder()).isEqualTo(folder);
    byte[] program = bytes(CHAIN, ProgramFormat.BINARY);
    byte[] binary = {(byte) 0xC0, 1, 2};
    golden.checkFiles(
        input -> {
          assertThat(input).isEqualTo(folder.resolve("a.model.json"));
          return ImmutableMap.of(
              "a.txt", "one\ntwo\n".getBytes(UTF_8), "a.small.textproto", program, "a.bin", binary);
        });
    String message =
        message(
            () ->
                golden.checkFiles(
                    input ->
                        ImmutableMap.of(
                            "a.txt", "one\r\ntwo".getBytes(UTF_8),
                            "a.bin", new byte[] {(byte) 0xC0, 1},
                            "new/b.txt", new byte[0])));
    assertThat(message).contains(": 3 files are not as expected\n");
    assertThat(message)
        .contains("\na.bin: 2 bytes are equal, then it differs; 2 bytes instead of 3\n");
    assertThat(message).contains("\na.txt: line 1 is 'one\\r'\n  instead of 'one'\n");
    assertThat(message).contains("\nnew/b.txt: there is no such file\n");
    assertThat(message(() -> golden.checkFiles(input -> ImmutableMap.of())))
        .endsWith("the transpiler has made no file");
  }

  @Test
  void fileCases_haveTheirOutputBesideThem() throws IOException {
    writeProgram("a.model.json", CHAIN);
    System.setProperty(SWITCH, "true");
    goldens().files(".model.json").get(0).check(UnaryOperator.identity());
    System.clearProperty(SWITCH);
    assertThat(Files.exists(folder.resolve("a.out.textproto"))).isTrue();
    goldens().files(".model.json").get(0).check(UnaryOperator.identity());
  }

  @Test
  void emptyFile_isNoPlan() throws IOException {
    write("a/in.textproto", "");
    write("a/text", "words\n");
    ExpectedFiles expected = goldens().cases().get(0).expect().text("text", "");
    assertThat(message(expected::check)).contains("text: line 1 is ''\n  instead of 'words'\n");
  }

  @Test
  void misuse_isRefused() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    ExpectedFiles expected = goldens().cases().get(0).expect();
    assertThrows(IllegalStateException.class, expected::check);
    assertThrows(IllegalArgumentException.class, () -> expected.text("../out", ""));
    assertThrows(IllegalArgumentException.class, () -> expected.text(".", ""));
    assertThrows(
        IllegalArgumentException.class, () -> expected.text(folder.resolve("x").toString(), ""));
  }

  @Test
  void fileThatNothingMakes_isFound_andKept() throws IOException {
    writeProgram("a/in.textproto", CHAIN);
    write("a/README", "");
    write("a/text", "words\n");
    write("a/sub/more", "");
    Path stale = write("a/old.txt", "words\n");
    GoldenCase golden = goldens().folder("a");
    System.setProperty(SWITCH, "true");
    ExpectedFiles expected = golden.expect().text("text", "words\n").text("sub/more", "");
    assertThat(message(() -> expected.nothingElse("README").check()))
        .contains(": 1 file is not as expected\nold.txt: nothing makes this file\n");
    assertThat(Files.exists(stale)).isTrue();
    Files.delete(stale);
    golden.expect().text("text", "words\n").nothingElse("README", "sub").check();
  }

  /** Nothing is expected to be there: only how the files are found is looked at. */
  @Test
  void currentFolder_isAFolder() {
    for (Path here : ImmutableList.of(Path.of(""), Path.of("."))) {
      ExpectedFiles expected =
          GoldenPrograms.in(here).withUpdateSwitch(SWITCH).files(".xml").get(0).expect();
      assertThat(message(() -> expected.text("not/there.txt", "").check()))
          .contains("not/there.txt: there is no such file");
      assertThrows(IllegalArgumentException.class, () -> expected.text("../there.txt", ""));
    }
  }

  /** What an ONNX model holds beside its program counts. */
  @Test
  void annotatedModel_isAnotherModel() throws IOException {
    Path onnx = Path.of("testdata", "onnx");
    Path model;
    try (Stream<Path> list = Files.list(onnx)) {
      model = list.sorted().toList().get(0).resolve("model.textproto");
    }
    String text = Files.readString(model);
    write("a/in.textproto", text);
    write("a/out.textproto", text);
    GoldenCase golden = goldens().cases().get(0);
    golden.expect().text("out.textproto", text).check();
    String annotated = text + "\nmetadata_props { key: \"k\" value: \"v\" }\n";
    assertThat(message(() -> golden.expect().text("out.textproto", annotated).check()))
        .contains("out.textproto: the same program, another model\n");
  }
}
