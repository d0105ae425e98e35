package dev.sublet.program;

import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.List;
import java.util.Optional;

/** A declared variable. O(1) throughout. */
public final class Variable {

  /** What a variable holds. */
  public enum Kind {
    /** A dense tensor, possibly with sequence information (LoD). */
    TENSOR,
    /** A sparse tensor of rows. */
    SELECTED_ROWS,
    /** An array of tensors. */
    TENSOR_ARRAY,
    /** The holder that feeds are taken from. */
    FEED_HOLDER,
    /** The holder that fetched results are put into. */
    FETCH_HOLDER,
    /** The scopes of a control operator's iterations. */
    STEP_SCOPES,
    /** An ordering of sequences by length. */
    RANK_TABLE,
    /** A data reader. */
    READER,
    /** Opaque storage of one operator. */
    RAW,
    /** Anything else, types of newer versions included. */
    OTHER
  }

  private final VarDesc message;
  private final VariableId id;
  private final int index;

  Variable(VarDesc message, VariableId id, int index) {
    this.message = message;
    this.id = id;
    this.index = index;
  }

  /** The dense index: 0 to {@link Program#variableCount} - 1, by block, then in file order. */
  public int index() {
    return index;
  }

  /** The declaring block and the name. */
  public VariableId id() {
    return id;
  }

  /** The index of the declaring block. */
  public int block() {
    return id.block();
  }

  /** The name. */
  public String name() {
    return id.name();
  }

  /** What the variable holds. */
  public Kind kind() {
    return switch (message.getType().getTypeValue()) {
      case VarType.Type.LOD_TENSOR_VALUE -> Kind.TENSOR;
      case VarType.Type.SELECTED_ROWS_VALUE -> Kind.SELECTED_ROWS;
      case VarType.Type.FEED_MINIBATCH_VALUE, VarType.Type.FEED_LIST_VALUE -> Kind.FEED_HOLDER;
      case VarType.Type.FETCH_LIST_VALUE -> Kind.FETCH_HOLDER;
      case VarType.Type.STEP_SCOPES_VALUE -> Kind.STEP_SCOPES;
      case VarType.Type.LOD_RANK_TABLE_VALUE -> Kind.RANK_TABLE;
      case VarType.Type.LOD_TENSOR_ARRAY_VALUE -> Kind.TENSOR_ARRAY;
      case VarType.Type.READER_VALUE -> Kind.READER;
      case VarType.Type.RAW_VALUE -> Kind.RAW;
      default -> Kind.OTHER;
    };
  }

  /**
   * The tensor's declared type; empty for anything but a dense tensor that declares one. Any
   * negative extent is given as -1. O(rank).
   */
  public Optional<TensorType> tensorType() {
    if (kind() != Kind.TENSOR || !message.getType().hasLodTensor()) {
      return Optional.empty();
    }
    VarType.LoDTensorDesc desc = message.getType().getLodTensor();
    return Optional.of(
        new TensorType(
            DataType.ofNumber(desc.getTensor().getDataTypeValue()),
            extents(desc.getTensor().getDimsList()),
            desc.getLodLevel()));
  }

  /** Paddle computes with -1 when it infers shapes: -50 is a product of an open extent and 50. */
  private static ImmutableLongArray extents(List<Long> dims) {
    ImmutableLongArray.Builder extents = ImmutableLongArray.builder(dims.size());
    for (long extent : dims) {
      extents.add(Math.max(extent, -1));
    }
    return extents.build();
  }

  /**
   * Whether the tensor is declared to have no extents, and not only none that were recorded. Only
   * translations of other formats say so.
   */
  public boolean isScalar() {
    return TensorDraft.isScalar(message);
  }

  /**
   * Whether the declared rank and extents, open ones aside, hold in every run and iteration, and
   * runtimes refuse a feed that has others. Only translations of other formats say so: a closed
   * extent of Paddle's may be what the exporter happened to see.
   */
  public boolean hasBindingShape() {
    return TensorDraft.isBinding(message);
  }

  /**
   * The elements that the tensor always has, in row-major order, if the program itself tells: those
   * of small constants in translations of other formats; otherwise empty. O(elements).
   */
  public Optional<ImmutableDoubleArray> elements() {
    return TensorDraft.elements(message);
  }

  /**
   * The name of an open extent: extents of one name are equal in every run. Empty if it has none.
   * Only translations of other formats name extents. O(attributes).
   */
  public String extentName(int axis) {
    return TensorDraft.extentName(message, axis);
  }

  /** Whether the variable outlives a run of the program: a parameter, usually. */
  public boolean isPersistable() {
    return message.getPersistable();
  }

  /** Whether the runtime checks what is fed into it: a feed, then. */
  public boolean needsFeedCheck() {
    return message.getNeedCheckFeed();
  }

  /**
   * Whether the two declare the same type, whatever their names and flags. Levels of sequences that
   * are not declared are none.
   */
  public boolean hasSameType(Variable other) {
    VarType type = message.getType();
    VarType otherType = other.message.getType();
    return type.equals(otherType) || withoutZeroLevels(type).equals(withoutZeroLevels(otherType));
  }

  private static VarType withoutZeroLevels(VarType type) {
    VarType.Builder builder = type.toBuilder();
    if (type.getLodTensor().getLodLevel() == 0 && type.hasLodTensor()) {
      builder.getLodTensorBuilder().clearLodLevel();
    }
    if (type.getTensorArray().getLodLevel() == 0 && type.hasTensorArray()) {
      builder.getTensorArrayBuilder().clearLodLevel();
    }
    return builder.build();
  }

  /** Whether the two are declared alike, whatever their names: type and all flags. */
  public boolean hasSameDeclaration(Variable other) {
    return message.toBuilder()
        .setNameBytes(other.message.getNameBytes())
        .build()
        .equals(other.message);
  }

  VarDesc message() {
    return message;
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
