package dev.sublet.paddle.oracle;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small text language for operators to be compared with the real Paddle; one line is many cases.
 *
 * <pre>{@code
 * relu(X: fp32[A,B])                                  # an output slot Out, if nothing is said
 * (Out, XShape!) = reshape2(X: fp32[A,6]) {shape: {[-1,3]|[0,2,3]}}
 * (Out*2) = split(X: fp32[A,4], AxisTensor: int32[1]<1>) {num: 2, axis: -1}
 * gather(X: fp32[A,B], Index: int64[C](0,A))
 * concat(X: fp32[A,2] fp32[A,3]) {axis: 1}
 * (Y, MeanOut=Mean) = batch_norm(X: fp32[A,3], Mean: fp32[3](0,1), …)
 * sequence_pool(X: fp32[5,2] lod<0,2,5>) {pooltype: "SUM"}
 * (X@GRAD) = reduce_max_grad(X: fp32[A,B], Out: forward, Out@GRAD: fp32[B]) {dim: [0]}
 * reduce_sum(X: fp32[90,90]) {reduce_all: true} within 1e-4: 8100 terms
 * }</pre>
 *
 * <p>A capital letter from A to H, where a number may stand, is a random extent; {@code AB} and
 * {@code 2A} are products. A line with letters is three cases. Braces with a bar inside are choices
 * and stand for one case each. Behind a tensor's shape comes the range of its values (the end is
 * exclusive; -2 to 2 and for integers 0 to 4 if nothing is said), or the values themselves. {@code
 * !} marks outputs that have no values to compare; {@code =} an output that is written to an
 * input's variable; {@code forward} an input that the operator computes from the other inputs, for
 * its gradient operator. The same line always gives the same cases.
 */
public final class OracleText {

  private static final Pattern CHOICE = Pattern.compile("\\{([^{}]*\\|[^{}]*)\\}");
  private static final Pattern EXTENT =
      Pattern.compile("(?<![A-Za-z0-9_\"])([0-9]*)([A-H]+)(?![A-Za-z0-9_:\"])");
  private static final Pattern LINE =
      Pattern.compile(
          "(?:\\(([^)]*)\\) *= *)?([a-z_0-9]+)\\((.*)\\) *(\\{.*\\})?"
              + " *(?:within ([0-9.e-]+): .*)?");
  private static final Pattern SLOT = Pattern.compile(" *([A-Za-z0-9_@]+): *");
  private static final Pattern FORWARD = Pattern.compile("([A-Za-z0-9_@]+): *forward");
  private static final Pattern OPERAND =
      Pattern.compile(
          "([a-z0-9]+)\\[([0-9,]*)\\](?:\\(([^)]*)\\)|<([^>]*)>)?(?: *lod((?:<[0-9,]*>)+))? *");
  private static final int DRAWS = 3;
  private static final double USUAL_TOLERANCE = 1e-5;

  private OracleText() {}

