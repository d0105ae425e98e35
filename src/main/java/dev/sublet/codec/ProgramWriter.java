package dev.sublet.codec;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingOutputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import dev.sublet.program.Program;
import dev.sublet.proto.ProgramDesc;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes programs. The same program always gives the same bytes. */
public final class ProgramWriter {

  private ProgramWriter() {}

  /**
   * A program in the given form. The binary form of a program that was read from a binary file is
   * that file, byte for byte, as long as its writer wrote fields in ascending order, as protobuf's
   * writers do. O(size).
   *
   * @param log gets a warning for each kind of thing that a text form cannot carry and the program
   *     has: unknown fields, strings that are not UTF-8, unusual NaNs. Without a warning, reading
   *     the text gives an equal program
   */
  public static byte[] toBytes(Program program, ProgramFormat format, DiagnosticLog log) {
    ProgramDesc message = program.toMessage();
    return switch (format) {
      case BINARY -> message.toByteArray();
      case TEXT -> TextForm.print(carriable(message, log)).getBytes(StandardCharsets.UTF_8);
      case JSON -> JsonForm.print(carriable(message, log)).getBytes(StandardCharsets.UTF_8);
    };
  }

  /** The SHA-256 of the program's binary form, in lower-case hexadecimal. O(size), streaming. */
  public static String sha256(Program program) {
    try (HashingOutputStream hash =
        new HashingOutputStream(Hashing.sha256(), OutputStream.nullOutputStream())) {
      program.toMessage().writeTo(hash);
      return hash.hash().toString();
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written anywhere", e);
    }
  }

  /** The message without what text forms would print wrongly; warns of everything they lose. */
  private static ProgramDesc carriable(ProgramDesc message, DiagnosticLog log) {
    TextLosses losses = TextLosses.of(message);
    warn(losses.unknownFields(), "unknown fields are left out of %s messages", log);
    warn(losses.undecodableStrings(), "bytes that are not UTF-8 are replaced in %s fields", log);
    warn(losses.unusualNans(), "the bits of %s NaNs are replaced by the usual ones", log);
    if (losses.unknownFields().count() == 0) {
      return message;
    }
    try {
      return DiscardUnknownFieldsParser.wrap(ProgramDesc.parser())
          .parseFrom(message.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message that was just written must parse", e);
    }
  }

  private static void warn(TextLosses.Tally tally, String what, DiagnosticLog log) {
    if (tally.count() > 0) {
      String first = tally.first().isEmpty() ? "the program itself" : tally.first();
      log.warn(
          Place.nowhere(),
          String.format(what, tally.count())
              + ", the first is "
              + first
              + "; only the binary form carries them");
    }
  }
}
