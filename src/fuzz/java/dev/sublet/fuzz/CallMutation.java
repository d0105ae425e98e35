package dev.sublet.fuzz;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes calls of operators as {@code testdata/operators} has them, without letters and choices:
 * extents, ranks, element types, ranges of values, attributes.
 */
final class CallMutation {

  /** The element type and the extents of an input. */
  private static final Pattern TENSOR =
      Pattern.compile("(?<=[ :])(fp32|fp64|int32|int64|bool)\\[([0-9,]*)\\]");

  /** The same with a range of values, which need not be there. */
  private static final Pattern FLOATS =
      Pattern.compile("(?<=[ :])(fp32|fp64)\\[[0-9,]*\\](\\([^)]*\\))?(?!<)");

  /** A number or a truth value among attributes. */
  private static final Pattern ATTRIBUTE =
      Pattern.compile("(?<=[:\\[,] ?)(-?[0-9]+(?:\\.[0-9]+)?|true|false)(?=[L,\\]} ]|$)");

  private static final ImmutableList<String> TYPES =
      ImmutableList.of("fp32", "fp64", "int32", "int64", "bool");

  private static final ImmutableList<String> RANGES =
      ImmutableList.of("", "(0,1)", "(-100,100)", "(0.001,0.002)", "(-1,0)", "(5,6)");

  private CallMutation() {}

  /** A changed call, which may be one that nothing can run. */
  static String changed(String call, SplittableRandom random) {
    if (call.contains("_grad(")) {
      // Paddle does not look whether a gradient has the shape of its variable, and reads what is
      // not there. The letters of a line are drawn anew for each call and change shapes enough.
      return random.nextBoolean()
          ? withOtherTypeEverywhere(call, random)
          : withOtherRange(call, random);
    }
    if (call.contains("= auc(")) {
      // Nor does Paddle look whether its statistics have a number per threshold and step.
      return withOtherRange(call, random);
    }
    return switch (random.nextInt(8)) {
      case 0 -> withOtherExtentEverywhere(call, random);
      case 1, 2 -> withOtherShape(call, random);
      case 3 -> withOtherType(call, random);
      case 4 -> withOtherRange(call, random);
      default -> withOtherAttribute(call, random);
    };
  }

  private static int extent(SplittableRandom random) {
    int draw = random.nextInt(12);
    return draw == 0 ? 0 : draw < 5 ? 1 : 1 + random.nextInt(9);
  }

  /** Shapes that fit mostly do so afterwards. */
  private static String withOtherExtentEverywhere(String call, SplittableRandom random) {
    List<MatchResult> tensors = TENSOR.matcher(call).results().toList();
    List<String> extents = new ArrayList<>();
    tensors.forEach(tensor -> extents.addAll(extents(tensor.group(2))));
    if (extents.isEmpty()) {
      return call;
    }
    String old = extents.get(random.nextInt(extents.size()));
    String other = Integer.toString(extent(random));
    return TENSOR
        .matcher(call)
        .replaceAll(
            tensor -> {
              List<String> shape = extents(tensor.group(2));
              shape.replaceAll(each -> each.equals(old) ? other : each);
              return tensor.group(1) + "[" + Joiner.on(',').join(shape) + "]";
            });
  }

  private static List<String> extents(String shape) {
    return new ArrayList<>(Splitter.on(',').omitEmptyStrings().splitToList(shape));
  }

  private static String withOtherShape(String call, SplittableRandom random) {
    List<MatchResult> tensors = TENSOR.matcher(call).results().toList();
    if (tensors.isEmpty()) {
      return call;
    }
    MatchResult tensor = tensors.get(random.nextInt(tensors.size()));
    List<String> shape = extents(tensor.group(2));
    int at = random.nextInt(shape.size() + 1);
    if (at == shape.size() || random.nextInt(4) == 0) {
      shape.add(at, random.nextInt(3) > 0 ? "1" : Integer.toString(extent(random)));
    } else if (random.nextInt(3) == 0) {
      shape.remove(at);
    } else {
      shape.set(at, Integer.toString(extent(random)));
    }
    return replaced(call, tensor, 2, Joiner.on(',').join(shape));
  }

  private static String replaced(String call, MatchResult match, int group, String text) {
    return call.substring(0, match.start(group)) + text + call.substring(match.end(group));
  }

  private static String withOtherType(String call, SplittableRandom random) {
    List<MatchResult> tensors = TENSOR.matcher(call).results().toList();
    return tensors.isEmpty() || random.nextInt(4) > 0
        ? withOtherTypeEverywhere(call, random)
        : replaced(call, tensors.get(random.nextInt(tensors.size())), 1, type(random));
  }

  /** Of all inputs that have the type of one of them. */
  private static String withOtherTypeEverywhere(String call, SplittableRandom random) {
    List<MatchResult> tensors = TENSOR.matcher(call).results().toList();
    if (tensors.isEmpty()) {
      return call;
    }
    String old = tensors.get(random.nextInt(tensors.size())).group(1);
    return call.replaceAll("(?<=[ :])" + old + "\\[", type(random) + "[");
  }

  private static String type(SplittableRandom random) {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  private static String withOtherRange(String call, SplittableRandom random) {
    List<MatchResult> tensors = FLOATS.matcher(call).results().toList();
    if (tensors.isEmpty()) {
      return call;
    }
    MatchResult tensor = tensors.get(random.nextInt(tensors.size()));
    String range = RANGES.get(random.nextInt(RANGES.size()));
    return tensor.group(2) == null
        ? call.substring(0, tensor.end()) + range + call.substring(tensor.end())
        : replaced(call, tensor, 2, range);
  }

  private static String withOtherAttribute(String call, SplittableRandom random) {
    int begin = call.lastIndexOf(") {") + 2;
    if (begin < 2) {
      return call;
    }
    Matcher matcher = ATTRIBUTE.matcher(call);
    List<MatchResult> values = new ArrayList<>();
    for (int from = begin; matcher.find(from); from = matcher.end()) {
      values.add(matcher.toMatchResult());
    }
    if (values.isEmpty()) {
      return call;
    }
    MatchResult value = values.get(random.nextInt(values.size()));
    return replaced(call, value, 1, otherValue(value.group(1), random));
  }

  private static String otherValue(String value, SplittableRandom random) {
    if (value.equals("true") || value.equals("false")) {
      return value.equals("true") ? "false" : "true";
    }
    if (value.contains(".")) {
      return ImmutableList.of("0.0", "1.0", "-1.0", "0.5", "0.001", "100.0").get(random.nextInt(6));
    }
    long number = Long.parseLong(value);
    return switch (random.nextInt(5)) {
      case 0 -> Long.toString(number + 1);
      case 1 -> Long.toString(number - 1);
      case 2 -> Long.toString(-number);
      default -> Long.toString(random.nextInt(-3, 8));
    };
  }
}
