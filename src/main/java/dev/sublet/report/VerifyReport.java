package dev.sublet.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.diag.VisibleText;
import dev.sublet.report.format.JsonText;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.graph.Violation;

/**
 * The findings of the validators.
 *
 * @param checks the checks that were made, in order
 */
public record VerifyReport(ImmutableList<Check> checks) implements Report {

  /**
   * One check.
   *
   * @param subject the checked object: {@code rewrite} or {@code plan}
   * @param result the result of the check
   */
  public record Check(String subject, ValidationResult result) {}

  /** Whether no check found a violation. */
  public boolean isValid() {
    for (Check check : checks) {
      if (!check.result().isValid()) {
        return false;
      }
    }
    return true;
  }

  /** Returns {@code valid}, or one violation per line, after its subject. */
  @Override
  public String text() {
    if (isValid()) {
      return "valid\n";
    }
    StringBuilder text = new StringBuilder();
    for (Check check : checks) {
      ValidationResult result = check.result();
      for (Violation violation : result.violations()) {
        text.append(check.subject())
            .append(": ")
            .append(VisibleText.of(violation.toString()))
            .append('\n');
      }
      if (result.count() > result.violations().size()) {
        text.append(check.subject())
            .append(": and ")
            .append(result.count() - result.violations().size())
            .append(" more\n");
      }
    }
    return text.toString();
  }

  @Override
  public String json() {
    JsonArray array = new JsonArray();
    for (Check check : checks) {
      JsonObject object = new JsonObject();
      object.addProperty("subject", check.subject());
      object.addProperty("valid", check.result().isValid());
      object.addProperty("violation_count", check.result().count());
      object.add("violations", violations(check.result()));
      array.add(object);
    }
    JsonObject object = new JsonObject();
    object.addProperty("valid", isValid());
    object.add("checks", array);
    return JsonText.print(object);
  }

  private static JsonArray violations(ValidationResult result) {
    JsonArray array = new JsonArray();
    for (Violation violation : result.violations()) {
      JsonObject object = new JsonObject();
      JsonText.addPlace(object, violation.location());
      object.addProperty("message", violation.message());
      array.add(object);
    }
    return array;
  }
}
