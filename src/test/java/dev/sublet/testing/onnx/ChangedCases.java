package dev.sublet.testing.onnx;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of {@link OnnxCase} that differ from a sound one in a number: an extent of an input, an
 * element of a list, the length of a list, or a number of an attribute. Element types and texts
 * stay, so that only shapes can be wrong.
 */
public final class ChangedCases {

  private static final Pattern TENSOR = Pattern.compile("(\\w+)\\[([-\\d,]*)](?:=(.*))?");
  private static final Pattern ATTRIBUTE = Pattern.compile("(\\w+)=(\\[?)(-?[\\d,-]*)(]?)");
  private static final Splitter COMMAS = Splitter.on(',').omitEmptyStrings();
  private static final Joiner JOINED = Joiner.on(',');
  private static final int LARGEST = 5;

  private ChangedCases() {}

  /** A line with one to three changed numbers. */
  public static String line(String sound, SplittableRandom random) {
    List<String> words = new ArrayList<>(Splitter.on(' ').omitEmptyStrings().splitToList(sound));
    int changes = random.nextInt(1, 4);
    for (int i = 0; i < changes && words.size() > 1; i++) {
      int word = random.nextInt(1, words.size());
      words.set(word, changed(words.get(word), random));
    }
    words.removeIf(String::isEmpty);
    return Joiner.on(' ').join(words);
  }

  private static String changed(String word, SplittableRandom random) {
    Matcher tensor = TENSOR.matcher(word);
    if (tensor.matches()) {
      return tensor(tensor.group(1), tensor.group(2), tensor.group(3), random);
    }
    Matcher attribute = ATTRIBUTE.matcher(word);
    if (!attribute.matches() || attribute.group(3).isEmpty()) {
      return word;
    }
    String name = attribute.group(1) + "=";
    return attribute.group(2).isEmpty()
        ? name + random.nextInt(-LARGEST, LARGEST + 1)
        : name + "[" + JOINED.join(list(attribute.group(3), -1, random)) + "]";
  }

  private static String tensor(String type, String dims, String elements, SplittableRandom random) {
    if (elements == null) {
      return type + "[" + JOINED.join(list(dims, 0, random)) + "]";
    }
    boolean isWhole = elements.matches("-?[\\d,-]*");
    boolean isList = isWhole && !dims.isEmpty() && !dims.contains(",");
    if (isList && COMMAS.splitToList(elements).size() == Integer.parseInt(dims)) {
      List<String> numbers = list(elements, -1, random);
      return type + "[" + numbers.size() + "]=" + JOINED.join(numbers);
    }
    return isWhole && dims.isEmpty()
        ? type + "[]=" + random.nextInt(-LARGEST, LARGEST + 1)
        : type + "[" + dims + "]=" + elements;
  }

  /** A list with another number, or with a number more or less. */
  private static List<String> list(String numbers, int least, SplittableRandom random) {
    List<String> list = new ArrayList<>(COMMAS.splitToList(numbers));
    String number = String.valueOf(random.nextInt(least, LARGEST + 1));
    int place = random.nextInt(0, list.size() + 1);
    int kind = random.nextInt(0, 6);
    if (kind == 0 || list.isEmpty()) {
      list.add(place, number);
    } else if (kind == 1) {
      list.remove(Math.min(place, list.size() - 1));
    } else {
      list.set(Math.min(place, list.size() - 1), number);
    }
    return list;
  }
}