  /**
   * The cases of a line.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static ImmutableList<OracleCase> cases(String line) {
    int reason = line.indexOf(" within ");
    String operator = reason < 0 ? line : line.substring(0, reason);
    ImmutableList.Builder<OracleCase> cases = ImmutableList.builder();
    for (String choice : choices(operator)) {
      int draws = EXTENT.matcher(choice).find() ? DRAWS : 1;
      for (int draw = 0; draw < draws; draw++) {
        SplittableRandom random = new SplittableRandom(choice.hashCode() + 31L * draw);
        String text = drawExtents(choice, random, /* largest= */ draw == 2 ? 9 : 4);
        cases.add(parse(text + (reason < 0 ? "" : line.substring(reason)), random));
      }
    }
    return cases.build();
  }

  /**
   * The cases of a line with chosen extents instead of random ones: all different, each letter in
   * turn another extent, and all of them that one.
   *
   * @param extent the extent that is special: 1 or 0
   */
  static ImmutableList<OracleCase> forms(String line, int extent) {
    int reason = line.indexOf(" within ");
    ImmutableList.Builder<OracleCase> cases = ImmutableList.builder();
    for (String choice : choices(reason < 0 ? line : line.substring(0, reason))) {
      Set<Character> letters = new TreeSet<>();
      EXTENT.matcher(choice).results().forEach(m -> addLetters(m.group(2), letters));
      List<Set<Character>> special = new ArrayList<>();
      letters.forEach(letter -> special.add(Set.of(letter)));
      if (letters.size() > 1) {
        special.add(letters);
      }
      for (Set<Character> some : special) {
        Map<Character, Integer> extents = new HashMap<>();
        for (char letter = 'A'; letter <= 'H'; letter++) {
          extents.put(letter, some.contains(letter) ? extent : 2 + (letter - 'A') % 4);
        }
        String text = withExtents(choice, extents);
        SplittableRandom random = new SplittableRandom(text.hashCode());
        cases.add(parse(text + (reason < 0 ? "" : line.substring(reason)), random));
      }
    }
    return cases.build();
  }

  /** A line with choices and extents that a generator draws, many ones and few zeros among them. */
  public static String drawn(String line, SplittableRandom random) {
    int reason = line.indexOf(" within ");
    List<String> choices = choices(reason < 0 ? line : line.substring(0, reason));
    Map<Character, Integer> extents = new HashMap<>();
    for (char letter = 'A'; letter <= 'H'; letter++) {
      int draw = random.nextInt(24);
      extents.put(letter, draw == 0 ? 0 : draw < 6 ? 1 : 1 + random.nextInt(7));
    }
    return withExtents(choices.get(random.nextInt(choices.size())), extents)
        + (reason < 0 ? "" : line.substring(reason));
  }

  private static void addLetters(String product, Set<Character> letters) {
    for (int i = 0; i < product.length(); i++) {
      letters.add(product.charAt(i));
    }
  }

  private static List<String> choices(String line) {
    Matcher matcher = CHOICE.matcher(line);
    if (!matcher.find()) {
      return List.of(line);
    }
    List<String> choices = new ArrayList<>();
    for (String choice : Splitter.on('|').split(matcher.group(1))) {
      String rest = line.substring(matcher.end());
      choices.addAll(choices(line.substring(0, matcher.start()) + choice + rest));
    }
    return choices;
  }

  private static String drawExtents(String line, SplittableRandom random, int largest) {
    Map<Character, Integer> extents = new HashMap<>();
    for (char letter = 'A'; letter <= 'H'; letter++) {
      extents.put(letter, 1 + random.nextInt(largest));
    }
    return withExtents(line, extents);
  }

  private static String withExtents(String line, Map<Character, Integer> extents) {
    return EXTENT
        .matcher(line)
        .replaceAll(
            match -> {
              long product = match.group(1).isEmpty() ? 1 : Long.parseLong(match.group(1));
              for (char letter : match.group(2).toCharArray()) {
                product *= extents.getOrDefault(letter, 1);
              }
              return Long.toString(product);
            });
  }

  private static OracleCase parse(String text, SplittableRandom random) {
    Matcher line = LINE.matcher(text.trim());
    if (!line.matches()) {
      throw new IllegalArgumentException("no operator: " + text);
    }
    return new OracleCase(
        text,
        line.group(2),
        inputs(line.group(3), random),
        FORWARD.matcher(line.group(3)).results().map(m -> m.group(1)).collect(toImmutableList()),
        outputs(line.group(1) == null ? "Out" : line.group(1)),
        line.group(4) == null ? "" : line.group(4),
        line.group(5) == null ? USUAL_TOLERANCE : Double.parseDouble(line.group(5)));
  }

  private static ImmutableList<OracleCase.Output> outputs(String text) {
    ImmutableList.Builder<OracleCase.Output> outputs = ImmutableList.builder();
    Pattern pattern = Pattern.compile("([A-Za-z0-9_@]+)(?:\\*([0-9]+))?(?:=([A-Za-z0-9_]+))?(!?)");
    for (String slot : Splitter.on(',').trimResults().split(text)) {
      Matcher matcher = pattern.matcher(slot);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("no output: " + slot);
      }
      outputs.add(
          new OracleCase.Output(
              matcher.group(1),
              matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2)),
              matcher.group(4).isEmpty(),
              matcher.group(3) == null ? "" : matcher.group(3)));
    }
    return outputs.build();
  }

  private static ImmutableListMultimap<String, LodTensor> inputs(
      String text, SplittableRandom random) {
    ImmutableListMultimap.Builder<String, LodTensor> inputs = ImmutableListMultimap.builder();
    Matcher slot = SLOT.matcher(text);
    Matcher operand = OPERAND.matcher(text);
    int position = 0;
    while (position < text.length()) {
      if (!slot.find(position) || slot.start() != position) {
        throw new IllegalArgumentException("no slot: " + text.substring(position));
      }
      position = slot.end();
      if (text.startsWith("forward", position)) {
        position += "forward".length();
      }
      while (operand.find(position) && operand.start() == position) {
        inputs.put(slot.group(1), operand(operand, random));
        position = operand.end();
      }
      if (position < text.length() && text.charAt(position++) != ',') {
        throw new IllegalArgumentException("no tensor: " + text.substring(position - 1));
      }
    }
    return inputs.build();
  }

  private static LodTensor operand(Matcher operand, SplittableRandom random) {
    ImmutableLongArray shape = longs(operand.group(2));
    Tensor tensor =
        operand.group(4) != null
            ? OracleTensors.of(operand.group(1), shape, doubles(operand.group(4)))
            : OracleTensors.random(
                operand.group(1),
                shape,
                operand.group(3) == null ? new double[0] : doubles(operand.group(3)),
                random);
    ImmutableList.Builder<ImmutableLongArray> lod = ImmutableList.builder();
    if (operand.group(5) != null) {
      for (String level : Splitter.on('<').omitEmptyStrings().split(operand.group(5))) {
        lod.add(longs(level.replace(">", "")));
      }
    }
    return new LodTensor(tensor, lod.build());
  }

  private static ImmutableLongArray longs(String text) {
    ImmutableLongArray.Builder numbers = ImmutableLongArray.builder();
    for (String number : Splitter.on(',').omitEmptyStrings().trimResults().split(text)) {
      numbers.add(Long.parseLong(number));
    }
    return numbers.build();
  }

  private static double[] doubles(String text) {
    return Splitter.on(',')
        .trimResults()
        .splitToStream(text)
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
