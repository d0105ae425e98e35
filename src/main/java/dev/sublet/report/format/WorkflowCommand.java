package dev.sublet.report.format;

import dev.sublet.diag.VisibleText;
import java.util.List;

/**
 * Annotations in the form in which GitHub's workflows take them from the output of a step.
 *
 * <pre>
 *   ::error file=model.pdmodel,title=Sublet%3A memory too large::arena on cpu needs …%0A…
 * </pre>
 */
public final class WorkflowCommand {

  private WorkflowCommand() {}

  /**
   * Returns an error annotation, with a line feed.
   *
   * @param file the file that it is about; empty if there is none
   * @param title its title
   * @param lines its message
   */
  public static String error(String file, String title, List<String> lines) {
    String properties =
        (file.isEmpty() ? "" : "file=" + property(file) + ",") + "title=" + property(title);
    return "::error " + properties + "::" + data(String.join("\n", lines)) + "\n";
  }

  /** Escapes the message: a line feed or a percent sign would end it or be taken for an escape. */
  private static String data(String text) {
    return VisibleText.ofLines(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  /** Escapes a property, which a comma or a colon ends as well. */
  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
