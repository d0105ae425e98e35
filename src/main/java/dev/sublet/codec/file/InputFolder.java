package dev.sublet.codec.file;

import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A directory that the user named, with files that the input names. The author of the input may not
 * be the user, so no name may lead out of the directory.
 *
 * <p>A name stands for a file in the directory or in a directory below it ({@code block/conv_w}).
 * Symbolic links are followed as long as they stay inside the directory. A link that leads out is
 * refused, even if the user made it: it may have come with the input, for example in an archive of
 * a model. Only regular files are opened, because reading a pipe or a device may block or never
 * end.
 *
 * <p>Assumes that the directory does not change between the check of a file and its opening.
 */
public final class InputFolder {

  private final Path folder;
  private final Path root;

  /** The names, by the file that each name stands for. */
  private final Map<Path, String> names = new HashMap<>();

  /**
   * Opens a directory.
   *
   * @throws ProgramException if it cannot be read
   */
  public InputFolder(Path folder) {
    this.folder = folder;
    try {
      root = folder.toRealPath();
    } catch (IOException e) {
      throw ProgramException.unreadable(Location.file(folder.toString()), InputFiles.describe(e));
    }
  }

  /**
   * Returns the file that a variable's name stands for. O(length).
   *
   * @param name a name that was not passed before
   * @throws ProgramException if the name leads out of the directory, if there is no such regular
   *     file, or if an earlier name stands for the same file (where the file system equates two
   *     names)
   */
  public Path file(String name) {
    Location place = Location.file(folder.toString()).at(Names.display(name));
    Path relative = relative(name, place);
    try {
      Path file = inside(relative, place);
      String other = names.putIfAbsent(file, name);
      if (other != null) {
        throw ProgramException.unreadable(
            place, "its file is also that of '" + Names.display(other) + "'; each needs its own");
      }
      return file;
    } catch (IOException e) {
      throw ProgramException.unreadable(place, InputFiles.describe(e));
    }
  }

  private Path relative(String name, Location place) {
    Path relative;
    try {
      relative = folder.getFileSystem().getPath(name);
    } catch (InvalidPathException e) {
      throw ProgramException.unreadable(
          place, "its name can be no file's (" + e.getReason() + "); use one file for all");
    }
    boolean isInside = !name.isEmpty() && relative.getRoot() == null;
    for (Path part : relative) {
      isInside &= !part.toString().equals("..") && !part.toString().equals(".");
    }
    if (!isInside) {
      throw ProgramException.unreadable(
          place, "its name leads out of the directory; nothing outside is opened");
    }
    // A path drops slashes from "a//b" and "a/", so the file would be that of another name.
    if (!relative.toString().equals(name)) {
      throw ProgramException.unreadable(place, "its name can be no file's; use one file for all");
    }
    return relative;
  }

  /** Returns the real path of a file, if it is a regular file inside the directory. */
  private Path inside(Path relative, Location place) throws IOException {
    Path file = root.resolve(relative).toRealPath();
    if (!file.startsWith(root)) {
      throw ProgramException.unreadable(
          place,
          "a symbolic link leads out of the directory, to " + file + "; nothing outside is opened");
    }
    if (!Files.isRegularFile(file)) {
      throw ProgramException.unreadable(place, "is not a regular file");
    }
    return file;
  }
}
