package dev.sublet.fuzz;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Smaller calls of the same operator. */
final class CallShrinker {

  private static final Pattern SHAPE = Pattern.compile("(?<=[a-z]\\d?\\d?)\\[([0-9,]*)\\]");
  private static final Pattern VALUES = Pattern.compile("\\([-0-9.e,]+\\)");

  private CallShrinker() {}

  /** Calls with an extent less, everywhere or at one place, an axis less, or usual values. */
  static ImmutableSet<String> candidates(String call) {
    ImmutableSet.Builder<String> candidates = ImmutableSet.builder();
    ImmutableSet.Builder<String> extents = ImmutableSet.builder();
    for (MatchResult shape : matches(SHAPE, call)) {
      List<String> all = Splitter.on(',').omitEmptyStrings().splitToList(shape.group(1));
      extents.addAll(all);
      for (int i = 0; i < all.size(); i++) {
        List<String> without = new ArrayList<>(all);
        without.remove(i);
        candidates.add(replaced(call, shape, without));
        for (int extent = 0; extent < Long.parseLong(all.get(i)); extent++) {
          List<String> smaller = new ArrayList<>(all);
          smaller.set(i, Integer.toString(extent));
          candidates.add(replaced(call, shape, smaller));
        }
      }
    }
    for (String extent : extents.build()) {
      for (int smaller = 1; smaller < Long.parseLong(extent); smaller++) {
        candidates.add(
            call.replaceAll("(?<=[\\[,])" + extent + "(?=[,\\]])", Integer.toString(smaller)));
      }
    }
    for (MatchResult values : matches(VALUES, call)) {
      candidates.add(call.substring(0, values.start()) + call.substring(values.end()));
    }
    return candidates.build();
  }

  /** What smaller calls have less of: elements in all, and then characters. */
  static long size(String call) {
    long elements = 0;
    for (MatchResult shape : matches(SHAPE, call)) {
      long product = 1;
      for (String extent : Splitter.on(',').omitEmptyStrings().split(shape.group(1))) {
        product *= Long.parseLong(extent);
      }
      elements += product;
    }
    return 1000 * elements + call.length();
  }

  private static List<MatchResult> matches(Pattern pattern, String call) {
    Matcher matcher = pattern.matcher(call);
    return matcher.results().toList();
  }

  private static String replaced(String call, MatchResult shape, List<String> extents) {
    return call.substring(0, shape.start(1))
        + Joiner.on(',').join(extents)
        + call.substring(shape.end(1));
  }
}
