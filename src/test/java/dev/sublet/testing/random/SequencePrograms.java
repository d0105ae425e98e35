package dev.sublet.testing.random;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random programs over three texts, which run. A text is a feed of as many sequences as the others
 * have, of other lengths. The results of all texts meet in one sum. Some variables are declared
 * with open columns.
 *
 * <pre>
 *   v1 = tanh(t0)
 *   v2 = sequence_conv(X: t1, Filter: conv4) {...}
 *   v3 = sequence_pool(X: v2) {pooltype: "MAX"}     one row per sequence
 *   v4 = sequence_expand_as(X: v3, Y: t0)           the rows of t0
 * </pre>
 */
public final class SequencePrograms {

  private static final int TEXTS = 3;
  private static final int SEQUENCES = 2;

  /** The number of the rows that are one per sequence, instead of those of a text. */
  private static final int POOLED = TEXTS;

  private static final int[] WIDTHS = {4, 8};
  private static final List<String> UNARY = List.of("relu", "tanh", "sigmoid", "softmax");
  private static final List<String> POOLINGS = List.of("SUM", "AVERAGE", "MAX", "FIRST", "LAST");

  /** A variable: the text whose rows it has, or {@link #POOLED}, and its columns. */
  private record Value(String name, int text, int width) {

    String declaration(boolean isOpen) {
      String type = "fp32[-1," + (isOpen ? -1 : width) + "]";
      return "  var " + name + ": " + type + (text == POOLED ? "" : " lod(1)");
    }
  }

  private final SplittableRandom random;
  private final List<String> declarations = new ArrayList<>();
  private final List<String> operators = new ArrayList<>();
  private final List<Value> values = new ArrayList<>();

  private SequencePrograms(SplittableRandom random) {
    this.random = random;
  }

  /** The program of a seed: always the same one. O(size²). */
  public static Program generate(long seed, int size) {
    SequencePrograms draft = new SequencePrograms(new SplittableRandom(seed));
    for (int text = 0; text < TEXTS; text++) {
      draft.declarations.add("  feed t" + text + ": fp32[-1,4] lod(1)");
      draft.values.add(new Value("t" + text, text, 4));
    }
    for (int from : WIDTHS) {
      draft.declarations.add(
          String.format("  var conv%d: fp32[%d,%d] persistable", from, 3 * from, from));
      for (int to : WIDTHS) {
        draft.declarations.add(
            String.format("  var w%d_%d: fp32[%d,%d] persistable", from, to, from, to));
      }
    }
    for (int i = 0; i < size; i++) {
      draft.addOperator();
    }
    draft.addSum();
    List<String> lines = new ArrayList<>(List.of("version 2003002", "block 0"));
    lines.addAll(draft.declarations);
    lines.addAll(draft.operators);
    return ProgramText.parse(String.join("\n", lines) + "\n");
  }

  /** Feeds for any of these programs, with lengths that follow from the seed. */
  public static ImmutableMap<String, LodTensor> feeds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (int text = 0; text < TEXTS; text++) {
      long[] offsets = new long[SEQUENCES + 1];
      for (int i = 0; i < SEQUENCES; i++) {
        offsets[i + 1] = offsets[i] + 1 + random.nextInt(9);
      }
      String name = "t" + text;
      ImmutableLongArray shape = ImmutableLongArray.of(offsets[SEQUENCES], 4);
      feeds.put(
          name,
          new LodTensor(
              RandomTensors.feed(name, 0, DataType.FP32, shape),
              ImmutableList.of(ImmutableLongArray.copyOf(offsets))));
    }
    return feeds.buildOrThrow();
  }

  private void addOperator() {
    Value x = values.get(random.nextInt(values.size()));
    switch (random.nextInt(8)) {
      case 0, 1 -> add(x.text, x.width, UNARY.get(random.nextInt(UNARY.size())) + "(X: %s)", x);
      case 2 -> {
        int width = WIDTHS[random.nextInt(WIDTHS.length)];
        String call = "mul(X: %s, Y: w" + x.width + "_" + width + ")";
        add(x.text, width, call + " {x_num_col_dims: 1, y_num_col_dims: 1}", x);
      }
      case 3 -> {
        Value y = like(x);
        add(x.text, x.width, "elementwise_add(X: %s, Y: " + y.name + ") {axis: -1}", x);
      }
      case 4 -> addPooled(x);
      case 5 -> {
        Value y = values.get(random.nextInt(TEXTS));
        if (x.text == POOLED) {
          add(y.text, x.width, "sequence_expand_as(X: %s, Y: " + y.name + ")", x);
        }
      }
      case 6 -> {
        if (x.text != POOLED) {
          String call = "sequence_conv(X: %s, Filter: conv" + x.width + ")";
          add(x.text, x.width, call + " {contextLength: 3, contextStart: -1, contextStride: 1}", x);
        }
      }
      default -> {
        if (x.text != POOLED) {
          add(x.text, x.width, "sequence_reverse(X: %s)", "Y", x);
        }
      }
    }
  }

  private Value like(Value x) {
    List<Value> alike =
        values.stream().filter(v -> v.text == x.text && v.width == x.width).toList();
    return alike.get(random.nextInt(alike.size()));
  }

  private Value addPooled(Value x) {
    if (x.text == POOLED) {
      return x;
    }
    String pooling = POOLINGS.get(random.nextInt(POOLINGS.size()));
    Value out = new Value("v" + values.size(), POOLED, x.width);
    String index = "m" + values.size();
    declarations.add("  var " + index + ": int32[-1," + x.width + "]");
    operators.add(
        String.format(
            "  (Out: %s, MaxIndex: %s) = sequence_pool(X: %s) {pooltype: \"%s\", is_test: true,"
                + " pad_value: 0.0}",
            out.name, index, x.name, pooling));
    return declared(out);
  }

  private Value add(int text, int width, String call, Value x) {
    return add(text, width, call, "Out", x);
  }

  /** Adds an operator; a fourth of the results is written to a name that has a value already. */
  private Value add(int text, int width, String call, String slot, Value x) {
    Value out = new Value("v" + values.size(), text, width);
    if (random.nextInt(4) == 0) {
      for (Value value : values) {
        boolean isFeed = values.indexOf(value) < TEXTS;
        if (!isFeed && value.text == text && value.width == width && !value.equals(x)) {
          out = value;
        }
      }
    }
    operators.add("  (" + slot + ": " + out.name + ") = " + String.format(call, x.name));
    return values.contains(out) ? out : declared(out);
  }

  private Value declared(Value out) {
    declarations.add(out.declaration(/* isOpen= */ random.nextInt(8) == 0));
    values.add(out);
    return out;
  }

  /** Adds the sum of the last values of all texts, and fetches it. */
  private void addSum() {
    String sum = "";
    for (int text = 0; text <= POOLED; text++) {
      Value last = null;
      for (Value value : values) {
        last = value.text == text ? value : last;
      }
      if (last != null) {
        Value pooled = addPooled(last);
        String call = "mul(X: %s, Y: w" + pooled.width + "_4)";
        String name = add(POOLED, 4, call + " {x_num_col_dims: 1, y_num_col_dims: 1}", pooled).name;
        String all = "s" + text;
        if (!sum.isEmpty()) {
          declarations.add("  var " + all + ": fp32[-1,4]");
          operators.add(
              String.format(
                  "  (Out: %s) = elementwise_add(X: %s, Y: %s) {axis: -1}", all, sum, name));
        }
        sum = sum.isEmpty() ? name : all;
      }
    }
    operators.add("  fetch(" + sum + ")");
  }
}
