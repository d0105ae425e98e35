package dev.sublet.cli.argument;

import com.google.common.base.Ascii;
import com.google.common.io.Files;
import dev.sublet.cli.console.Streams;
import dev.sublet.diag.ProgramException;
import dev.sublet.picture.HtmlPicture;
import dev.sublet.picture.Picture;
import dev.sublet.picture.SvgPicture;

/** The forms that a picture can have in a file. */
public enum PictureForm {
  /** A page to explore. */
  HTML,
  /** A picture for documents. */
  SVG;

  /**
   * The form of a target, by its name; a page on standard output.
   *
   * @throws ProgramException if the name is that of something else
   */
  public static PictureForm of(String target) {
    if (target.equals(Streams.DASH)) {
      return HTML;
    }
    return switch (Ascii.toLowerCase(Files.getFileExtension(target))) {
      case "html", "htm" -> HTML;
      case "svg" -> SVG;
      default ->
          throw ProgramException.usage(
              "'" + target + "' is not the name of a picture; name it .html or .svg");
    };
  }

  /** A picture in this form. */
  public byte[] toBytes(Picture picture) {
    return switch (this) {
      case HTML -> HtmlPicture.toBytes(picture);
      case SVG -> SvgPicture.toBytes(picture);
    };
  }
}
