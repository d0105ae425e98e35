package dev.sublet.testing.damage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text as words, numbers and single characters: lost, repeated, exchanged, replaced. Bytes that are
 * no text stay as they are, so this is also for the headers of binary files.
 */
public final class TextDamage implements Damage {

  private static final Pattern TOKEN = Pattern.compile("\\w+|\\n *|[^\\w\\n]");

  @Override
  public byte[] apply(byte[] bytes, SplittableRandom random) {
    List<String> tokens = tokens(new String(bytes, ISO_8859_1));
    int at = tokens.isEmpty() ? 0 : random.nextInt(tokens.size());
    int other = tokens.isEmpty() ? 0 : random.nextInt(tokens.size());
    if (tokens.isEmpty()) {
      tokens.add(odd(random));
    } else {
      switch (random.nextInt(7)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.addAll(at, Collections.nCopies(OddValues.times(random), tokens.get(at)));
        case 2 -> Collections.swap(tokens, at, other);
        case 3 -> tokens.set(at, tokens.get(other));
        case 4 -> tokens.add(at, tokens.get(other));
        case 5 -> changeLine(tokens, at, random);
        default -> tokens.set(at, odd(random));
      }
    }
    return bytes(tokens);
  }

  private static String odd(SplittableRandom random) {
    String odd =
        random.nextBoolean() ? OddValues.text(random) : Long.toString(OddValues.integer(random));
    return new String(odd.getBytes(UTF_8), ISO_8859_1);
  }

  /** Leaves a line out, or repeats it. */
  private static void changeLine(List<String> tokens, int at, SplittableRandom random) {
    int begin = at;
    while (begin > 0 && !tokens.get(begin - 1).startsWith("\n")) {
      begin--;
    }
    int end = at;
    while (end < tokens.size() && !tokens.get(end).startsWith("\n")) {
      end++;
    }
    List<String> line = tokens.subList(begin, Math.min(tokens.size(), end + 1));
    if (random.nextBoolean()) {
      line.clear();
    } else {
      line.addAll(new ArrayList<>(line));
    }
  }

  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    for (Matcher matcher = TOKEN.matcher(text); matcher.find(); ) {
      tokens.add(matcher.group());
    }
    return tokens;
  }

  private static byte[] bytes(List<String> tokens) {
    return String.join("", tokens).getBytes(ISO_8859_1);
  }

  @Override
  public byte[] reduce(byte[] bytes, DeltaDebugging search, Predicate<byte[]> fails) {
    List<String> lines =
        search.minimize(
            Splitter.on('\n').splitToList(new String(bytes, ISO_8859_1)),
            kept -> fails.test(String.join("\n", kept).getBytes(ISO_8859_1)));
    return bytes(
        search.minimize(tokens(String.join("\n", lines)), kept -> fails.test(bytes(kept))));
  }
}
