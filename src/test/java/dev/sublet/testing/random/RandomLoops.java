package dev.sublet.testing.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

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

  /** Whether bodies have branches, and how many blocks there are then. */
  private final boolean withCases;

  /** Whether iterations also write other values to the variables that they hand on. */
  private final boolean withOtherValues;

  /** The variables that operators of the body that is being written may overwrite. */
  private List<String> writable = List.of();

  private int blocks;

  /** The text of the branches' blocks, which come last. */
  private final TreeMap<Integer, String> branches = new TreeMap<>();

  private RandomLoops(long seed, boolean withCases, boolean withOtherValues) {
    this.random = new Random(seed);
    this.withCases = withCases;
    this.withOtherValues = withOtherValues;
  }

  /** A program's text; with a loop in the loop if it is to be nested. */
  public static String generate(long seed, boolean nested) {
    RandomLoops loops = new RandomLoops(seed, /* withCases= */ false, /* withOtherValues= */ false);
    loops.program(nested);
    return loops.text.toString();
  }

  /** The same with choices between two to four branches in the bodies, whose results join. */
  public static String generateWithCases(long seed, boolean nested) {
    RandomLoops loops = new RandomLoops(seed, /* withCases= */ true, /* withOtherValues= */ false);
    loops.program(nested);
    loops.branches.values().forEach(loops.text::append);
    return loops.text.toString();
  }

  /** The same with iterations that write other values to what they hand on, before the last one. */
  public static String generateWithOtherValues(long seed, boolean nested) {
    RandomLoops loops = new RandomLoops(seed, /* withCases= */ false, /* withOtherValues= */ true);
    loops.program(nested);
    return loops.text.toString();
  }

  /**
   * Two loops, one after the other, that carry the same variables. The second one starts with the
   * values that the first one leaves. Counters and conditions may be carried by copies too, and a
   * variable that a loop lists as its result need not be read after it.
   */
  public static String generateTwoLoops(long seed) {
    RandomLoops loops = new RandomLoops(seed, /* withCases= */ false, /* withOtherValues= */ false);
    loops.loopsInARow(2);
    return loops.text.toString();
  }

  /** Three such loops. The third one iterates as often as the first. */
  public static String generateThreeLoops(long seed) {
    RandomLoops loops = new RandomLoops(seed, /* withCases= */ false, /* withOtherValues= */ false);
    loops.loopsInARow(3);
    return loops.text.toString();
  }

  private void loopsInARow(int loops) {
    text.append("version 2004000\ndefault fp32[4]\nblock 0\n  feed x0: fp32[4]\n");
    text.append("  feed n: int64[1]\n  feed m: int64[1]\n  var i: int64[1]\n  var c: bool[1]\n");
    text.append("  var j: int64[1]\n  var d: bool[1]\n  var o: int64[1]\n");
    if (loops > 2) {
      text.append("  var k: int64[1]\n  var e: bool[1]\n");
    }
    line("o = fill_constant() {shape: [1], value: 1.0, dtype: 3}");
    List<String> readable = new ArrayList<>(List.of("x0"));
    List<String> carried = new ArrayList<>();
    int count = 2 + random.nextInt(3);
    for (int k = 1; k <= count; k++) {
      String source = anyOf(readable);
      line("x" + k + (random.nextInt(3) == 0 ? " = assign(" : " = tanh(") + source + ")");
      carried.add("x" + k);
      readable.add("x" + k);
    }
    List<String> first = some(carried);
    begin("i", "c", "n", 1, "m o", first);
    List<String> readableBefore = new ArrayList<>(readable);
    if (random.nextBoolean()) {
      operators(readable, 1);
    }
    List<String> second = some(carried);
    begin("j", "d", "m", 2, "n o", second);
    List<String> third = loops > 2 ? some(carried) : List.of();
    if (loops > 2) {
      begin("k", "e", "n", 3, "m o", third);
    }
    for (String variable : readable) {
      if (random.nextInt(3) == 0) {
        line("fetch(" + variable + ")");
      }
    }
    line("last = sum(" + anyOf(readable) + " x0)");
    line("fetch(last)");
    body(1, first, readableBefore, "i", "c", "n");
    body(2, second, readable, "j", "d", "m");
    if (loops > 2) {
      body(3, third, readable, "k", "e", "n");
    }
  }

  /** Most of some variables, and at least one. */
  private List<String> some(List<String> variables) {
    List<String> some = new ArrayList<>(variables);
    some.removeIf(variable -> random.nextInt(4) == 0);
    return some.isEmpty() ? variables : some;
  }

  private void body(
      int block,
      List<String> carried,
      List<String> outside,
      String counter,
      String condition,
      String limit) {
    text.append("block %s parent 0\n".formatted(block));
    List<String> readable = new ArrayList<>(outside);
    operators(readable, 1 + random.nextInt(4));
    boolean countsFirst = random.nextBoolean();
    if (countsFirst) {
      count(counter, condition, limit);
    }
    carries(carried, readable);
    if (random.nextInt(3) == 0) {
      operators(readable, 1);
    }
    if (!countsFirst) {
      count(counter, condition, limit);
    }
  }

  /** Counts in place or through other variables that are copied back. */
  private void count(String counter, String condition, String limit) {
    int way = random.nextInt(3);
    if (way == 0) {
      end(counter, condition, limit);
      return;
    }
    String next = way == 1 ? counter : counter + counter;
    String goesOn = condition + condition;
    line("var %s: bool[1]".formatted(goesOn));
    if (way == 1) {
      line("%s = increment(%s)".formatted(counter, counter));
    } else {
      line("var %s: int64[1]".formatted(next));
      line("%s = elementwise_add(%s, o)".formatted(next, counter));
    }
    line("%s = less_than(%s, %s)".formatted(goesOn, next, limit));
    if (way == 2) {
      line("%s = assign(%s)".formatted(counter, next));
    }
    line("%s = assign(%s)".formatted(condition, goesOn));
  }

  private void program(boolean nested) {
    blocks = nested ? 3 : 2;
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
    writable = carried;
    operators(readable, 1 + random.nextInt(4));
    if (withCases) {
      cases("i", 1, readable);
    }
    carries(carried, readable);
    if (random.nextInt(3) == 0) {
      operators(readable, 1);
    }
    end("i", "c", "n");
    if (nested) {
      text.append("block 2 parent 1\n");
      writable = inner;
      operators(readableInside, 1 + random.nextInt(3));
      if (withCases && random.nextBoolean()) {
        cases("j", 2, readableInside);
      }
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
      boolean isOther = withOtherValues && !writable.isEmpty() && random.nextInt(3) == 0;
      String name = isOther ? anyOf(writable) : "y" + names++;
      String a = anyOf(readable);
      String b = anyOf(readable);
      switch (random.nextInt(4)) {
        case 0 -> line(name + " = elementwise_add(" + a + ", " + b + ")");
        case 1 -> line(name + " = elementwise_sub(" + a + ", " + b + ")");
        case 2 -> line(name + " = tanh(" + a + ")");
        default -> line(name + " = scale(" + a + ") {scale: 0.5, bias: 0.25}");
      }
      if (!isOther) {
        readable.add(name);
      }
    }
  }

  /** One or two choices, each of whose results can be read from then on. */
  private void cases(String counter, int block, List<String> readable) {
    int count = 1 + random.nextInt(2);
    for (int k = 0; k < count; k++) {
      readable.add(choice(counter, block, 2 + random.nextInt(3), readable));
      operators(readable, random.nextInt(2));
    }
  }

  /**
   * A choice by the iteration as exporters write it: a branch, or else, in another branch, what the
   * other ones give. Returns the name of the result.
   */
  private String choice(String counter, int block, int count, List<String> readable) {
    int number = names++;
    String result = "r" + number;
    text.append("  var %sa: fp32[4]\n  var %sb: fp32[4]\n".formatted(result, result));
    line("var k%s: int64[1]\n  var e%s: bool[1]".formatted(number, number));
    line("var f%s: bool[1]\n  var g%s: int32[1]".formatted(number, number));
    line(
        "k%s = fill_constant() {shape: [1], value: %s.0, dtype: 3}"
            .formatted(number, random.nextInt(4)));
    line(
        "e%s = %s(%s, k%s)"
            .formatted(number, random.nextBoolean() ? "equal" : "less_than", counter, number));
    line("f%s = logical_not(e%s)".formatted(number, number));
    String inputs = String.join(" ", readable);
    int yes = blocks++;
    int no = blocks++;
    String call =
        "conditional_block(Cond: %s%s, Input: %s) -> (Out: %s, Scope: z%s)"
            + " {sub_block: %s, is_scalar_condition: true}";
    line(call.formatted("e", number, inputs, result + "a", yes, yes));
    line(call.formatted("f", number, inputs, result + "b", no, no));
    line("g%s = cast(e%s) {in_dtype: 0, out_dtype: 2}".formatted(number, number));
    line("%s = select_input(X: %sb %sa, Mask: g%s)".formatted(result, result, result, number));
    branch(yes, block, 1, counter, result + "a", readable);
    branch(no, block, count - 1, counter, result + "b", readable);
    return result;
  }

  /** The block of a branch that chooses between so many others, or computes something. */
  private void branch(
      int block, int parent, int count, String counter, String result, List<String> readable) {
    int begin = text.length();
    text.append("block %s parent %s\n".formatted(block, parent));
    List<String> inside = new ArrayList<>(readable);
    operators(inside, random.nextInt(3));
    String value = count > 1 ? choice(counter, block, count, inside) : anyOf(inside);
    line(
        random.nextBoolean()
            ? result + " = tanh(" + value + ")"
            : result + " = assign(" + value + ")");
    branches.put(block, text.substring(begin));
    text.setLength(begin);
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
