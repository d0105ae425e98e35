package dev.sublet.codec.program;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingOutputStream;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.program.Program;
import java.io.IOException;
import java.io.OutputStream;

/** Writes programs. Equal programs always give equal bytes. */
public final class ProgramWriter {

  private ProgramWriter() {}

  /**
   * Returns a program in the given form. The binary form of a program that was read from a binary
   * file is that file, byte for byte, if the file has its fields in ascending order, as protobuf's
   * writers write them. O(size).
   *
   * @param log gets a warning for each kind of content of the program that a text form cannot
   *     represent: unknown fields, strings that are not UTF-8, unusual NaNs. Without a warning,
   *     reading the text gives an equal program
   */
  public static byte[] toBytes(Program program, ProgramFormat format, DiagnosticLog log) {
    return MessagePrinter.toBytes(program.toMessage(), "program", format, log);
  }

  /**
   * Returns the SHA-256 of the program's binary form, in lower-case hexadecimal. O(size),
   * streaming.
   */
  public static String sha256(Program program) {
    try (HashingOutputStream hash =
        new HashingOutputStream(Hashing.sha256(), OutputStream.nullOutputStream())) {
      program.toMessage().writeTo(hash);
      return hash.hash().toString();
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written anywhere", e);
    }
  }
}
