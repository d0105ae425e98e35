package dev.sublet.program;

import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A declared variable. O(1) throughout. */
public final class Variable {

  /** The kind of a variable's value. */
  public enum Kind {
    /** A dense tensor, possibly with sequence information (LoD). */
    TENSOR,
    /** A sparse tensor of rows. */
    SELECTED_ROWS,
    /** An array of tensors. */
    TENSOR_ARRAY,
    /** The list from which feeds are taken. */
    FEED_HOLDER,
    /** The list into which fetched results are put. */
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
  private final Kind kind;

  /** Read from the message when it is first asked for; null before. */
  @SuppressWarnings("NullableOptional") // null and empty differ; an Optional is not made per call
  private @Nullable Optional<TensorType> tensorType;

  Variable(VarDesc message, VariableId id, int index) {
    this.message = message;
    this.id = id;
    this.index = index;
    this.kind = kind(message);
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

  /** The kind of the variable's value. */
  public Kind kind() {
    return kind;
  }

  /** Whether the variable's value has elements of tensors, or may have some. */
  public boolean hasElements() {
    return switch (kind) {
      case STEP_SCOPES, RANK_TABLE, FEED_HOLDER, FETCH_HOLDER -> false;
      case TENSOR, SELECTED_ROWS, TENSOR_ARRAY, READER, RAW, OTHER -> true;
    };
  }

  private static Kind kind(VarDesc message) {
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
   * The tensor's declared type; empty unless the variable is a dense tensor with a declared type.
   * Every negative extent is returned as -1.
   */
  public Optional<TensorType> tensorType() {
    Optional<TensorType> known = tensorType;
    if (known == null) {
      known = readTensorType();
      tensorType = known;
    }
    return known;
  }

  private Optional<TensorType> readTensorType() {
    if (kind != Kind.TENSOR || !message.getType().hasLodTensor()) {
      return Optional.empty();
    }
    VarType.LoDTensorDesc desc = message.getType().getLodTensor();
    return Optional.of(
        new TensorType(
            DataType.ofNumber(desc.getTensor().getDataTypeValue()),
            extents(desc.getTensor().getDimsList()),
            desc.getLodLevel()));
  }

  /**
   * Replaces each negative extent by -1. Paddle computes with -1 when it infers shapes: -50 is the
   * product of an unknown extent and 50.
   */
  private static ImmutableLongArray extents(List<Long> dims) {
    ImmutableLongArray.Builder extents = ImmutableLongArray.builder(dims.size());
    for (long extent : dims) {
      extents.add(Math.max(extent, -1));
    }
    return extents.build();
  }

  /**
   * Whether the tensor is declared as a scalar. An empty list of extents alone is not enough: the
   * shape may not have been recorded. Only translations of other formats declare scalars.
   */
  public boolean isScalar() {
    return TensorDraft.isScalar(message);
  }

  /**
   * Whether the declared rank and known extents are the same in every run and iteration, and
   * runtimes reject a feed with other extents. Only translations of other formats declare this: a
   * known extent in a Paddle program may only be the extent of the exporter's example input.
   */
  public boolean hasBindingShape() {
    return TensorDraft.isBinding(message);
  }

  /**
   * The constant elements of the tensor, in row-major order, if the program contains them: for
   * small constants in translations of other formats; otherwise empty. O(elements).
   */
  public Optional<ImmutableDoubleArray> elements() {
    return TensorDraft.elements(message);
  }

  /**
   * The name of an unknown extent; "" if the extent has no name. Extents with the same name are
   * equal in every run. Only translations of other formats name extents. O(attributes).
   */
  public String extentName(int axis) {
    return TensorDraft.extentName(message, axis);
  }

  /** Whether the variable outlives a run of the program: a parameter, usually. */
  public boolean isPersistable() {
    return message.getPersistable();
  }

  /**
   * Whether the runtime checks the value that is fed into the variable, which is therefore a feed.
   */
  public boolean needsFeedCheck() {
    return message.getNeedCheckFeed();
  }

  /**
   * Whether two variables have the same declared type, whatever their names and flags. An
   * undeclared LoD level equals level 0.
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

  /**
   * Whether two variables have equal declarations, whatever their names: the type and all flags.
   */
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
