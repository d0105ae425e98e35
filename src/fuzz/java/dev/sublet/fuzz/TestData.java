package dev.sublet.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.Message;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.testing.damage.MessageForm;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code testdata} holds of each kind of input.
 *
 * @param programs programs
 * @param models ONNX models
 * @param tables buffers in CSV
 * @param micros operators in micro ops
 */
record TestData(
    ImmutableList<ProgramDesc> programs,
    ImmutableList<ModelProto> models,
    ImmutableList<byte[]> tables,
    ImmutableList<byte[]> micros) {

  private static final Path FOLDER = Path.of("testdata");

  /** Larger ones would only make every case slow. */
  private static final int MOST_BYTES = 40_000;

  /** Reads all of it, in the order of the names. */
  static TestData read() throws IOException {
    List<ProgramDesc> programs = new ArrayList<>();
    for (String folder : List.of("share", "examples", "errors", "picture")) {
      for (byte[] text : files(folder, ".textproto")) {
        message(text, ProgramDesc.getDefaultInstance())
            .ifPresent(message -> programs.add((ProgramDesc) message));
      }
    }
    for (String folder : List.of("shape", "pinned", "formats")) {
      for (byte[] text : files(folder, ".program")) {
        programs.add(ProgramText.parseMessage(new String(text, UTF_8)));
      }
    }
    List<ModelProto> models = new ArrayList<>();
    for (byte[] text : files("onnx", ".textproto")) {
      message(text, ModelProto.getDefaultInstance())
          .ifPresent(message -> models.add((ModelProto) message));
    }
    return new TestData(
        ImmutableList.copyOf(programs),
        ImmutableList.copyOf(models),
        files("plan", ".csv"),
        ImmutableList.<byte[]>builder()
            .addAll(files("micro", ".micro"))
            .addAll(files("micro_errors", ".micro"))
            .build());
  }

  private static Optional<Message> message(byte[] text, Message prototype) {
    return MessageForm.TEXT.parse(text, prototype);
  }

  private static ImmutableList<byte[]> files(String folder, String extension) throws IOException {
    try (Stream<Path> paths = Files.walk(FOLDER.resolve(folder))) {
      ImmutableList.Builder<byte[]> files = ImmutableList.builder();
      for (Path path :
          paths.filter(each -> each.toString().endsWith(extension)).sorted().toList()) {
        byte[] bytes = Files.readAllBytes(path);
        if (bytes.length <= MOST_BYTES) {
          files.add(bytes);
        }
      }
      return files.build();
    }
  }
}
