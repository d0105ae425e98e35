package dev.sublet.paddle.runtime;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of Paddle's log about its graph passes: which of them changed something, and how often.
 *
 * <pre>{@code
 * --- Running IR pass [fc_fuse_pass]
 * I1123 … fuse_pass_base.cc:57] ---  detected 3 subgraphs      gives "fc_fuse_pass 3"
 * }</pre>
 *
 * <p>{@code simplify_with_basic_ops_pass} never says so.
 */
final class PassTrace {

  private static final Pattern RUNNING = Pattern.compile("--- Running IR pass \\[(\\w+)\\]");
  private static final Pattern FOUND = Pattern.compile("---\\s+detected (\\d+) subgraphs");

  private PassTrace() {}

  /** Returns a pass and a number of places for each pass that changed something, in their order. */
  static ImmutableList<String> parse(List<String> lines) {
    ImmutableList.Builder<String> passes = ImmutableList.builder();
    String running = "";
    for (String line : lines) {
      Matcher pass = RUNNING.matcher(line);
      if (pass.find()) {
        running = pass.group(1);
      }
      Matcher found = FOUND.matcher(line);
      if (found.find()) {
        passes.add(running + " " + found.group(1));
      }
    }
    return passes.build();
  }
}
