package dev.sublet.picture;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads the resource files that make up the HTML page. */
final class Resource {

  private Resource() {}

  /** Returns the content of a resource file in this class's package. */
  static String read(String name) {
    try {
      return Resources.toString(
          Resources.getResource(Resource.class, name), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + name + " is damaged", e);
    }
  }
}
