package dev.sublet.liveness;

import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A feed and a result that are one buffer: a value of {@code --alias}. A {@code *} in both names
 * stands for the same text.
 *
 * <pre>
 *   past.0.key=present.0.key
 *   past.*=present.*             all feeds whose names begin with past.
 * </pre>
 *
 * @param feed the name of the feed, perhaps with one {@code *}
 * @param result the name of the result, with a {@code *} if the feed's has one
 */
public record FeedAliasNames(String feed, String result) {

  /** Why the names cannot be an alias of any program; empty if they can. */
  public Optional<String> fault() {
    if (feed.isEmpty() || result.isEmpty()) {
      return Optional.of("is not of the form PAST=PRESENT, such as past.0.key=present.0.key");
    }
    return stars(feed) > 1 || stars(feed) != stars(result)
        ? Optional.of("needs one * in each name, or none, such as past.*=present.*")
        : Optional.empty();
  }

  private static long stars(String name) {
    return name.chars().filter(c -> c == '*').count();
  }

  /**
   * Returns the result for each feed that some aliases name. O(aliases × feeds).
   *
   * @throws ProgramException if a name with a {@code *} fits no feed of the program, or an alias
   *     names a feed or result that another alias names too
   */
  public static ImmutableMap<String, String> expand(List<FeedAliasNames> aliases, Program program) {
    Map<String, String> resultOfFeed = new LinkedHashMap<>();
    Map<String, String> feedOfResult = new LinkedHashMap<>();
    for (FeedAliasNames alias : aliases) {
      for (FeedAliasNames each : alias.withoutStar(program)) {
        checkOnce(each.feed(), each.result(), resultOfFeed.put(each.feed(), each.result()));
        checkOnce(each.result(), each.feed(), feedOfResult.put(each.result(), each.feed()));
      }
    }
    return ImmutableMap.copyOf(resultOfFeed);
  }

  private static void checkOnce(String name, String other, @Nullable String earlier) {
    if (earlier != null && !earlier.equals(other)) {
      throw ProgramException.usage(
          "--alias names '"
              + Names.display(name)
              + "' twice, with '"
              + Names.display(earlier)
              + "' and with '"
              + Names.display(other)
              + "'");
    }
  }

  /** The aliases of a program that this one with a star stands for, or itself. */
  private List<FeedAliasNames> withoutStar(Program program) {
    int star = feed.indexOf('*');
    if (star < 0) {
      return List.of(this);
    }
    String before = feed.substring(0, star);
    String after = feed.substring(star + 1);
    List<Variable> feeds = feeds(program);
    List<FeedAliasNames> all = new ArrayList<>();
    for (Variable variable : feeds) {
      String name = variable.name();
      int end = name.length() - after.length();
      if (end >= star && name.startsWith(before) && name.endsWith(after)) {
        all.add(new FeedAliasNames(name, result.replace("*", name.substring(star, end))));
      }
    }
    if (all.isEmpty()) {
      throw ProgramException.usage(
          "--alias "
              + feed
              + "="
              + result
              + " fits no feed"
              + NameHint.of(feed, "feeds", Names.display(feeds)));
    }
    return all;
  }

  /** The variables that the operators {@code feed} of a program write. */
  private static List<Variable> feeds(Program program) {
    List<Variable> feeds = new ArrayList<>();
    for (Operation operation : program.block(0).operations()) {
      for (int i = 0; operation.type().equals("feed") && i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          feeds.add(program.variable(operation.output(i)));
        }
      }
    }
    return feeds;
  }
}
