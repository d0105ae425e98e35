package dev.sublet.testing.random;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random loops that carry values, and the same unrolled: written from the arithmetic of places, and
 * not by any code that unrolls.
 *
 * <p>An iteration computes {@code t0, t1, …} from them and from {@code x0, x1, …}; then {@code
 * x(k-1) = x(k-2)}, …, {@code x0 = t0}. So what iteration m computes as t0 is x(j) in iteration m +
 * 1 + j, and its place is m modulo k + 1. The feeds are {@code n}, the trip count, and {@code a}.
 */
public final class RotatingLoops {

  private final SplittableRandom random;
  private final int carried;
  private final int places;
  private final List<String> body = new ArrayList<>();
  private final List<Integer> usedBehind = new ArrayList<>();

  private RotatingLoops(long seed) {
    random = new SplittableRandom(seed);
    carried = 1 + random.nextInt(3);
    places = carried + 1;
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String left = operand(i);
      String right = operand(i);
      body.add(
          random.nextBoolean()
              ? "t" + i + " = tanh(" + left + ")"
              : "t" + i + " = elementwise_add(" + left + ", " + right + ") {axis: -1}");
    }
    for (int j = 0; j < carried; j++) {
      if (random.nextInt(3) > 0) {
        usedBehind.add(j);
      }
    }
  }

  /** A loop with copies and without, as program text. */
  public record Pair(String original, String unrolled, int copies) {}

  /** The pair of a seed. */
  public static Pair generate(long seed) {
    RotatingLoops loops = new RotatingLoops(seed);
    return new Pair(loops.original(), loops.unrolled(), loops.places);
  }

  private String operand(int computed) {
    return computed > 0 && random.nextBoolean()
        ? "t" + random.nextInt(computed)
        : "x" + random.nextInt(carried);
  }

  private String head() {
    StringBuilder text = new StringBuilder("version 2003002\ndefault fp32[4]\nblock 0\n");
    text.append("feed n: int64[1]\nfeed a: fp32[4]\nvar scopes: step_scopes\nvar c: bool[1]\n");
    text.append("var i: int64[1]\nvar s: step_scopes\n");
    for (int j = 0; j < carried; j++) {
      text.append("var x").append(j).append(": fp32[4]\n");
    }
    return text.toString();
  }

  private String start() {
    StringBuilder text = new StringBuilder();
    text.append("i = fill_constant() {shape: [1], dtype: 3, value: 0.0}\n");
    for (int j = 0; j < carried; j++) {
      text.append("x" + j + " = scale(a) {scale: " + (j + 1) + ".0, bias: 0.5}\n");
    }
    return text.append("c = less_than(i, n)\n").toString();
  }

  private String behind() {
    StringBuilder text = new StringBuilder();
    for (int j : usedBehind) {
      text.append("y" + j + " = tanh(x" + j + ")\nfetch(y" + j + ")\n");
    }
    return text.append("fetch(i)\n").toString();
  }

  private static final String STEP = "i = increment(i) {step: 1.0}\nc = less_than(i, n)\n";

  private String original() {
    StringBuilder text = new StringBuilder(head()).append(start());
    text.append("while(Condition: c, X: i n) -> (Out: c i, StepScopes: scopes) {sub_block: 1}\n");
    text.append(behind()).append("block 1 parent 0\n");
    for (int i = 0; i < body.size(); i++) {
      text.append("var t").append(i).append(": fp32[4]\n");
    }
    body.forEach(line -> text.append(line).append('\n'));
    text.append(STEP);
    for (int j = carried - 1; j > 0; j--) {
      text.append("x" + j + " = assign(x" + (j - 1) + ")\n");
    }
    return text.append("x0 = assign(t0)\n").toString();
  }

  /** The name of the place of the value that iteration m computes. */
  private String place(int m) {
    int place = Math.floorMod(m, places);
    return place == 0 ? "extra" : "x" + (places - 1 - place);
  }

  private String unrolled() {
    StringBuilder text = new StringBuilder(head());
    text.append("var extra: fp32[4]\nvar r: int32[1]\n").append(start()).append(count(0));
    text.append("while(Condition: c, X: i n) -> (Out: c i, StepScopes: scopes) {sub_block: 1}\n");
    StringBuilder fixups = new StringBuilder();
    for (int residue = 1; residue < places; residue++) {
      int block = places + residue;
      text.append("var e" + residue + ": int32[1]\nvar f" + residue + ": bool[1]\n");
      text.append("e" + residue + " = fill_constant() {shape: [1], dtype: 2, value: " + residue);
      text.append(".0}\nf" + residue + " = equal(r, e" + residue + ") {axis: -1}\n");
      text.append(branch("f" + residue, block));
      fixups.append("block " + block + " parent 0\n").append(fixup(residue));
    }
    text.append(behind());
    for (int copy = 0; copy < places; copy++) {
      text.append("block " + (copy + 1) + " parent " + copy + "\n");
      for (int i = 1; i < body.size(); i++) {
        text.append("var t" + i + "_" + copy + ": fp32[4]\n");
      }
      for (String line : body) {
        text.append(renamed(line, copy)).append('\n');
      }
      text.append(STEP).append(count((copy + 1) % places));
      if (copy + 1 < places) {
        text.append(branch("c", copy + 2));
      }
    }
    return text.append(fixups).toString();
  }

  private static String count(int value) {
    return "r = fill_constant() {shape: [1], dtype: 2, value: " + value + ".0}\n";
  }

  private static String branch(String condition, int block) {
    return "conditional_block(Cond: "
        + condition
        + ") -> (Scope: s) {sub_block: "
        + block
        + ", is_scalar_condition: true}\n";
  }

  private String renamed(String line, int copy) {
    Map<String, String> names = new LinkedHashMap<>();
    for (int j = 0; j < carried; j++) {
      names.put("x" + j, place(copy - 1 - j));
    }
    names.put("t0", place(copy));
    for (int i = 1; i < body.size(); i++) {
      names.put("t" + i, "t" + i + "_" + copy);
    }
    StringBuilder result = new StringBuilder();
    for (String word : line.split("\\b", -1)) {
      result.append(names.getOrDefault(word, word));
    }
    return result.toString();
  }

  /** All at once: first to temporaries, and then to where they are expected. */
  private String fixup(int residue) {
    StringBuilder text = new StringBuilder();
    for (int j : usedBehind) {
      text.append("var b" + residue + "_" + j + ": fp32[4]\n");
    }
    for (int j : usedBehind) {
      text.append("b" + residue + "_" + j + " = assign(" + place(residue - 1 - j) + ")\n");
    }
    for (int j : usedBehind) {
      text.append("x" + j + " = assign(b" + residue + "_" + j + ")\n");
    }
    return text.toString();
  }
}
