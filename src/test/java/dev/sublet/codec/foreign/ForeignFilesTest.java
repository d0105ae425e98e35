package dev.sublet.codec.foreign;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.codec.foreign.ForeignSamples.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.google.common.primitives.Bytes;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.ProgramException;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.onnx.ModelProto;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of other tools are named, and what is ours is never taken for theirs. */
class ForeignFilesTest {

  private static final Path GOLDENS = Path.of("testdata");

  @TempDir private Path folder;

  /** The one line with which the reading of a program fails. */
  private String failure(Path path) {
    ProgramException e = assertThrows(ProgramException.class, () -> ProgramReader.read(path));
    assertThat(e.diagnostics()).hasSize(1);
    Diagnostic diagnostic = e.diagnostics().get(0);
    assertThat(diagnostic.kind()).isEqualTo(Diagnostic.Kind.UNREADABLE);
    assertThat(diagnostic.location().file()).isEqualTo(path.toString());
    assertThat(diagnostic.toString()).doesNotContain("\n");
    return diagnostic.toString().replace(folder + "/", "");
  }

  private Path write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  @Test
  void everyFormat_isNamedInOneLine() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, byte[]> sample : ForeignSamples.files().entrySet()) {
      lines.append(failure(write(sample.getKey(), sample.getValue()))).append('\n');
    }
    for (Path directory : folders()) {
      lines.append(failure(directory)).append('\n');
    }
    GoldenPrograms.in(GOLDENS)
        .folder("foreign")
        .expect()
        .text("messages.txt", lines.toString())
        .check();
    for (ForeignFormat format : ForeignFormat.values()) {
      assertThat(lines.toString()).contains(format.message());
    }
  }

  private List<Path> folders() throws IOException {
    for (String name : List.of("inference.json", "inference.pdiparams")) {
      write("paddle3/" + name, ForeignSamples.file(name));
    }
    write("paddle3/inference.yml", text("Global:\n  model_name: x\n"));
    write("saved/saved_model.pb", ForeignSamples.file("saved_model.pb"));
    write("saved/variables/variables.index", new byte[] {1});
    write("model.mlpackage/Manifest.json", text("{\"fileFormatVersion\": \"1.0.0\"}"));
    write(
        "model.mlpackage/Data/com.apple.CoreML/model.mlmodel",
        ForeignSamples.file("model.mlmodel"));
    write("hub/config.json", text("{\"model_type\": \"bert\"}"));
    write("hub/model.safetensors", ForeignSamples.file("model.safetensors"));
    write("openvino/model.bin", new byte[64]);
    write("openvino/model.xml", ForeignSamples.file("model.xml"));
    write("nothing/notes.txt", text("no model here\n"));
    return Stream.of("paddle3", "saved", "model.mlpackage", "hub", "openvino", "nothing")
        .map(folder::resolve)
        .toList();
  }

  @Test
  void theContentDecides_notTheName() throws IOException {
    for (Map.Entry<String, byte[]> sample : ForeignSamples.files().entrySet()) {
      // What has no signature of its own is told by its name.
      if (!sample.getKey().matches("model\\.mnn|model\\.onnx.data|train\\.pdparams")) {
        String named = failure(write(sample.getKey(), sample.getValue()));
        String other = failure(write("other.pdmodel", sample.getValue()));
        assertThat(other).isEqualTo(named.replaceFirst("^[^:]*", "other.pdmodel"));
      }
    }
  }

  @Test
  void aPlanThatIsAnotherFile_isNamedToo() throws IOException {
    byte[] model = ForeignSamples.file("saved_model.pb");
    ProgramException e =
        assertThrows(ProgramException.class, () -> PlanReader.parse(model, "saved_model.pb"));
    assertThat(e)
        .hasMessageThat()
        .startsWith("saved_model.pb: this is a TensorFlow SavedModel; Sublet reads");
  }

  @Test
  void aFileThatIsTooLarge_isNamedByItsHead() throws IOException {
    Path file = write("large", ForeignSamples.file("model.gguf"));
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(3L << 30); // Sparse: it takes no room.
    }
    assertThat(failure(file)).startsWith("large: this is a GGUF file");
    Files.write(file, new byte[1]);
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(3L << 30);
    }
    assertThat(failure(file))
        .isEqualTo("large: the file is larger than 2 GiB, which protobuf does not allow");
  }

  @Test
  void whatOnlyLooksAlike_isNotNamed() throws IOException {
    assertThat(failure(write("graph.binarypb", ForeignSamples.mediaPipe())))
        .startsWith("graph.binarypb: not a ProgramDesc, or a damaged one");
    assertThat(failure(write("any.pickle", ForeignSamples.file("train.pdparams"))))
        .startsWith("any.pickle: a Python pickle; old fluid __model__ pickles");
  }

  @Test
  void aFolder_isNotLeft() throws IOException {
    Path outside = write("inference.json", ForeignSamples.file("inference.json"));
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Files.createSymbolicLink(inner.resolve("inference.json"), outside);
    assertThat(failure(inner))
        .isEqualTo("inner: the directory holds no __model__, no .pdmodel and no .onnx file");
  }

  @Test
  void aFolderWithPrograms_isNotExplained() throws IOException {
    write("two/inference.json", ForeignSamples.file("inference.json"));
    write("two/a.pdmodel", new byte[1]);
    write("two/b.pdmodel", new byte[1]);
    assertThat(failure(folder.resolve("two")))
        .isEqualTo("two: the directory holds several programs, name one: a.pdmodel, b.pdmodel");
  }

  /** Serialized programs and models from the folders of test data. */
  private static List<byte[]> ownFiles() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (String name : List.of("share", "examples", "picture", "onnx")) {
      try (Stream<Path> paths = Files.walk(GOLDENS.resolve(name))) {
        for (Path path : paths.filter(file -> file.toString().endsWith(".textproto")).toList()) {
          Message.Builder message =
              name.equals("onnx") ? ModelProto.newBuilder() : ProgramDesc.newBuilder();
          byte[] text = Files.readAllBytes(path);
          try {
            TextFormat.merge(new String(text, UTF_8), message);
          } catch (TextFormat.ParseException e) {
            continue; // a plan, or an expected file in another form
          }
          files.add(text);
          files.add(message.build().toByteArray());
        }
      }
    }
    assertThat(files.size()).isAtLeast(50);
    return files;
  }

  @Test
  void ownFiles_haveNoForeignSignature_evenIfDamaged() throws IOException {
    Random random = new Random(1);
    for (byte[] file : ownFiles()) {
      for (int i = 0; i < 200; i++) {
        byte[] damaged = i % 2 == 0 ? file.clone() : Arrays.copyOf(file, 1 + file.length * i / 200);
        for (int change = 0; change < i % 5; change++) {
          int position = random.nextInt(Math.min(damaged.length, 1 << random.nextInt(14)));
          damaged[position] = (byte) random.nextInt(256);
        }
        assertWithMessage("%s", i)
            .that(ForeignFiles.recognize(FileSample.of("in.pdmodel", damaged)))
            .isEmpty();
      }
    }
  }

  /** Whatever follows a signature, and wherever a file ends, there is one line. */
  @Property(tries = 500)
  void damagedSamples_areOneLine(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<byte[]> samples = ForeignSamples.files().values().asList();
    byte[] sample = samples.get(random.nextInt(samples.size()));
    byte[] noise = new byte[random.nextInt(100)];
    random.nextBytes(noise);
    byte[] bytes = Bytes.concat(Arrays.copyOf(sample, random.nextInt(sample.length + 1)), noise);
    for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(Math.min(bytes.length, 64))] = (byte) random.nextInt(256);
    }
    String name = ForeignSamples.files().keySet().asList().get(random.nextInt(samples.size()));
    ProgramException e =
        assertThrows(ProgramException.class, () -> ProgramReader.parse(bytes, name));
    assertThat(e.exitCode()).isEqualTo(3);
    assertThat(e.diagnostics().get(0).toString()).doesNotContain("\n");
    assertThat(e.diagnostics().get(0).location().file()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#\n",
        "# ",
        "#",
        "<!-- -->",
        "<!--",
        "name: 'x'\n",
        "name: 'x' # \n",
        "input_shape {}",
        "layer {",
        "layer { a {} ",
        "{ ",
        "{}",
        "\"base_code\":",
        "PK\3\4",
        "PK\1\2",
        "\n",
        "\0",
      })
  void repetitions_takeNoTime(String part) {
    for (String start : List.of("", "layer { ", "<?xml", "{ \"base_code\": {", "node { name: \"")) {
      byte[] bytes = text(start + part.repeat(20_000));
      assertTimeout(
          Duration.ofSeconds(2),
          () -> ForeignFiles.recognize(FileSample.of("x.mnn", bytes)).isPresent());
    }
  }
}
