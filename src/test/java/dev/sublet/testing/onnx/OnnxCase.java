package dev.sublet.testing.onnx;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.AttributeProto.AttributeType;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.OperatorSetIdProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.TensorShapeProto;
import dev.sublet.proto.onnx.TypeProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model of one node, in one line: {@code Split@13/2 f[6,4] i64[2]=2,4 ; axis=0}.
 *
 * <p>Behind the type there may be the opset, 20 without, and the number of outputs, 1 without. Then
 * come the inputs: an element type, extents, and elements, of which one is for all; {@code _} is an
 * input that is left out. Behind the semicolon are the attributes: numbers (with a point if they
 * are floats), texts, lists in brackets, tensors like inputs. A line can begin with {@code atmost}
 * or {@code unknown}: then not all extents are exact.
 *
 * @param line the line up to the arrow
 * @param stated the outputs' shapes behind an arrow at the end, ? for one that is unknown; or empty
 * @param precision the word that the line begins with, or exact
 * @param type the node's operator type, with its domain
 * @param opset the version of the default domain
 * @param outputs how many outputs there are
 * @param inputs the inputs
 * @param attributes the attributes
 */
public record OnnxCase(
    String line,
    String stated,
    String precision,
    String type,
    int opset,
    int outputs,
    ImmutableList<TensorProto> inputs,
    ImmutableList<AttributeProto> attributes) {

  private static final Pattern HEAD = Pattern.compile("([\\w.]+?)(?:@(\\d+))?(?:/(\\d+))?");
  private static final Pattern TENSOR = Pattern.compile("(\\w+)\\[([\\d,]*)](?:=(.*))?");
  private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();
  private static final Splitter COMMAS = Splitter.on(',').omitEmptyStrings();

  private static final ImmutableMap<String, Integer> TYPES =
      ImmutableMap.<String, Integer>builder()
          .put("f", 1)
          .put("u8", 2)
          .put("i8", 3)
          .put("u16", 4)
          .put("i16", 5)
          .put("i32", 6)
          .put("i64", 7)
          .put("s", 8)
          .put("b", 9)
          .put("f16", 10)
          .put("f64", 11)
          .put("u32", 12)
          .put("u64", 13)
          .put("bf16", 16)
          .buildOrThrow();

  /** Reads a line. */
  public static OnnxCase parse(String text) {
    int arrow = text.indexOf(" -> ");
    String line = arrow < 0 ? text : text.substring(0, arrow);
    int semicolon = line.indexOf(';');
    List<String> words =
        new ArrayList<>(WORDS.splitToList(semicolon < 0 ? line : line.substring(0, semicolon)));
    String precision = "exact";
    if (words.get(0).equals("atmost") || words.get(0).equals("unknown")) {
      precision = words.remove(0);
    }
    Matcher head = HEAD.matcher(words.get(0));
    checkArgument(head.matches(), "%s", line);
    ImmutableList.Builder<TensorProto> inputs = ImmutableList.builder();
    for (int i = 1; i < words.size(); i++) {
      boolean isLeftOut = words.get(i).equals("_");
      inputs.add(
          isLeftOut ? TensorProto.getDefaultInstance() : tensor(words.get(i), "in" + (i - 1)));
    }
    ImmutableList.Builder<AttributeProto> attributes = ImmutableList.builder();
    if (semicolon >= 0) {
      for (String word : WORDS.split(line.substring(semicolon + 1))) {
        int equals = word.indexOf('=');
        attributes.add(attribute(word.substring(0, equals), word.substring(equals + 1)));
      }
    }
    return new OnnxCase(
        line,
        arrow < 0 ? "" : text.substring(arrow + 4),
        precision,
        head.group(1),
        head.group(2) == null ? 20 : Integer.parseInt(head.group(2)),
        head.group(3) == null ? 1 : Integer.parseInt(head.group(3)),
        inputs.build(),
        attributes.build());
  }

  /** ONNX's number of an element type. */
  public static int elementType(String name) {
    Integer type = TYPES.get(name);
    checkArgument(type != null, "element type %s", name);
    return type;
  }

  /** Reads a tensor, such as {@code f[6,4]}, and gives it a name. */
  public static TensorProto tensor(String text, String name) {
    Matcher matcher = TENSOR.matcher(text);
    checkArgument(matcher.matches() && TYPES.containsKey(matcher.group(1)), "%s", text);
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name).setDataType(TYPES.get(matcher.group(1)));
    long count = 1;
    for (String extent : COMMAS.split(matcher.group(2))) {
      tensor.addDims(Long.parseLong(extent));
      count *= Long.parseLong(extent);
    }
    List<String> given =
        matcher.group(3) == null ? ImmutableList.of() : COMMAS.splitToList(matcher.group(3));
    for (int i = 0; i < count; i++) {
      String element =
          given.isEmpty()
              ? byDefault(tensor.getDataType(), i)
              : given.get(given.size() == 1 ? 0 : i);
      add(tensor, element);
    }
    return tensor.build();
  }

  /** Floats differ from each other; whole numbers are small, so that they can be indices. */
  private static String byDefault(int type, int i) {
    boolean isFloat = type == 1 || type == 11;
    return isFloat ? String.valueOf(1 + i) : String.valueOf(1 + i % 3);
  }

  private static void add(TensorProto.Builder tensor, String element) {
    switch (tensor.getDataType()) {
      case 1 -> tensor.addFloatData(Float.parseFloat(element));
      case 7 -> tensor.addInt64Data(Long.parseLong(element));
      case 8 -> tensor.addStringData(ByteString.copyFromUtf8(element));
      case 11 -> tensor.addDoubleData(Double.parseDouble(element));
      case 12, 13 -> tensor.addUint64Data(Long.parseLong(element));
      // The bits of one and zero, whatever is given.
      case 10 -> tensor.addInt32Data(element.equals("0") ? 0 : 0x3c00);
      case 16 -> tensor.addInt32Data(element.equals("0") ? 0 : 0x3f80);
      case 9 -> tensor.addInt32Data(element.equals("0") ? 0 : 1);
      default -> tensor.addInt32Data(Integer.parseInt(element));
    }
  }

  /** Reads the value of an attribute. */
  public static AttributeProto attribute(String name, String value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    if (TENSOR.matcher(value).matches()) {
      return attribute.setType(AttributeType.TENSOR).setT(tensor(value, "")).build();
    }
    if (!value.startsWith("[")) {
      if (isInteger(value)) {
        attribute.setType(AttributeType.INT).setI(Long.parseLong(value));
      } else if (isFloat(value)) {
        attribute.setType(AttributeType.FLOAT).setF(Float.parseFloat(value));
      } else {
        attribute.setType(AttributeType.STRING).setS(ByteString.copyFromUtf8(value));
      }
      return attribute.build();
    }
    List<String> list = COMMAS.splitToList(value.substring(1, value.length() - 1));
    if (list.stream().allMatch(OnnxCase::isInteger)) {
      attribute.setType(AttributeType.INTS);
      list.forEach(number -> attribute.addInts(Long.parseLong(number)));
    } else if (list.stream().allMatch(OnnxCase::isFloat)) {
      attribute.setType(AttributeType.FLOATS);
      list.forEach(number -> attribute.addFloats(Float.parseFloat(number)));
    } else {
      attribute.setType(AttributeType.STRINGS);
      list.forEach(text -> attribute.addStrings(ByteString.copyFromUtf8(text)));
    }
    return attribute.build();
  }

  private static boolean isInteger(String text) {
    return text.matches("-?\\d+");
  }

  private static boolean isFloat(String text) {
    return text.matches("-?\\d+\\.\\d*(e-?\\d+)?|-?\\d+");
  }

  /** The model with all inputs as initializers. */
  public ModelProto constant() {
    GraphProto.Builder graph = graph();
    inputs.stream().filter(input -> input.getDataType() != 0).forEach(graph::addInitializer);
    return model(graph);
  }

  /**
   * The model with those inputs fed that have no elements in the line, of open extents if asked
   * for; or with all of them fed.
   */
  public ModelProto fed(boolean open, boolean all) {
    GraphProto.Builder graph = graph();
    List<String> words = WORDS.splitToList(line.replaceFirst("^(atmost|unknown) ", ""));
    for (int i = 0; i < inputs.size(); i++) {
      TensorProto input = inputs.get(i);
      if (input.getDataType() == 0) {
        continue;
      }
      if (words.get(i + 1).contains("=") && !all) {
        graph.addInitializer(input);
      } else {
        graph.addInput(declaration(input, open));
      }
    }
    return model(graph);
  }

  /** How many elements an input has. */
  public int elementCount(int input) {
    long count = 1;
    for (long extent : inputs.get(input).getDimsList()) {
      count *= extent;
    }
    return (int) count;
  }

  /** The same with another number as an element of an input. */
  public OnnxCase changed(int input, int element) {
    TensorProto.Builder tensor = inputs.get(input).toBuilder();
    switch (tensor.getDataType()) {
      case 1 -> tensor.setFloatData(element, 0.25f - tensor.getFloatData(element));
      case 7 -> tensor.setInt64Data(element, 5 + tensor.getInt64Data(element));
      case 9 -> tensor.setInt32Data(element, 1 - tensor.getInt32Data(element));
      case 11 -> tensor.setDoubleData(element, 0.25 - tensor.getDoubleData(element));
      default -> tensor.setInt32Data(element, 5 + tensor.getInt32Data(element));
    }
    List<TensorProto> others = new ArrayList<>(inputs);
    others.set(input, tensor.build());
    return new OnnxCase(
        line, stated, precision, type, opset, outputs, ImmutableList.copyOf(others), attributes);
  }

  /** The bytes of an input's elements; of floats, whole numbers of 64 or 32 bits, and bytes. */
  public byte[] bytes(int input) {
    TensorProto tensor = inputs.get(input);
    int width =
        switch (tensor.getDataType()) {
          case 7 -> Long.BYTES;
          case 1, 6 -> Integer.BYTES;
          default -> 1;
        };
    ByteBuffer bytes =
        ByteBuffer.allocate(elementCount(input) * width).order(ByteOrder.nativeOrder());
    for (int i = 0; i < elementCount(input); i++) {
      switch (tensor.getDataType()) {
        case 1 -> bytes.putFloat(tensor.getFloatData(i));
        case 7 -> bytes.putLong(tensor.getInt64Data(i));
        case 6 -> bytes.putInt(tensor.getInt32Data(i));
        case 2, 3, 9 -> bytes.put((byte) tensor.getInt32Data(i));
        default -> throw new IllegalArgumentException("the bytes of " + tensor.getDataType());
      }
    }
    return bytes.array();
  }

  /** The extents of all inputs, by name. */
  public ImmutableMap<String, ImmutableLongArray> shapes(ModelProto model) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    for (ValueInfoProto fed : model.getGraph().getInputList()) {
      for (TensorProto input : inputs) {
        if (input.getName().equals(fed.getName())) {
          shapes.put(fed.getName(), ImmutableLongArray.copyOf(input.getDimsList()));
        }
      }
    }
    return shapes.buildOrThrow();
  }

  private static ValueInfoProto declaration(TensorProto input, boolean open) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (int i = 0; i < input.getDimsCount(); i++) {
      if (open) {
        shape.addDimBuilder().setDimParam(input.getName() + "_" + i);
      } else {
        shape.addDimBuilder().setDimValue(input.getDims(i));
      }
    }
    TypeProto.Builder type = TypeProto.newBuilder();
    type.getTensorTypeBuilder().setElemType(input.getDataType()).setShape(shape);
    return ValueInfoProto.newBuilder().setName(input.getName()).setType(type).build();
  }

  private GraphProto.Builder graph() {
    int dot = type.lastIndexOf('.');
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setOpType(type.substring(dot + 1))
            .setDomain(dot < 0 ? "" : type.substring(0, dot))
            .addAllAttribute(attributes);
    inputs.forEach(input -> node.addInput(input.getName()));
    GraphProto.Builder graph = GraphProto.newBuilder().setName("case");
    for (int i = 0; i < outputs; i++) {
      node.addOutput("out" + i);
      graph.addOutput(ValueInfoProto.newBuilder().setName("out" + i));
    }
    return graph.addNode(node);
  }

  private ModelProto model(GraphProto.Builder graph) {
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("ai.onnx.ml").setVersion(3))
        .setGraph(graph)
        .build();
  }

  @Override
  public String toString() {
    return line;
  }
}
