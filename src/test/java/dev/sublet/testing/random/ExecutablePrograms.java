package dev.sublet.testing.random;

import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Random programs of real operators, which run: small tensors, and numbers that stay small.
 *
 * <p>There are chains of elementwise operators and matrix products, reshapes, splits, joins and
 * slices, names that are written again, operators that work in place, and to a depth of two: loops
 * of up to three iterations that carry values, branches, if/else patterns, and arrays. The feeds
 * are {@code x} and {@code y}, the parameter is {@code w}. What is read always has a value.
 */
public final class ExecutablePrograms {

  private static final String MATRIX = "fp32[4,4]";
  private static final String ROW = "fp32[16]";
  private static final String PAIR = "fp32[2,8]";
  private static final String HALF = "fp32[8]";
  private static final List<String> SIXTEEN = List.of(MATRIX, ROW, PAIR);
  private static final List<String> UNARY =
      List.of("relu", "tanh", "sigmoid", "softmax", "abs", "scale");
  private static final List<String> BINARY =
      List.of("elementwise_add", "elementwise_sub", "elementwise_max", "elementwise_mul");
  private static final int MAX_DEPTH = 2;

  /** A block in the making. */
  private static final class Body {

    private final int index;
    private final @Nullable Body parent;
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Set<String> defined = new LinkedHashSet<>();
    private final Set<String> read = new LinkedHashSet<>();
    private final Set<String> written = new LinkedHashSet<>();
    private final List<String> lines = new ArrayList<>();

    Body(int index, @Nullable Body parent) {
      this.index = index;
      this.parent = parent;
    }

    int depth() {
      return parent == null ? 0 : 1 + parent.depth();
    }

    String type(String name) {
      String type = types.get(name);
      return type != null ? type : parent == null ? "" : parent.type(name);
    }

    boolean isDefined(String name) {
      return defined.contains(name) || (parent != null && parent.isDefined(name));
    }

    /** The names with a value that are visible and of a type, oldest first. */
    List<String> names(String type) {
      List<String> names = parent == null ? new ArrayList<>() : parent.names(type);
      for (Map.Entry<String, String> entry : types.entrySet()) {
        if (entry.getValue().equals(type) && defined.contains(entry.getKey())) {
          names.add(entry.getKey());
        }
      }
      return names;
    }

    String read(String name) {
      if (!types.containsKey(name) && !written.contains(name)) {
        read.add(name);
      }
      return name;
    }

    String write(String name) {
      written.add(name);
      defined.add(name);
      return name;
    }

    /** What an operator that runs this block reads and writes of the blocks around it. */
    Set<String> outside(Set<String> names) {
      Set<String> outside = new LinkedHashSet<>(names);
      outside.removeAll(types.keySet());
      return outside;
    }
  }

  private final SplittableRandom random;
  private final List<Body> blocks = new ArrayList<>();
  private int names;

