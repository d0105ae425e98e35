package dev.sublet.codec.program;

import com.google.protobuf.Message;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.codec.foreign.ForeignFiles;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.onnx.ModelProto;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads programs. The content decides the form: a serialized {@code ProgramDesc} of any Paddle
 * version, protobuf text format, or JSON. The text forms may have the field names of Paddle 3 or
 * the earlier ones. An ONNX model in any of the three forms is translated to a program.
 *
 * <p>All methods throw a {@link ProgramException} with exit code 3, placed in the file, if the file
 * cannot be read, has the format of another tool ({@link ForeignFiles}), is damaged, or is not a
 * well-formed program. The meaning of operators is not checked. O(size of the file); the whole file
 * is in memory.
 */
public final class ProgramReader {

  private ProgramReader() {}

  /**
   * Reads a file, or the only {@code __model__}, {@code *.pdmodel} or {@code *.onnx} file in a
   * directory.
   */
  public static Program read(Path path) {
    return readWithFormat(path).program();
  }

  /**
   * As {@link #read}, and also returns the file's form, and warnings about content that the file
   * seems to have lost or that was left out.
   */
  public static ReadProgram readWithFormat(Path path) {
    Path file = path;
    byte[] bytes;
    try {
      file = InputFiles.programIn(path);
      bytes = InputFiles.read(file);
    } catch (ProgramException e) {
      throw ForeignFiles.explain(e, file);
    }
    return parseWithFormat(bytes, file.toString());
  }

  /** Reads a file's content; {@code sourceName} is the file's name in diagnostics. */
  public static Program parse(byte[] bytes, String sourceName) {
    return parseWithFormat(bytes, sourceName).program();
  }

  /**
   * As {@link #parse}, and also returns the file's form, and warnings about content that the file
   * seems to have lost or that was left out.
   */
  public static ReadProgram parseWithFormat(byte[] bytes, String sourceName) {
    try {
      Content content = Content.of(bytes);
      if (InputKind.isPlan(content)) {
        throw ProgramException.unreadable(Location.nowhere(), "this is a plan, not a program");
      }
      if (InputKind.isModel(content)) {
        return model(content, sourceName);
      }
      ProgramDesc.Builder builder = ProgramDesc.newBuilder();
      MessageParser.parse(content, builder);
      DiagnosticLog log = new DiagnosticLog();
      ProgramDesc message = RepeatedBlocks.remove(builder.build(), log);
      if (content.format() != ProgramFormat.BINARY) {
        warnOfReplacedBytes(message, Location.file(sourceName), log);
      }
      return new ReadProgram(
          Program.of(message), content.format(), Optional.empty(), log.diagnostics());
    } catch (ProgramException e) {
      throw ForeignFiles.explain(e.in(sourceName), bytes, sourceName);
    }
  }

  private static ReadProgram model(Content content, String sourceName) {
    ModelProto.Builder builder = ModelProto.newBuilder();
    MessageParser.parse(content, builder);
    OnnxModel model = OnnxModel.of(builder.build());
    DiagnosticLog log = new DiagnosticLog();
    log.addAll(model.warnings());
    if (content.format() != ProgramFormat.BINARY) {
      warnOfReplacedBytes(model.toMessage(), Location.file(sourceName), log);
    }
    return new ReadProgram(
        model.program(), content.format(), Optional.of(model), log.diagnostics());
  }

  private static void warnOfReplacedBytes(Message message, Location place, DiagnosticLog log) {
    TextLosses.Tally strings = TextLosses.of(message).replacementCharacters();
    if (strings.count() > 0) {
      log.warn(
          place,
          strings.count()
              + " strings hold U+FFFD in the place of bytes that are not UTF-8, the first is "
              + strings.first()
              + "; only the binary form carries such bytes");
    }
  }
}
