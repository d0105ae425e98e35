package dev.sublet.paddle.runtime;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of Paddle's log about its memory pass: the name and the declared bytes of each cluster.
 *
 * <pre>{@code
 * I1123 … memory_optimize_pass.cc:216] Cluster name : image  size: 750000     gives "image 750000"
 * }</pre>
 */
final class MemoryClusters {

  private static final Pattern CLUSTER = Pattern.compile("Cluster name : (\\S+)  size: (\\d+)");

  private MemoryClusters() {}

  /** Returns a name and a size for each cluster, in the order of the log. */
  static ImmutableList<String> parse(List<String> lines) {
    return lines.stream()
        .map(CLUSTER::matcher)
        .filter(Matcher::find)
        .map(cluster -> cluster.group(1) + " " + cluster.group(2))
        .collect(toImmutableList());
  }
}
