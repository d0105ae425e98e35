package dev.sublet.codec.file;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads whole files; every failure is a message of one line about the file. */
public final class InputFiles {

  /** The maximum length of an array. */
  private static final int LARGEST = Integer.MAX_VALUE - 9;

  private InputFiles() {}

  /** Returns the content of a file. */
  public static byte[] read(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw unreadable(file, "is a directory");
      }
      if (Files.size(file) <= LARGEST) {
        byte[] bytes = Files.isRegularFile(file) ? Files.readAllBytes(file) : readSome(file);
        if (bytes.length <= LARGEST) {
          return bytes;
        }
      }
      throw unreadable(file, "the file is larger than 2 GiB, which protobuf does not allow");
    } catch (IOException e) {
      throw unreadable(file, describe(e));
    }
  }

  /**
   * Reads a pipe or a device to its end; at most one byte more than a file may have, in case there
   * is no end.
   */
  private static byte[] readSome(Path file) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      return stream.readNBytes(LARGEST + 1);
    }
  }

  /** Returns the only program file in a directory; returns any other path unchanged. */
  public static Path programIn(Path path) {
    if (!Files.isDirectory(path)) {
      return path;
    }
    ImmutableList<String> names = programsIn(path);
    if (names.isEmpty()) {
      throw unreadable(path, "the directory holds no __model__, no .pdmodel and no .onnx file");
    }
    if (names.size() > 1) {
      throw unreadable(
          path, "the directory holds several programs, name one: " + String.join(", ", names));
    }
    String name = names.get(0);
    if (!isInside(path, path.resolve(name))) {
      throw unreadable(
          path, "'" + name + "' is a link that leads out of the directory; name the file itself");
    }
    return path.resolve(name);
  }

  /** Returns the names of the program files in a directory, sorted. */
  public static ImmutableList<String> programsIn(Path directory) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        boolean program =
            name.equals("__model__") || name.endsWith(".pdmodel") || name.endsWith(".onnx");
        if (program && Files.isRegularFile(entry)) {
          names.add(name);
        }
      }
    } catch (IOException e) {
      throw unreadable(directory, describe(e));
    }
    return ImmutableList.sortedCopyOf(names);
  }

  private static boolean isInside(Path folder, Path file) {
    try {
      return file.toRealPath().startsWith(folder.toRealPath());
    } catch (IOException e) {
      throw unreadable(file, describe(e));
    }
  }

  /** Describes a failure in words, without the file's name. */
  public static String describe(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileSystemException named && named.getReason() != null) {
      return named.getReason();
    }
    return String.valueOf(failure.getMessage());
  }

  private static ProgramException unreadable(Path file, String message) {
    return ProgramException.unreadable(Location.file(file.toString()), message);
  }
}
