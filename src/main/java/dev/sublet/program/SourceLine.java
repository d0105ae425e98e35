package dev.sublet.program;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line of the user's code that made an operator: the innermost frame outside of the framework
 * in the call stack that was saved with the operator. Paddle saves it in the attribute {@code
 * op_callstack}; for ONNX it comes from the node, as does the name.
 *
 * <pre>
 *   File "ppdet/modeling/backbones/lcnet.py", line 88, in forward      lcnet.py:88: x = self.bn(x)
 *     x = self.bn(x)
 *   File "/…/site-packages/paddle/nn/functional/norm.py", line 197, in batch_norm
 * </pre>
 *
 * @param node the name of the ONNX node; empty without one
 * @param file the path as it was saved; empty without a stack
 * @param line the number of the line; 0 without a stack
 * @param text the line without its indentation, or a note instead of a stack; empty if not saved
 */
public record SourceLine(String node, String file, int line, String text) {

  /** The attribute with the lines of the call stack. */
  public static final String STACK = "op_callstack";

  /** The attribute with the name of the ONNX node. */
  public static final String NODE = "sublet.node";

  /** The outermost frame comes first. */
  private static final Pattern FRAME =
      Pattern.compile("\\s*File \"(.*)\", line (\\d{1,9})(?:,.*)?");

  /** A frame of PyTorch's tracer. The innermost one comes first, and no line of code follows. */
  private static final Pattern TRACED = Pattern.compile("\\s*(\\S.*)\\((\\d{1,9})\\): \\S+\\s*");

  /** The framework: its packages, the packages that call it, and the library of Python. */
  private static final Pattern FRAMEWORK =
      Pattern.compile(
          ".*[/\\\\](?:site|dist)-packages[/\\\\]"
              + "(?:paddle|torch|onnxscript|tensorflow|tf2onnx|decorator\\.py)(?:[/\\\\].*)?"
              + "|.*[/\\\\]paddle[/\\\\]fluid[/\\\\].*|.*[/\\\\]lib[/\\\\]python3[^/\\\\]*[/\\\\][^/\\\\]*"
              + "|<.*");

  /** The copies of functions that Paddle translates to static graphs; they are gone afterwards. */
  private static final Pattern GENERATED = Pattern.compile("(?:.*[/\\\\])?tmp[a-z0-9_]{8}\\.py");

  /** The line on which the note of TorchScript points at the line above. */
  private static final String HERE = "<--- HERE";

  /** The line that made an operator; empty if nothing was saved. O(frames). */
  public static Optional<SourceLine> of(Operation operation) {
    String node =
        operation.attribute(NODE).map(Attribute::strings).orElse(ImmutableList.of()).stream()
            .findFirst()
            .orElse("");
    ImmutableList<String> stack =
        lines(operation.attribute(STACK).map(Attribute::strings).orElse(ImmutableList.of()));
    Optional<SourceLine> generated = Optional.empty();
    boolean isTraced = stack.stream().anyMatch(line -> TRACED.matcher(line).matches());
    for (int i = 0; i < stack.size(); i++) {
      int next = isTraced ? i : stack.size() - 1 - i;
      Matcher frame = (isTraced ? TRACED : FRAME).matcher(stack.get(next));
      if (frame.matches() && !FRAMEWORK.matcher(frame.group(1)).matches()) {
        int number = Integer.parseInt(frame.group(2));
        String text = isTraced ? "" : textAfter(stack, next);
        SourceLine found = new SourceLine(node, frame.group(1), number, text);
        if (!GENERATED.matcher(frame.group(1)).matches()) {
          return Optional.of(found);
        }
        generated = generated.isPresent() ? generated : Optional.of(found);
      }
    }
    if (generated.isPresent() || (node.isEmpty() && stack.isEmpty())) {
      return generated;
    }
    return note(node, stack);
  }

  /**
   * The lines of a stack, the outermost frame first. Paddle before 1.6 saved a string of two lines
   * for each frame, the innermost one first.
   */
  private static ImmutableList<String> lines(ImmutableList<String> saved) {
    boolean isReversed = saved.stream().anyMatch(frame -> frame.stripTrailing().contains("\n"));
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    for (String frame : isReversed ? saved.reverse() : saved) {
      lines.addAll(Splitter.on('\n').split(frame.stripTrailing()));
    }
    return lines.build();
  }

  /** The name of a node, and the first line of its note unless the note is a stack. */
  private static Optional<SourceLine> note(String node, ImmutableList<String> stack) {
    boolean isStack =
        stack.stream().anyMatch(l -> FRAME.matcher(l).matches() || TRACED.matcher(l).matches());
    String first = stack.stream().filter(l -> !l.isBlank()).findFirst().orElse("").strip();
    String text = isStack ? "" : first;
    return node.isEmpty() && text.isEmpty()
        ? Optional.empty()
        : Optional.of(new SourceLine(node, "", 0, text));
  }

  private static String textAfter(ImmutableList<String> stack, int frame) {
    int end = frame + 1;
    while (end < stack.size() && !FRAME.matcher(stack.get(end)).matches()) {
      if (stack.get(end).contains(HERE) && end > frame + 1) {
        return stack.get(end - 1).strip();
      }
      end++;
    }
    return end > frame + 1 ? stack.get(frame + 1).strip() : "";
  }

  /** The last part of the path and the line, {@code lcnet.py:88}; without a stack the node. */
  public String position() {
    int slash = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
    return file.isEmpty() ? nodeInWords() : file.substring(slash + 1) + ":" + line;
  }

  /** The path as it was saved and the line; without a stack the node. */
  public String place() {
    return file.isEmpty() ? nodeInWords() : file + ":" + line;
  }

  private String nodeInWords() {
    return node.isEmpty() ? "" : "node '" + node + "'";
  }

  /** The position and the text: {@code lcnet.py:88: x = self.bn(x)}. */
  public String words() {
    return position() + (position().isEmpty() || text.isEmpty() ? "" : ": ") + text;
  }
}
