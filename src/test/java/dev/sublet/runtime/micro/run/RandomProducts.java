package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Random sums of products: outer loops that move both factors, one or none, windows with strides
 * and padding, axes in any order; now and then a loop that no element tells, an extent of 0.
 */
final class RandomProducts {

  private static final int[] EXTENTS = {1, 2, 3, 5, 9, 20, 40, 70, 300};
  private static final int LARGEST = 40_000;

  private final Random random;
  private final List<Integer> outer = new ArrayList<>();
  private final List<Integer> points = new ArrayList<>();
  private final List<Integer> extents = new ArrayList<>();
  private final StringBuilder declarations = new StringBuilder();
  private final ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
  private final String text;
  private int size = 1;

  RandomProducts(long seed) {
    this.random = new Random(seed);
    addLoops(outer, 1 + random.nextInt(4));
    addLoops(points, 1 + random.nextInt(3));
    List<Integer> ofX = new ArrayList<>();
    List<Integer> ofW = new ArrayList<>();
    for (int loop : outer) {
      int kind = random.nextInt(8);
      if (kind != 0 && kind < 5) {
        ofX.add(loop);
      }
      if (kind != 0 && kind > 3) {
        ofW.add(loop);
      }
    }
    String x = access("x", ofX, /* slides= */ true);
    String w = access("w", ofW, /* slides= */ chance(4));
    String product = chance(2) ? x + " * " + w : w + " * " + x;
    declarations.append("input bias: float32[").append(extents.get(0)).append("]\n");
    inputs.put("bias", tensor(extents.get(0)));
    String y = target("y");
    String z = chance(3) ? target("z") : "";
    StringBuilder program = new StringBuilder("program products\n").append(declarations);
    program.append("function y\n  block\n");
    for (int loop : outer) {
      loop(program, loop);
    }
    program.append(indent(outer.size())).append("carry c0 = sum float32\n");
    for (int loop : points) {
      loop(program, loop);
    }
    program.append(indent(outer.size() + points.size())).append("c0 << ").append(product);
    program.append('\n').append(indent(outer.size())).append(y).append(" = ").append(value());
    if (!z.isEmpty()) {
      program.append('\n').append(indent(outer.size())).append(z).append(" = -c0");
    }
    this.text = program.append('\n').toString();
  }

  MicroProgram program() {
    return MicroProgramText.parse(text);
  }

  ImmutableMap<String, Tensor> inputs() {
    return inputs.buildOrThrow();
  }

  private void addLoops(List<Integer> loops, int count) {
    for (int i = 0; i < count; i++) {
      int extent = chance(60) ? 0 : EXTENTS[random.nextInt(EXTENTS.length)];
      while (size * extent > LARGEST) {
        extent /= 2;
      }
      size *= Math.max(1, extent);
      loops.add(extents.size());
      extents.add(extent);
    }
  }

  /** An element of an input that some outer loops and most inner ones move. */
  private String access(String name, List<Integer> moving, boolean slides) {
    List<Integer> left = new ArrayList<>(points);
    List<String> axes = new ArrayList<>();
    List<Integer> shape = new ArrayList<>();
    for (int loop : moving) {
      if (slides && !left.isEmpty() && chance(2)) {
        int point = left.remove(random.nextInt(left.size()));
        int stride = 1 + random.nextInt(3);
        int dilation = 1 + random.nextInt(2);
        int before = random.nextInt(3);
        int reach = (extents.get(loop) - 1) * stride + (extents.get(point) - 1) * dilation + 1;
        axes.add("i%s * %s + i%s * %s - %s".formatted(loop, stride, point, dilation, before));
        shape.add(Math.max(1, reach - random.nextInt(4)));
      } else {
        addAxis(axes, shape, loop, slides);
      }
    }
    for (int point : left) {
      if (!chance(8)) {
        addAxis(axes, shape, point, slides);
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int axis = 0; axis < axes.size(); axis++) {
      order.add(axis);
    }
    if (chance(2)) {
      Collections.shuffle(order, random);
    }
    List<String> at = new ArrayList<>();
    int[] ordered = new int[order.size()];
    for (int axis = 0; axis < ordered.length; axis++) {
      at.add(axes.get(order.get(axis)));
      ordered[axis] = shape.get(order.get(axis));
    }
    declare("input", name, ordered);
    inputs.put(name, tensor(ordered));
    String outside = slides && !at.isEmpty() && chance(3) ? " outside -1.5" : "";
    return name + "[" + String.join(", ", at) + outside + "]";
  }

  private void addAxis(List<String> axes, List<Integer> shape, int loop, boolean slides) {
    boolean backwards = chance(6);
    int extent = extents.get(loop);
    axes.add(backwards ? "%s - i%s".formatted(extent - 1, loop) : "i" + loop);
    shape.add(Math.max(1, slides && chance(6) ? extent - 1 : extent + (chance(5) ? 1 : 0)));
  }

  /** An element of an output that nearly always all outer loops move. */
  private String target(String name) {
    List<Integer> left = new ArrayList<>(outer);
    if (chance(3)) {
      Collections.shuffle(left, random);
    }
    if (left.size() > 1 && chance(12)) {
      left.remove(0);
    }
    List<String> at = new ArrayList<>();
    List<Integer> shape = new ArrayList<>();
    while (!left.isEmpty()) {
      int loop = left.remove(0);
      if (!left.isEmpty() && chance(4)) {
        int inner = left.remove(0);
        at.add("i%s * %s + i%s".formatted(loop, extents.get(inner), inner));
        shape.add(extents.get(loop) * extents.get(inner));
      } else {
        at.add("i" + loop);
        shape.add(Math.max(0, extents.get(loop) - (chance(15) ? 1 : 0)));
      }
    }
    declare("output", name, shape.stream().mapToInt(Integer::intValue).toArray());
    return name + "[" + String.join(", ", at) + "]";
  }

  private String value() {
    return switch (random.nextInt(4)) {
      case 0 -> "c0 * 0.5 + bias[i0]";
      case 1 -> "choose(c0 > 0.0, c0, 0.0)";
      default -> "c0";
    };
  }

  private void loop(StringBuilder program, int loop) {
    program.append(indent(loop)).append("for i").append(loop).append(" in 0..");
    program.append(extents.get(loop)).append('\n');
  }

  private static String indent(int loops) {
    return "  ".repeat(2 + loops);
  }

  private void declare(String role, String name, int[] shape) {
    List<String> texts = new ArrayList<>();
    for (int extent : shape) {
      texts.add("" + extent);
    }
    declarations.append("%s %s: float32[%s]\n".formatted(role, name, String.join(", ", texts)));
  }

  private Tensor tensor(int... shape) {
    ImmutableLongArray.Builder extentsOfTensor = ImmutableLongArray.builder();
    int length = 1;
    for (int extent : shape) {
      extentsOfTensor.add(extent);
      length *= extent;
    }
    float[] elements = new float[length];
    for (int i = 0; i < length; i++) {
      elements[i] = chance(2000) ? Float.NEGATIVE_INFINITY : (float) random.nextGaussian();
    }
    return Tensor.of(extentsOfTensor.build(), elements);
  }

  private boolean chance(int n) {
    return random.nextInt(n) == 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
