package dev.sublet.peak;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line of the user's code that made an operator, from the call stack that Paddle saves in the
 * attribute {@code op_callstack}: the innermost frame outside of Paddle.
 *
 * <pre>
 *   File "ppdet/modeling/backbones/lcnet.py", line 88, in forward      lcnet.py:88: x = self.bn(x)
 *     x = self.bn(x)
 *   File "/…/site-packages/paddle/nn/functional/norm.py", line 197, in batch_norm
 * </pre>
 *
 * @param file the path as it was saved
 * @param line the number of the line
 * @param text the line without its indentation; empty if it was not saved
 */
public record SourceLine(String file, int line, String text) {

  private static final Pattern FRAME = Pattern.compile("\\s*File \"(.*)\", line (\\d{1,9}), in .*");

  /** Directories of the framework, and code that decorators generate. */
  private static final Pattern FRAMEWORK =
      Pattern.compile(
          ".*[/\\\\](site|dist)-packages[/\\\\].*|.*[/\\\\]paddle[/\\\\]fluid[/\\\\].*|<.*");

  /** The line that made an operator; empty if none was saved. O(frames). */
  public static Optional<SourceLine> of(Operation operation) {
    ImmutableList<String> stack =
        operation.attribute("op_callstack").map(Attribute::strings).orElse(ImmutableList.of());
    for (int i = stack.size() - 1; i >= 0; i--) {
      Matcher frame = FRAME.matcher(stack.get(i));
      if (frame.matches() && !FRAMEWORK.matcher(frame.group(1)).matches()) {
        boolean hasText = i + 1 < stack.size() && !FRAME.matcher(stack.get(i + 1)).matches();
        String text = hasText ? stack.get(i + 1).strip() : "";
        return Optional.of(new SourceLine(frame.group(1), Integer.parseInt(frame.group(2)), text));
      }
    }
    return Optional.empty();
  }

  /** The last part of the path and the line: {@code lcnet.py:88}. */
  public String position() {
    return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1) + ":" + line;
  }
}
