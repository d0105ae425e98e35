package dev.sublet.onnx;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;

/**
 * Models of common kinds, made by a program, because few small ones may be copied: what matters for
 * memory are operators, shapes and the order of nodes, not the numbers of the weights.
 *
 * <pre>
 *   keywords      a keyword spotter like DS-CNN, with int8 weights and activations (QDQ)
 *   mobile        a network like MobileNetV2, whose weights are computed from constants
 *   encoder       a transformer encoder of four layers
 *   segmentation  a U-Net of four levels
 * </pre>
 */
final class MadeModels {

  /** The models and the shapes of their inputs, by name. */
  static final ImmutableMap<String, String> SHAPES =
      ImmutableMap.of(
          "keywords", "x=32,1,49,10",
          "mobile", "x=1,3,224,224",
          "encoder", "x=4,128,256",
          "segmentation", "x=1,3,256,256");

  private final List<String> lines = new ArrayList<>();
  private int values;

  private MadeModels() {}

  /** Returns the model of a name. */
  static OnnxText of(String name) {
    MadeModels made = new MadeModels();
    made.lines.add("=== " + name);
    switch (name) {
      case "keywords" -> made.keywords();
      case "mobile" -> made.mobile();
      case "encoder" -> made.encoder();
      case "segmentation" -> made.segmentation();
      default -> throw new IllegalArgumentException(name);
    }
    return OnnxText.parseAll(made.lines).get(0);
  }

  private void input(String name) {
    String shape = Splitter.on('=').splitToList(SHAPES.getOrDefault(name, "")).get(1);
    lines.add("x in f[" + shape + "]");
  }

  /** Adds a value; returns its name. */
  private String add(String call) {
    String name = "v" + values++;
    lines.add(name + " = " + call);
    return name;
  }

  private String constant(String tensor) {
    String name = "c" + values++;
    lines.add(name + " const " + tensor);
    return name;
  }

  private String constant(String tensor, double value) {
    return constant(tensor + "=" + value);
  }

  private void keywords() {
    input("keywords");
    String x = quantized("x");
    x = convolved(x, "64,1,10,4", "pads=[4,1,5,1] strides=[2,2]");
    for (int i = 0; i < 4; i++) {
      x = convolved(x, "64,1,3,3", "group=64 pads=[1,1,1,1]");
      x = convolved(x, "64,64,1,1", "group=1");
    }
    x = quantized(add("GlobalAveragePool " + x));
    x = quantized(add("Flatten " + x));
    x = quantized(add("Gemm " + x + " " + weights("64,12") + " " + constant("f[12]", 0.1)));
    add("Softmax " + x);
  }

  /** A convolution of values that are int8 between operators, with a rectifier. */
  private String convolved(String x, String shape, String attributes) {
    String bias = constant("f[" + Splitter.on(',').splitToList(shape).get(0) + "]", 0.1);
    return quantized(
        add("Relu " + add("Conv " + x + " " + weights(shape) + " " + bias + " ; " + attributes)));
  }

  private String weights(String shape) {
    String scale = constant("f[]", 0.01);
    return add("DequantizeLinear " + constant("i8[" + shape + "]=3") + " " + scale);
  }

  private String quantized(String x) {
    String scale = constant("f[]", 0.05);
    String zero = constant("i8[]=0");
    String bytes = add("QuantizeLinear " + x + " " + scale + " " + zero);
    return add("DequantizeLinear " + bytes + " " + scale + " " + zero);
  }

  private void mobile() {
    input("mobile");
    String x = clipped(generated("x", "32,3,3,3", "strides=[2,2] pads=[1,1,1,1]"));
    x = bottleneck(x, 32, 1, 16, 1);
    x = bottleneck(x, 16, 6, 24, 2);
    x = bottleneck(x, 24, 6, 24, 1);
    x = bottleneck(x, 24, 6, 32, 2);
    x = bottleneck(x, 32, 6, 32, 1);
    x = bottleneck(x, 32, 6, 64, 2);
    x = bottleneck(x, 64, 6, 64, 1);
    x = bottleneck(x, 64, 6, 96, 1);
    x = clipped(generated(x, "320,96,1,1", "group=1"));
    x = add("Flatten " + add("GlobalAveragePool " + x));
    add("MatMul " + x + " " + generated("320,100"));
  }

