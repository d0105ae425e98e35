package dev.sublet.fuzz;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import dev.sublet.diag.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says whether a command has done what it must do with any input. */
final class Judge {

  private static final ImmutableSet<Integer> EXIT_CODES = ImmutableSet.of(0, 1, 2, 3, 4, 5);

  /** Where standard output is for people. */
  private static final ImmutableSet<String> FOR_MACHINES =
      ImmutableSet.of("--json", "--dot", "--to", "-");

  private static final Pattern FRAME = Pattern.compile("\\tat (dev\\.sublet\\.[\\w.$]+)\\(");

  /** What a response of the plug-in says. */
  private static final String BUG = "this is a bug in Sublet";

  private Judge() {}

  /** What is wrong; nothing about the seed. */
  static Optional<Fault> judge(long seed, Invocation invocation, WatchedRun.Outcome outcome) {
    if (!outcome.alarm().isEmpty()) {
      return fault(seed, outcome.alarm() + " in " + place(outcome.stack()), invocation, "");
    }
    String errors = outcome.errors();
    if (!EXIT_CODES.contains(outcome.exitCode())) {
      String shape = "exit " + outcome.exitCode() + " " + exception(errors);
      return fault(seed, shape, invocation, errors);
    }
    if (errors.contains("out of memory") && !invocation.verb().equals("run")) {
      return fault(seed, "out of memory in " + invocation.verb(), invocation, errors);
    }
    if (errors.contains("please report it")) {
      String line =
          errors
              .lines()
              .filter(each -> each.contains("please report it"))
              .findFirst()
              .orElseThrow();
      return fault(seed, "bug of ours: " + shape(line), invocation, errors);
    }
    if (invocation.verb().equals("plugin") && outcome.output().contains(BUG)) {
      int at = outcome.output().indexOf(BUG);
      String bug = outcome.output().substring(at).lines().limit(2).collect(Collectors.joining(" "));
      return fault(seed, shape(bug), invocation, bug);
    }
    List<String> lines = errors.lines().toList();
    long errorLines = lines.stream().filter(line -> line.startsWith("error: ")).count();
    long due = outcome.exitCode() > 1 ? 1 : 0;
    if (errorLines != due) {
      String shape = errorLines + " error lines and exit " + outcome.exitCode();
      return fault(
          seed,
          shape + ": " + lines.stream().findFirst().map(Judge::shape).orElse(""),
          invocation,
          errors);
    }
    for (String line : lines) {
      // A table of what does not fit is indented.
      boolean isTable = outcome.exitCode() == 5 && line.startsWith("  ");
      if (!isTable && !line.matches("(error|warning|note): .*")) {
        return fault(seed, "a line that is no diagnostic: " + shape(line), invocation, errors);
      }
    }
    if (!isVisible(errors)) {
      return fault(
          seed, "invisible characters in a diagnostic: " + shape(errors), invocation, errors);
    }
    boolean isForPeople =
        invocation.options().stream().noneMatch(FOR_MACHINES::contains)
            && !invocation.verb().equals("plugin")
            && !invocation.verb().equals("micro");
    if (isForPeople && !isVisible(outcome.output())) {
      return fault(
          seed,
          "invisible characters in the output of " + invocation.verb(),
          invocation,
          outcome.output());
    }
    return Optional.empty();
  }

  private static boolean isVisible(String text) {
    return text.codePoints().allMatch(c -> c == '\n' || VisibleText.isVisible(c));
  }

  private static Optional<Fault> fault(
      long seed, String shape, Invocation invocation, String detail) {
    String beginning = detail.length() > 3000 ? detail.substring(0, 3000) : detail;
    return Optional.of(
        new Fault(
            seed,
            shape,
            shape
                + "\n  "
                + invocation.reader()
                + ": "
                + invocation.verb()
                + " "
                + invocation.input()
                + " "
                + String.join(" ", invocation.options())
                + "\n"
                + beginning));
  }

  /** The exception's class and the innermost method of ours. */
  private static String exception(String errors) {
    String type =
        errors.lines().skip(1).findFirst().map(line -> line.replaceFirst("[: ].*", "")).orElse("");
    Matcher frame = FRAME.matcher(errors);
    String place = type + " in " + (frame.find() ? frame.group(1) : "?");
    // What our own validators reject says more than where they are called.
    return errors.contains("own validator")
        ? place + ": " + errors.lines().skip(2).findFirst().map(Judge::shape).orElse("")
        : place;
  }

  /** The outer methods below the command line: of one hanging loop, the inner ones differ. */
  private static String place(List<StackTraceElement> stack) {
    List<String> ours = new ArrayList<>();
    for (StackTraceElement frame : Lists.reverse(stack)) {
      String type = frame.getClassName();
      if (type.startsWith("dev.sublet.") && !type.startsWith("dev.sublet.cli.")) {
        ours.add(type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName());
      }
    }
    return String.join(" > ", ours.subList(0, Math.min(5, ours.size())));
  }

  /** A message without what differs from case to case. */
  static String shape(String line) {
    String shape =
        line.replace("Sublet's own", "our own")
            .replaceAll("'[^']*'", "'…'")
            .replaceAll("\\S*/\\S*", "…")
            .replaceAll("[0-9]+", "0");
    return shape.length() > 200 ? shape.substring(0, 200) : shape;
  }
}