  private ExecutablePrograms(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The program of a seed: always the same one. O(size²). */
  public static Program generate(long seed, int size) {
    return new ExecutablePrograms(seed).generate(size);
  }

  private Program generate(int size) {
    Body main = newBlock(null);
    main.types.put("x", MATRIX + " check_feed");
    main.types.put("y", ROW + " check_feed");
    main.types.put("w", MATRIX + " persistable");
    main.lines.add("feed x");
    main.lines.add("feed y");
    // Copies, since types with flags are never picked.
    line(main, "assign(x)", fresh(main, MATRIX));
    line(main, "assign(y)", fresh(main, ROW));
    line(main, "assign(w)", fresh(main, MATRIX));
    for (int i = 0; i < size; i++) {
      statement(main);
    }
    List<String> results = new ArrayList<>(main.names(MATRIX));
    results.addAll(main.names(ROW));
    results.addAll(main.names(HALF));
    for (int i = 0; i < 4; i++) {
      main.lines.add("fetch(" + pick(results) + ")");
    }
    return ProgramText.parse(text());
  }

  private String text() {
    StringBuilder text = new StringBuilder("version 2003002\n");
    for (Body block : blocks) {
      text.append("block ").append(block.index);
      text.append(block.parent == null ? "" : " parent " + block.parent.index).append('\n');
      block.types.forEach(
          (name, type) -> text.append("var ").append(name).append(": ").append(type).append('\n'));
      block.lines.forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }

  private Body newBlock(@Nullable Body parent) {
    Body block = new Body(blocks.size(), parent);
    blocks.add(block);
    return block;
  }

  private <T> T pick(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String declare(Body block, String type) {
    String name = "t" + names++;
    block.types.put(name, type);
    return name;
  }

  private String fresh(Body block, String type) {
    return block.write(declare(block, type));
  }

  private static void line(Body block, String operator, String output) {
    block.lines.add(output + " = " + operator);
  }

  /** Mostly one of the last ones, so that most values have an effect. */
  private String readable(Body block, String type) {
    List<String> names = block.names(type);
    int last = Math.min(names.size(), 4);
    return block.read(
        chance(70) ? names.get(names.size() - 1 - random.nextInt(last)) : pick(names));
  }

  /** A new variable, or one that has a value, here or around. */
  private String writable(Body block, String type) {
    List<String> names = block.names(type);
    return !names.isEmpty() && chance(35) ? block.write(pick(names)) : fresh(block, type);
  }

  private void statement(Body block) {
    int choice = random.nextInt(100);
    boolean nests = block.depth() < MAX_DEPTH;
    if (choice < 22) {
      unary(block);
    } else if (choice < 40) {
      binary(block);
    } else if (choice < 50) {
      product(block);
    } else if (choice < 60) {
      reshape(block);
    } else if (choice < 72) {
      halves(block);
    } else if (choice < 78) {
      String type = pick(List.of(MATRIX, ROW));
      line(block, "assign(" + readable(block, type) + ")", writable(block, type));
    } else if (choice < 82) {
      line(block, "fill_constant() {shape: [16], value: 0.5, dtype: 5}", writable(block, ROW));
    } else if (choice < 88 && nests) {
      loop(block);
    } else if (choice < 93 && nests) {
      branch(block);
    } else if (choice < 97 && nests) {
      choice(block);
    } else {
      array(block);
    }
  }

  private void unary(Body block) {
    String type = pick(List.of(MATRIX, ROW));
    String operator = pick(UNARY);
    String attributes =
        operator.equals("scale")
            ? " {scale: 0.5, bias: 0.25}"
            : operator.equals("softmax") ? " {axis: -1}" : "";
    String input = readable(block, type);
    String output = chance(20) ? block.write(input) : writable(block, type);
    line(block, operator + "(" + input + ")" + attributes, output);
  }

  private void binary(Body block) {
    String type = pick(List.of(MATRIX, ROW));
    if (chance(25)) {
      String inputs =
          readable(block, type) + " " + readable(block, type) + " " + readable(block, type);
      String sum = fresh(block, type);
      line(block, "sum(" + inputs + ")", sum);
      line(block, "tanh(" + sum + ")", writable(block, type));
      return;
    }
    String left = readable(block, type);
    String right = readable(block, type);
    String output = chance(20) ? block.write(left) : writable(block, type);
    line(block, pick(BINARY) + "(" + left + ", " + right + ") {axis: -1}", output);
  }

  private void product(Body block) {
    String left = readable(block, MATRIX);
    String right = readable(block, MATRIX);
    String product = fresh(block, MATRIX);
    line(
        block,
        "matmul_v2(" + left + ", " + right + ") {trans_x: false, trans_y: " + chance(50) + "}",
        product);
    line(block, "tanh(" + product + ")", writable(block, MATRIX));
  }

  private void reshape(Body block) {
    String type = pick(SIXTEEN);
    if (block.names(type).isEmpty()) {
      type = ROW;
    }
    String input = readable(block, type);
    String extents = type.substring(type.indexOf('[') + 1, type.length() - 1);
    String shape = declare(block, "fp32[0," + extents + "]");
    String target = pick(SIXTEEN);
    block.lines.add(
        String.format(
            "(Out: %s, XShape: %s) = reshape2(X: %s) {shape: %s}",
            writable(block, target), shape, input, target.substring(4)));
  }

  private void halves(Body block) {
    int halves = block.names(HALF).size();
    if (halves < 2 || chance(30)) {
      String input = readable(block, ROW);
      block.lines.add(
          fresh(block, HALF)
              + " "
              + fresh(block, HALF)
              + " = split("
              + input
              + ") {num: 2, axis: 0}");
    } else if (chance(30)) {
      int start = random.nextInt(9);
      String slice =
          String.format(
              "slice(Input: %s) {axes: [0], starts: [%d], ends: [%d], infer_flags: [1],"
                  + " decrease_axis: ints []}",
              readable(block, ROW), start, start + 8);
      line(block, slice, writable(block, HALF));
    } else {
      String inputs = readable(block, HALF) + " " + readable(block, HALF);
      line(block, "concat(" + inputs + ") {axis: 0}", writable(block, ROW));
    }
  }

  private void body(Body body, int size) {
    for (int i = 0; i < size; i++) {
      statement(body);
    }
    // What goes on outside: something from inside goes into a variable from around.
    List<String> inside = body.names(MATRIX);
    List<String> around = body.parent == null ? List.of() : body.parent.names(MATRIX);
    String carried = body.read(inside.get(inside.size() - 1));
    line(body, "scale(" + carried + ") {scale: 0.75, bias: 0.0}", body.write(pick(around)));
  }

  private void loop(Body block) {
    String counter = declare(block, "int64[1]");
    String limit = declare(block, "int64[1]");
    String condition = declare(block, "bool[1]");
    String scopes = declare(block, "step_scopes");
    line(block, "fill_constant() {shape: [1], value: 0.0, dtype: 3}", block.write(counter));
    line(
        block,
        "fill_constant() {shape: [1], value: " + random.nextInt(4) + ".0, dtype: 3}",
        block.write(limit));
    line(block, "less_than(" + counter + ", " + limit + ")", block.write(condition));
    Body body = newBlock(block);
    body(body, 1 + random.nextInt(5));
    step(body, counter, limit, condition);
    Set<String> written = body.outside(body.written);
    Set<String> read = body.outside(body.read);
    written.forEach(block::read);
    read.forEach(block::read);
    block.lines.add(
        String.format(
            "while(Condition: %s, X: %s) -> (Out: %s, StepScopes: %s) {sub_block: %d, is_test:"
                + " true}",
            condition, String.join(" ", read), String.join(" ", written), scopes, body.index));
    written.forEach(block.written::add);
  }

  /** The end of an iteration; perhaps with another one in it, as in an unrolled loop. */
  private void step(Body body, String counter, String limit, String condition) {
    line(body, "increment(" + counter + ") {step: 1.0}", body.write(body.read(counter)));
    line(body, "less_than(" + counter + ", " + body.read(limit) + ")", body.write(condition));
    if (chance(35)) {
      Body copy = newBlock(body);
      body(copy, 1 + random.nextInt(5));
      step(copy, counter, limit, condition);
      run(body, copy, condition);
    }
  }

  /** Whether the first of two sums is less. */
  private String condition(Body block) {
    String left = declare(block, "fp32[1]");
    String right = declare(block, "fp32[1]");
    String condition = declare(block, "bool[1]");
    line(block, "reduce_sum(" + readable(block, ROW) + ") {dim: [0], reduce_all: true}", left);
    line(block, "reduce_sum(" + readable(block, MATRIX) + ") {dim: [0], reduce_all: true}", right);
    line(block, "less_than(" + left + ", " + right + ")", condition);
    return condition;
  }

  private void branch(Body block) {
    String condition = condition(block);
    Body body = newBlock(block);
    body(body, 1 + random.nextInt(5));
    run(block, body, condition);
  }

  private void run(Body block, Body body, String condition) {
    Set<String> written = body.outside(body.written);
    Set<String> read = body.outside(body.read);
    read.forEach(block::read);
    written.forEach(block::read);
    block.lines.add(
        String.format(
            "conditional_block(Cond: %s, Input: %s) -> (Out: %s, Scope: %s) {sub_block: %d,"
                + " is_scalar_condition: true}",
            condition,
            String.join(" ", read),
            String.join(" ", written),
            declare(block, "step_scopes"),
            body.index));
    written.forEach(block.written::add);
  }

  /** What exporters write for if/else. */
  private void choice(Body block) {
    String condition = condition(block);
    String negation = declare(block, "bool[1]");
    String mask = declare(block, "int32[1]");
    List<String> results = List.of(declare(block, MATRIX), declare(block, MATRIX));
    line(block, "logical_not(" + condition + ")", negation);
    line(block, "cast(" + condition + ") {in_dtype: 0, out_dtype: 2}", mask);
    for (int side = 0; side < 2; side++) {
      Body body = newBlock(block);
      for (int i = random.nextInt(4); i >= 0; i--) {
        statement(body);
      }
      line(body, "relu(" + readable(body, MATRIX) + ")", results.get(side));
      body.written.add(results.get(side));
      run(block, body, side == 0 ? negation : condition);
    }
    line(
        block,
        "select_input(" + String.join(" ", results) + ", Mask: " + mask + ")",
        writable(block, MATRIX));
  }

  private void array(Body block) {
    String index = declare(block, "int64[1]");
    String array = declare(block, "array fp32[4,4]");
    line(block, "fill_constant() {shape: [1], value: 1.0, dtype: 3}", index);
    String input = readable(block, MATRIX);
    line(block, "write_to_array(" + input + ", I: " + index + ")", array);
    line(block, "read_from_array(" + array + ", I: " + index + ")", writable(block, MATRIX));
  }
}
