package dev.sublet.codec.file;

import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Reads whole text files. */
public final class TextFiles {

  private TextFiles() {}

  /**
   * Returns the text of a file. O(size).
   *
   * @throws ProgramException if the file cannot be read or is not UTF-8
   */
  public static String read(Path file) {
    return decode(InputFiles.read(file), file.toString());
  }

  /**
   * Decodes bytes as text.
   *
   * @param name the name of the bytes in diagnostics
   * @throws ProgramException if they are not UTF-8
   */
  public static String decode(byte[] bytes, String name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw ProgramException.unreadable(Location.file(name), "is not a text in UTF-8");
    }
  }
}
