package dev.sublet.picture;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Text that is part of Sublet: the parts of a page. */
final class Resource {

  private Resource() {}

  /** The content of a file beside this class. */
  static String read(String name) {
    try {
      return Resources.toString(
          Resources.getResource(Resource.class, name), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + name + " is damaged", e);
    }
  }
}
