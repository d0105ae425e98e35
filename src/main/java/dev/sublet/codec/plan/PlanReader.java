package dev.sublet.codec.plan;

import com.google.common.base.CharMatcher;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.codec.foreign.ForeignFiles;
import dev.sublet.codec.program.Content;
import dev.sublet.codec.program.InputKind;
import dev.sublet.codec.program.MessageParser;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.TextLosses;
import dev.sublet.codec.table.BufferTableReader;
import dev.sublet.codec.table.PlanTable;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import java.nio.file.Path;

/**
 * Reads offset plans in binary form, text format or JSON; the content decides which. In JSON, an
 * integer may be a number or a string.
 *
 * <p>Both methods throw a {@link ProgramException} with exit code 3, placed in the file, in three
 * cases: the file cannot be read; it contradicts itself (an empty interval, a missing arena, a
 * negative offset); or it contains fields that this version does not know, because a plan that is
 * partly understood is of no use. Whether the plan is right for a program is not checked. O(size).
 */
public final class PlanReader {

  private PlanReader() {}

  /** Reads a file. */
  public static MemoryPlan read(Path file) {
    return parse(InputFiles.read(file), file.toString());
  }

  /** Reads a file's content; {@code sourceName} is the file's name in diagnostics. */
  public static MemoryPlan parse(byte[] bytes, String sourceName) {
    try {
      if (BufferTableReader.isTable(bytes)) {
        throw ProgramException.unreadable(
            Location.nowhere(), "this is a table of buffers, not the plan of a program");
      }
      Content content = Content.of(bytes);
      if (content.text().startsWith(PlanTable.HEADER)) {
        throw ProgramException.unreadable(
            Location.nowhere(), "a plan in CSV cannot be read back; use .pb, .textproto or .json");
      }
      if (InputKind.isProgram(content)) {
        throw ProgramException.unreadable(Location.nowhere(), "this is a program, not a plan");
      }
      if (InputKind.isModel(content)) {
        throw ProgramException.unreadable(Location.nowhere(), "this is an ONNX model, not a plan");
      }
      dev.sublet.proto.MemoryPlan.Builder message = dev.sublet.proto.MemoryPlan.newBuilder();
      MessageParser.parse(content, message);
      if (content.format() == ProgramFormat.BINARY) {
        checkKnown(message.build());
      }
      return PlanMessages.fromMessage(message.build());
    } catch (ProgramException e) {
      throw ForeignFiles.explain(e.in(sourceName), bytes, sourceName);
    }
  }

  private static void checkKnown(dev.sublet.proto.MemoryPlan message) {
    // A SavedModel of TensorFlow has a version and a message where a plan has a version and a hash.
    if (CharMatcher.javaIsoControl().matchesAnyOf(message.getProgramSha256())) {
      throw ProgramException.unreadable(
          Location.nowhere(), "not a MemoryPlan: the hash of its program is not text");
    }
    TextLosses.Tally unknown = TextLosses.of(message).unknownFields();
    if (unknown.count() > 0) {
      throw ProgramException.unreadable(
          Location.nowhere(),
          "not a MemoryPlan, or one of a newer version: it holds unknown fields"
              + (unknown.first().isEmpty() ? "" : " in " + unknown.first()));
    }
  }
}
