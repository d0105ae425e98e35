package dev.sublet.codec.foreign;

import com.google.common.collect.ImmutableList;
import dev.sublet.codec.file.InputFiles;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Explains why an input could not be read if the input has the format of another tool: the
 * package's front door.
 *
 * <p>A reader passes the exception with which it failed. If the input is recognized, the result is
 * an exception with one line that names the format and the way to convert the file; otherwise the
 * result is the argument. Only failures with exit code 3 are explained. The content decides; the
 * name of a file decides only between formats that the content leaves open.
 *
 * <p>O(1): at most 72 KiB of a file are looked at. Of a folder, the first 64 files are looked at,
 * and no links, so no file outside the folder.
 */
public final class ForeignFiles {

  private static final int MOST_FILES = 64;

  private static final Pattern ONNX_DATA = Pattern.compile(".*\\.onnx[._]data([._]\\d+)?");
  private static final Pattern PADDLE_STATE = Pattern.compile(".*\\.(pdparams|pdopt|pdstates)");

  private ForeignFiles() {}

  /**
   * Explains a failure to read a file's content.
   *
   * @param failure the failure
   * @param bytes the content
   * @param sourceName the file's name in diagnostics
   */
  public static ProgramException explain(
      ProgramException failure, byte[] bytes, String sourceName) {
    if (!isUnreadable(failure)) {
      return failure;
    }
    return recognize(FileSample.of(sourceName, bytes))
        .map(format -> explanation(sourceName, "this is " + format.message()))
        .orElse(failure);
  }

  /**
   * Explains a failure to find a program in a folder, or to read a file that is too large.
   *
   * @param failure the failure
   * @param path the file or folder that the user named
   */
  public static ProgramException explain(ProgramException failure, Path path) {
    if (!isUnreadable(failure)) {
      return failure;
    }
    try {
      if (Files.isDirectory(path)) {
        return explainFolder(path).orElse(failure);
      }
      if (Files.isRegularFile(path)) {
        return recognize(FileSample.read(path))
            .map(format -> explanation(path.toString(), "this is " + format.message()))
            .orElse(failure);
      }
      return failure;
    } catch (IOException e) {
      return failure; // The failure says why.
    }
  }

  private static boolean isUnreadable(ProgramException failure) {
    return failure.exitCode() == Diagnostic.Kind.UNREADABLE.exitCode();
  }

  private static ProgramException explanation(String sourceName, String message) {
    return ProgramException.unreadable(Location.file(sourceName), message);
  }

  /** Returns the format of a file. */
  static Optional<ForeignFormat> recognize(FileSample file) {
    return FixedSignatures.find(file)
        .or(() -> ZipSignatures.find(file))
        .or(() -> TextSignatures.find(file))
        .or(() -> HeaderSignatures.find(file))
        .or(() -> MessageSignatures.find(file))
        .or(() -> byName(file));
  }

  /** Formats whose content has no signature: a pickle of any object, and plain numbers. */
  private static Optional<ForeignFormat> byName(FileSample file) {
    if (file.hasAt(0, "\u0080") && PADDLE_STATE.matcher(file.name()).matches()) {
      return Optional.of(ForeignFormat.PADDLE_STATE);
    }
    return ONNX_DATA.matcher(file.name()).matches()
        ? Optional.of(ForeignFormat.ONNX_DATA)
        : Optional.empty();
  }

  private static Optional<ProgramException> explainFolder(Path folder) throws IOException {
    if (!InputFiles.programsIn(folder).isEmpty()) {
      return Optional.empty();
    }
    String name = folder.toString();
    Path root = folder.toRealPath();
    if (has(root, "saved_model.pb") || has(root, "saved_model.pbtxt")) {
      return Optional.of(explanation(name, "this is " + ForeignFormat.SAVED_MODEL.message()));
    }
    if (has(root, "Manifest.json") && has(root, "Data/com.apple.CoreML")) {
      return Optional.of(explanation(name, "this is " + ForeignFormat.CORE_ML.message()));
    }
    Optional<ForeignFormat> first = Optional.empty();
    String found = "";
    for (Path file : filesIn(root)) {
      Optional<ForeignFormat> format = recognize(FileSample.read(file));
      if (format.isPresent() && (first.isEmpty() || format.get().compareTo(first.get()) < 0)) {
        first = format;
        found = file.getFileName().toString();
      }
    }
    String shown = Names.display(found);
    return first.map(
        format ->
            explanation(
                name,
                "the directory holds no program, and its '" + shown + "' is " + format.message()));
  }

  private static boolean has(Path root, String entry) {
    return Files.exists(root.resolve(entry), LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns regular files directly in a folder, the first ones in the order of their names. */
  private static ImmutableList<Path> filesIn(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS) && Files.isReadable(entry)) {
          files.add(entry);
        }
      }
    }
    return files.stream().sorted().limit(MOST_FILES).collect(ImmutableList.toImmutableList());
  }
}
