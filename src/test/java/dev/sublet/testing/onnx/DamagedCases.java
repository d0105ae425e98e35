package dev.sublet.testing.onnx;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Lines of {@link OnnxCase} that are not sound. The same random source gives the same lines. */
public final class DamagedCases {

  private static final ImmutableList<String> ATTRIBUTES =
      ImmutableList.of(
          "axes",
          "axis",
          "auto_pad",
          "batch_dims",
          "blocksize",
          "ceil_mode",
          "dilations",
          "direction",
          "end",
          "equation",
          "group",
          "hidden_size",
          "inputdimensions",
          "inverse",
          "k",
          "keepdims",
          "keep_aspect_ratio_policy",
          "kernel_shape",
          "kv_num_heads",
          "layout",
          "ngram_indexes",
          "num_heads",
          "num_outputs",
          "onesided",
          "output_padding",
          "output_shape",
          "pads",
          "perm",
          "pooled_shape",
          "q_num_heads",
          "qkv_hidden_sizes",
          "repeats",
          "scales",
          "shape",
          "split",
          "start",
          "starts",
          "ends",
          "strides",
          "transA",
          "transB",
          "transBatchA",
          "value",
          "is_test",
          "N",
          "channels_last",
          "reduction");

  private static final ImmutableList<String> INPUTS =
      ImmutableList.of(
          "f[2,3,4]",
          "f[2,3]",
          "f[]",
          "f[0]",
          "f[1,3,8,8]",
          "f[2,3,4,5,6]",
          "i64[2]=0,1",
          "i64[]=-1",
          "i64[]=0",
          "i64[3]=-1,0,5",
          "i64[0]=",
          "f[4]=1,1,2,0.5",
          "i64[2,2]=1",
          "i64[1]=9223372036854775807",
          "i64[2]=-9223372036854775807,3",
          "f[2]=-1,0",
          "i64[4]",
          "_",
          "b[3]",
          "u8[2,3]",
          "i64[]");

  private static final ImmutableList<String> VALUES =
      ImmutableList.of(
          "0",
          "1",
          "-1",
          "3",
          "-7",
          "[]",
          "[1]",
          "[0,1]",
          "[-1,2]",
          "[2,2]",
          "[1,1,1,1]",
          "[0]",
          "[0,0]",
          "[5,6,7]",
          "1.5",
          "[1.0,2.0]",
          "SAME_UPPER",
          "ij,jk->ik",
          "...i->i...",
          "->",
          "none",
          "bidirectional",
          "not_larger",
          "9223372036854775807");

  private DamagedCases() {}

  /** A line with another word: an input, or the value of an attribute. */
  public static String damaged(String line, SplittableRandom random) {
    List<String> words = new ArrayList<>(List.of(line.split(" +", -1)));
    int type = line.startsWith("atmost ") || line.startsWith("unknown ") ? 1 : 0;
    int place = type + 1 + random.nextInt(Math.max(1, words.size() - type - 1));
    String word = place < words.size() ? words.get(place) : ";";
    int equals = word.indexOf('=');
    boolean isAttribute = place > words.indexOf(";") && words.contains(";") && equals > 0;
    if (isAttribute) {
      words.set(place, word.substring(0, equals + 1) + pick(VALUES, random));
    } else if (word.equals(";")) {
      words.add(Math.min(place, words.size()), pick(INPUTS, random));
    } else {
      words.set(place, pick(INPUTS, random));
    }
    return String.join(" ", words);
  }

  /** A line for an operator with any inputs and attributes. */
  public static String line(String type, SplittableRandom random) {
    List<String> words = new ArrayList<>();
    words.add(type + "/" + (1 + random.nextInt(4)));
    int inputs = random.nextInt(6);
    for (int i = 0; i < inputs; i++) {
      words.add(pick(INPUTS, random));
    }
    words.add(";");
    int attributes = random.nextInt(8);
    for (int i = 0; i < attributes; i++) {
      String attribute = pick(ATTRIBUTES, random);
      if (words.stream().noneMatch(word -> word.startsWith(attribute + "="))) {
        words.add(attribute + "=" + pick(VALUES, random));
      }
    }
    return String.join(" ", words);
  }

  private static String pick(ImmutableList<String> words, SplittableRandom random) {
    return words.get(random.nextInt(words.size()));
  }
}