  private String bottleneck(String x, int channels, int factor, int outputs, int stride) {
    int wide = channels * factor;
    String y = factor == 1 ? x : clipped(generated(x, wide + "," + channels + ",1,1", "group=1"));
    String depthwise = "group=" + wide + " pads=[1,1,1,1] strides=[" + stride + "," + stride + "]";
    y = clipped(generated(y, wide + ",1,3,3", depthwise));
    y = generated(y, outputs + "," + wide + ",1,1", "group=1");
    return stride == 1 && channels == outputs ? add("Add " + x + " " + y) : y;
  }

  /** A convolution whose weights are computed: a constant, scaled. */
  private String generated(String x, String shape, String attributes) {
    return add("Conv " + x + " " + generated(shape) + " ; " + attributes);
  }

  private String generated(String shape) {
    int rank = Splitter.on(',').splitToList(shape).size();
    String filled =
        add("ConstantOfShape " + constant("i64[" + rank + "]=" + shape) + " ; value=f[1]=0.5");
    return add("Mul " + filled + " " + constant("f[]", 0.02));
  }

  private String clipped(String x) {
    return add("Clip " + x + " " + constant("f[]", 0) + " " + constant("f[]", 6));
  }

  private void encoder() {
    input("encoder");
    String x = "x";
    for (int layer = 0; layer < 4; layer++) {
      x = normalized(add("Add " + x + " " + attention(x)));
      String wide = projected(x, 256, 1024);
      String erf = add("Erf " + add("Div " + wide + " " + constant("f[]", 1.4142)));
      String half = add("Mul " + wide + " " + constant("f[]", 0.5));
      String gelu = add("Mul " + half + " " + add("Add " + erf + " " + constant("f[]", 1)));
      x = normalized(add("Add " + x + " " + projected(gelu, 1024, 256)));
    }
    add("ReduceMean " + x + " ; axes=[1] keepdims=0");
  }

  private String attention(String x) {
    String query = add("Transpose " + heads(x) + " ; perm=[0,2,1,3]");
    String key = add("Transpose " + heads(x) + " ; perm=[0,2,3,1]");
    String value = add("Transpose " + heads(x) + " ; perm=[0,2,1,3]");
    String scores = add("Div " + add("MatMul " + query + " " + key) + " " + constant("f[]", 5.6));
    String mixed = add("MatMul " + add("Softmax " + scores + " ; axis=-1") + " " + value);
    String back = add("Transpose " + mixed + " ; perm=[0,2,1,3]");
    String flat = add("Reshape " + back + " " + constant("i64[3]=0,0,256"));
    return projected(flat, 256, 256);
  }

  private String heads(String x) {
    return add("Reshape " + projected(x, 256, 256) + " " + constant("i64[4]=0,0,8,32"));
  }

  private String projected(String x, int from, int to) {
    String product = add("MatMul " + x + " " + constant("f[" + from + "," + to + "]", 0.01));
    return add("Add " + product + " " + constant("f[" + to + "]", 0.1));
  }

  private String normalized(String x) {
    String scale = constant("f[256]", 1);
    return add("LayerNormalization " + x + " " + scale + " " + constant("f[256]", 0.1));
  }

  private void segmentation() {
    input("segmentation");
    List<String> skipped = new ArrayList<>();
    String x = "x";
    int channels = 3;
    for (int level = 0; level < 4; level++) {
      int wide = 16 << level;
      x = rectified(rectified(x, channels, wide), wide, wide);
      skipped.add(x);
      x = add("MaxPool " + x + " ; kernel_shape=[2,2] strides=[2,2]");
      channels = wide;
    }
    x = rectified(x, channels, 2 * channels);
    for (int level = 3; level >= 0; level--) {
      int wide = 16 << level;
      String up = constant("f[" + 2 * wide + "," + wide + ",2,2]", 0.01);
      x = add("ConvTranspose " + x + " " + up + " ; strides=[2,2]");
      x = add("Concat " + skipped.get(level) + " " + x + " ; axis=1");
      x = rectified(rectified(x, 2 * wide, wide), wide, wide);
    }
    add("Sigmoid " + add("Conv " + x + " " + constant("f[1,16,1,1]", 0.1)));
  }

  private String rectified(String x, int from, int to) {
    String weights = constant("f[" + to + "," + from + ",3,3]", 0.01);
    return add("Relu " + add("Conv " + x + " " + weights + " ; pads=[1,1,1,1]"));
  }
}
