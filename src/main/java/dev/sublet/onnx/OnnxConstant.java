package dev.sublet.onnx;

import dev.sublet.proto.onnx.SparseTensorProto;
import dev.sublet.proto.onnx.TensorProto;
import java.util.Optional;

/**
 * The elements of a variable that a model gives: an initializer, the value of a {@code Constant}
 * node, or the default of an input.
 */
public final class OnnxConstant {

  private final String variable;
  private final String where;
  private final TensorProto values;
  private final Optional<SparseTensorProto> sparse;

  private OnnxConstant(
      String variable, String where, TensorProto values, Optional<SparseTensorProto> sparse) {
    this.variable = variable;
    this.where = where;
    this.values = values;
    this.sparse = sparse;
  }

  static OnnxConstant dense(String variable, TensorProto tensor, String where) {
    return new OnnxConstant(variable, where, tensor, Optional.empty());
  }

  static OnnxConstant sparse(String variable, SparseTensorProto tensor, String where) {
    return new OnnxConstant(variable, where, tensor.getValues(), Optional.of(tensor));
  }

  /** The name of the variable. */
  public String variable() {
    return variable;
  }

  /** The description of the tensor in diagnostics. */
  public String where() {
    return where;
  }

  /**
   * The tensor in the file; if it is sparse, its elements that are not zero. Only the codec may
   * call this.
   */
  public TensorProto toMessage() {
    return values;
  }

  /** The whole sparse tensor; empty if the tensor is dense. Only the codec may call this. */
  public Optional<SparseTensorProto> toSparseMessage() {
    return sparse;
  }
}
