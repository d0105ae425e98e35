package dev.sublet.cli.argument;

import com.google.common.base.Ascii;
import com.google.common.io.Files;
import dev.sublet.cli.console.Streams;
import dev.sublet.diag.ProgramException;
import dev.sublet.picture.HtmlPicture;
import dev.sublet.picture.Picture;
import dev.sublet.picture.SvgPicture;

/** The forms of a picture in a file. */
public enum PictureForm {
  /** An interactive HTML page. */
  HTML,
  /** An SVG picture for documents. */
  SVG;

  /**
   * Returns the form for a target, from its name; an HTML page for standard output.
   *
   * @throws ProgramException if the name is not that of a picture
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

  /** Returns a picture in this form. */
  public byte[] toBytes(Picture picture) {
    return switch (this) {
      case HTML -> HtmlPicture.toBytes(picture);
      case SVG -> SvgPicture.toBytes(picture);
    };
  }
}
