package dev.sublet.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Programs that can run, whose loops hand values on: chains, permutations, one value for several
 * variables, values that are used behind the copy, initial values that are copies themselves.
 *
 * <p>They are fed with {@code x0} (four floats) and with how often the outer and the inner loop
 * iterate, {@code n} and {@code m}. The same seed gives the same program.
 */
public final class RandomLoops {

  private final Random random;
  private final StringBuilder text = new StringBuilder();
  private int names;

  private RandomLoops(long seed) {
    this.random = new Random(seed);
  }

  /** A program's text; with a loop in the loop if it is to be nested. */
  public static String generate(long seed, boolean nested) {
    RandomLoops loops = new RandomLoops(seed);
    loops.program(nested);
    return loops.text.toString();
  }

  private void program(boolean nested) {
    text.append("version 2003002\ndefault fp32[4]\nblock 0\n  feed x0: fp32[4]\n");
    text.append("  feed n: int64[1]\n  feed m: int64[1]\n  var i: int64[1]\n  var c: bool[1]\n");
    List<String> carried = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int k = 1; k <= count; k++) {
      carried.add("x" + k);
      line(
          "x"
              + k
              + (random.nextInt(3) == 0 ? " = assign(x0)" : " = scale(x0) {scale: " + k + ".5}"));
    }
    begin("i", "c", "n", 1, "m", carried);
    for (String variable : carried) {
      if (random.nextInt(4) != 0) {
        line("fetch(" + variable + ")");
      }
    }
    line("fetch(i)");
    text.append("block 1 parent 0\n");
    List<String> readable = new ArrayList<>(carried);
    List<String> inner = nested ? innerLoop(readable) : List.of();
    List<String> readableInside = new ArrayList<>(inner);
    if (random.nextBoolean()) {
      readableInside.addAll(carried);
    }
    readable.addAll(inner);
    operators(readable, 1 + random.nextInt(4));
    carries(carried, readable);
    if (random.nextInt(3) == 0) {
      operators(readable, 1);
    }
    end("i", "c", "n");
    if (nested) {
      text.append("block 2 parent 1\n");
      operators(readableInside, 1 + random.nextInt(3));
      carries(inner, readableInside);
      end("j", "d", "m");
    }
  }

  /** Calls the inner loop; what it carries. */
  private List<String> innerLoop(List<String> readable) {
    text.append("  var j: int64[1]\n  var d: bool[1]\n");
    operators(readable, 1 + random.nextInt(2));
    List<String> carried = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int k = 0; k < count; k++) {
      carried.add("h" + k);
      line("h" + k + " = scale(" + anyOf(readable) + ") {scale: 0.75}");
    }
    begin("j", "d", "m", 2, String.join(" ", readable), carried);
    return carried;
  }

  private void begin(
      String counter,
      String condition,
      String limit,
      int block,
      String reads,
      List<String> carried) {
    String all = String.join(" ", carried);
    line(counter + " = fill_constant() {shape: [1], value: 0.0, dtype: 3}");
    line(condition + " = less_than(" + counter + ", " + limit + ")");
    line(
        "while(Condition: %s, X: %s %s %s %s) -> (Out: %s %s %s, StepScopes: s%s)"
                .formatted(condition, counter, limit, reads, all, counter, condition, all, block)
            + " {sub_block: %s, is_test: true}".formatted(block));
  }

  private void end(String counter, String condition, String limit) {
    line(counter + " = increment(" + counter + ")");
    line(condition + " = less_than(" + counter + ", " + limit + ")");
  }

  private void operators(List<String> readable, int count) {
    for (int k = 0; k < count; k++) {
      String name = "y" + names++;
      String a = anyOf(readable);
      String b = anyOf(readable);
      switch (random.nextInt(4)) {
        case 0 -> line(name + " = elementwise_add(" + a + ", " + b + ")");
        case 1 -> line(name + " = elementwise_sub(" + a + ", " + b + ")");
        case 2 -> line(name + " = tanh(" + a + ")");
        default -> line(name + " = scale(" + a + ") {scale: 0.5, bias: 0.25}");
      }
      readable.add(name);
    }
  }

  /** Copies at the end of a body: one after the other, or a permutation through other names. */
  private void carries(List<String> carried, List<String> readable) {
    List<String> order = new ArrayList<>(carried);
    Collections.shuffle(order, random);
    if (order.size() > 1 && random.nextInt(3) == 0) {
      List<String> held = new ArrayList<>();
      for (String variable : order) {
        held.add("t" + names);
        line("t" + names++ + " = assign(" + variable + ")");
      }
      for (int k = 0; k < order.size(); k++) {
        line(order.get(k) + " = assign(" + held.get((k + 1) % held.size()) + ")");
      }
      return;
    }
    for (String variable : order) {
      String source = anyOf(readable);
      if (!source.equals(variable) && random.nextInt(5) != 0) {
        line(variable + " = assign(" + source + ")");
      }
    }
  }

  private String anyOf(List<String> variables) {
    return variables.get(random.nextInt(variables.size()));
  }

  private void line(String line) {
    text.append("  ").append(line).append('\n');
  }
}
