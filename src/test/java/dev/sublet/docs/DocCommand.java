package dev.sublet.docs;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command of Sublet in a document: {@code ./sublet VERB ARGUMENT…}, perhaps with {@code | head
 * -N} and a comment behind it, of which {@code # exit 1} states the exit code.
 *
 * @param arguments the words behind {@code ./sublet}
 * @param head how many lines of the output are shown
 * @param exitCode the exit code that is due
 */
record DocCommand(ImmutableList<String> arguments, int head, int exitCode) {

  static final String START = "./sublet ";

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final Pattern HEAD = Pattern.compile("(.*) \\| head -(\\d+)");
  private static final Pattern COMMENT = Pattern.compile("(.*?)\\s+# (.*)");
  private static final Pattern EXIT_CODE = Pattern.compile("exit (\\d+)\\b.*");

  /**
   * A name of a file in the folder that the page's commands run in. Files of the project are named
   * by their paths and stay as they are.
   */
  private static final Pattern FILE =
      Pattern.compile(
          "((?:[A-Za-z_]\\w*=)?)([\\w-]+(?:\\.\\w+)*"
              + "\\.(?:pdmodel|onnx|csv|json|pb|textproto|html|svg|npy|tflm|h|txt|micro))");

  /** The options with a folder, which they create. */
  private static final ImmutableSet<String> WITH_FOLDER = ImmutableSet.of("-o", "--save");

  /** What a command printed, and the exit code. */
  record Result(int exitCode, String output) {}

  static DocCommand parse(String text) {
    String rest = text.substring(START.length());
    int exitCode = 0;
    Matcher comment = COMMENT.matcher(rest);
    if (comment.matches()) {
      rest = comment.group(1);
      Matcher code = EXIT_CODE.matcher(comment.group(2));
      exitCode = code.matches() ? Integer.parseInt(code.group(1)) : 0;
    }
    int head = Integer.MAX_VALUE;
    Matcher pipe = HEAD.matcher(rest);
    if (pipe.matches()) {
      rest = pipe.group(1);
      head = Integer.parseInt(pipe.group(2));
    }
    if (Pattern.compile("[|<>;&$*]").matcher(rest).find()) {
      throw new IllegalArgumentException("only '| head -N' is understood: " + text);
    }
    ImmutableList.Builder<String> arguments = ImmutableList.builder();
    Matcher words = WORD.matcher(rest);
    while (words.find()) {
      arguments.add(
          words.group(1) != null
              ? words.group(1)
              : words.group(2) != null ? words.group(2) : words.group(3));
    }
    return new DocCommand(arguments.build(), head, exitCode);
  }

  /** Runs the command in this process, with the files of a folder. */
  Result run(Path folder) {
    List<Object> words = new ArrayList<>();
    String before = "";
    for (String argument : arguments) {
      Matcher file = FILE.matcher(argument);
      boolean isFolder =
          argument.matches("\\w+")
              && (WITH_FOLDER.contains(before) || Files.isDirectory(folder.resolve(argument)));
      before = argument;
      words.add(
          file.matches()
              ? file.group(1) + folder.resolve(file.group(2))
              : isFolder ? folder.resolve(argument) : argument);
    }
    CommandRun run = CommandRun.of(words.toArray());
    String output = (run.text() + run.errors()).replace(folder + "/", "");
    List<String> shown = output.lines().limit(head).toList();
    return new Result(run.exitCode(), String.join("\n", shown));
  }
}
