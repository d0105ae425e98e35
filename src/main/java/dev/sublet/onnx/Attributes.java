package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.protobuf.ByteString;
import dev.sublet.program.OperationBuilder;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.AttributeProto.AttributeType;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.TensorProto;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Translates a node's attributes into attributes of an operator, and replaces references to
 * attributes of a called function.
 */
final class Attributes {

  /** The value of an absent attribute in {@link #integers}. */
  static final long ABSENT = Long.MIN_VALUE;

  private Attributes() {}

  /**
   * Returns the node with each reference to an attribute of the called function replaced by that
   * attribute's value. References to absent attributes are dropped.
   */
  static NodeProto bind(NodeProto node, Map<String, AttributeProto> bound) {
    boolean refers = false;
    for (AttributeProto attribute : node.getAttributeList()) {
      refers |= !attribute.getRefAttrName().isEmpty() || attribute.hasG();
    }
    if (!refers) {
      return node;
    }
    NodeProto.Builder builder = node.toBuilder().clearAttribute();
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.getRefAttrName().isEmpty()) {
        builder.addAttribute(attribute.hasG() ? bindGraph(attribute, bound) : attribute);
        continue;
      }
      AttributeProto value = bound.get(attribute.getRefAttrName());
      if (value != null) {
        builder.addAttribute(value.toBuilder().setName(attribute.getName()));
      }
    }
    return builder.build();
  }

  /**
   * Binds the nodes of a graph in an attribute: they may refer to the function's attributes too.
   */
  private static AttributeProto bindGraph(
      AttributeProto attribute, Map<String, AttributeProto> bound) {
    GraphProto.Builder graph = attribute.getG().toBuilder();
    for (int i = 0; i < graph.getNodeCount(); i++) {
      graph.setNode(i, bind(graph.getNode(i), bound));
    }
    return attribute.toBuilder().setG(graph).build();
  }

  /**
   * Returns a lookup of integers by attribute name; {@link #ABSENT} if there is no such attribute.
   * For a tensor the integer is its element type, for a string the element type with that name.
   */
  static ToLongFunction<String> integers(NodeProto node) {
    return name -> {
      AttributeProto attribute = OnnxNodes.attribute(node, name);
      if (attribute == null) {
        return ABSENT;
      }
      return switch (typeOf(attribute)) {
        case TENSOR -> attribute.getT().getDataType();
        case STRING -> Tensors.ofName(text(attribute.getS()));
        default -> attribute.getI();
      };
    };
  }

  /**
   * Adds the node's attributes to an operator, as far as a program can represent them. Graphs are
   * left out: the control operators translate them.
   */
  static void addTo(OperationBuilder operation, NodeProto node, String where) {
    for (AttributeProto attribute : node.getAttributeList()) {
      String name = attribute.getName();
      switch (typeOf(attribute)) {
        case FLOAT -> operation.attribute(name, attribute.getF());
        case INT -> operation.attribute(name, attribute.getI());
        case STRING -> operation.attribute(name, text(attribute.getS()));
        case FLOATS -> operation.floatsAttribute(name, attribute.getFloatsList());
        case INTS -> operation.longsAttribute(name, attribute.getIntsList());
        case STRINGS ->
            operation.textsAttribute(
                name, Lists.transform(attribute.getStringsList(), Attributes::text));
        case TENSOR -> addTensor(operation, name, attribute.getT(), where);
        default -> {}
      }
    }
  }

  private static void addTensor(
      OperationBuilder operation, String name, TensorProto tensor, String where) {
    Optional<ImmutableDoubleArray> elements =
        Tensors.constant(tensor, where + ", attribute '" + name + "',").elements();
    if (elements.isPresent() && Tensors.isInteger(tensor.getDataType())) {
      operation.longsAttribute(
          name, Lists.transform(elements.get().asList(), number -> number.longValue()));
    } else if (elements.isPresent()) {
      operation.doublesAttribute(name, elements.get().asList());
    }
    ImmutableList<Long> halfBits = Tensors.halfBits(tensor);
    if (!halfBits.isEmpty()) {
      operation.longsAttribute(name + ".bits", halfBits);
    }
    operation.longsAttribute(name + ".dims", tensor.getDimsList());
    operation.attribute(name + ".type", (long) tensor.getDataType());
  }

  private static String text(ByteString bytes) {
    return bytes.toStringUtf8();
  }

  /**
   * Returns the attribute's type. If the writer did not set it, the type follows from the field
   * that is present.
   */
  static AttributeType typeOf(AttributeProto attribute) {
    if (attribute.getType() != AttributeType.UNDEFINED) {
      return attribute.getType();
    } else if (attribute.hasF()) {
      return AttributeType.FLOAT;
    } else if (attribute.hasI()) {
      return AttributeType.INT;
    } else if (attribute.hasS()) {
      return AttributeType.STRING;
    } else if (attribute.hasT()) {
      return AttributeType.TENSOR;
    } else if (attribute.hasG()) {
      return AttributeType.GRAPH;
    } else if (attribute.getFloatsCount() > 0) {
      return AttributeType.FLOATS;
    } else if (attribute.getIntsCount() > 0) {
      return AttributeType.INTS;
    }
    return attribute.getStringsCount() > 0 ? AttributeType.STRINGS : AttributeType.UNDEFINED;
  }
}
