package dev.sublet.program;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.Optional;

/**
 * The declaration of a dense tensor in a program that is translated from another format, see {@link
 * ProgramBuilder#declare(int, String, TensorDraft)}.
 *
 * <p>Facts for which Paddle's format has no field are stored in attributes of the variable, which
 * Paddle ignores: whether the tensor is a scalar, the names of its extents, the elements of a small
 * constant, and whether its shape is binding.
 *
 * @param dataType the element type
 * @param dims the extents, outermost first, -1 for an unknown one; empty for a scalar, or if the
 *     rank is unknown
 * @param hasShape whether the rank is known
 * @param extentNames the name of each extent, or "" for an extent without a name; as many as
 *     extents, or empty
 * @param persistable whether the tensor outlives a run
 * @param fed whether the tensor is a feed
 * @param elements the elements of a constant, in row-major order; empty if they are not given
 */
public record TensorDraft(
    DataType dataType,
    ImmutableLongArray dims,
    boolean hasShape,
    ImmutableList<String> extentNames,
    boolean persistable,
    boolean fed,
    Optional<ImmutableDoubleArray> elements) {

  private static final String SCALAR = "sublet.scalar";
  private static final String EXTENT = "sublet.extent.";
  private static final String ELEMENTS = "sublet.elements";
  private static final String BINDING = "sublet.binding";

  public TensorDraft {
    requireNonNull(dataType, "dataType");
    requireNonNull(dims, "dims");
    requireNonNull(extentNames, "extentNames");
    requireNonNull(elements, "elements");
  }

  /** A tensor of which only the element type is known; neither persistable nor a feed. */
  public static TensorDraft of(DataType dataType) {
    return new TensorDraft(
        dataType,
        ImmutableLongArray.of(),
        /* hasShape= */ false,
        ImmutableList.of(),
        /* persistable= */ false,
        /* fed= */ false,
        Optional.empty());
  }

  /** A copy with extents. */
  public TensorDraft withShape(ImmutableLongArray newDims, ImmutableList<String> names) {
    return new TensorDraft(
        dataType, newDims, /* hasShape= */ true, names, persistable, fed, elements);
  }

  /** A copy that outlives a run. */
  public TensorDraft persistent() {
    return new TensorDraft(
        dataType, dims, hasShape, extentNames, /* persistable= */ true, fed, elements);
  }

  /** A copy that is a feed. */
  public TensorDraft asFeed() {
    return new TensorDraft(
        dataType, dims, hasShape, extentNames, persistable, /* fed= */ true, elements);
  }

  /** A copy with elements. */
  public TensorDraft withElements(ImmutableDoubleArray newElements) {
    return new TensorDraft(
        dataType, dims, hasShape, extentNames, persistable, fed, Optional.of(newElements));
  }

  void addTo(VarDesc.Builder variable) {
    VarType.Builder type = variable.getTypeBuilder().setType(VarType.Type.LOD_TENSOR);
    type.getLodTensorBuilder()
        .getTensorBuilder()
        .setDataTypeValue(dataType.number())
        .addAllDims(dims.asList());
    variable.setPersistable(persistable).setNeedCheckFeed(fed);
    if (hasShape && dims.isEmpty()) {
      variable.addAttrs(attribute(SCALAR, AttrType.INT).setI(1));
    }
    for (int axis = 0; axis < extentNames.size(); axis++) {
      if (!extentNames.get(axis).isEmpty()) {
        variable.addAttrs(attribute(EXTENT + axis, AttrType.STRING).setS(extentNames.get(axis)));
      }
    }
    if (hasShape && !persistable) {
      variable.addAttrs(attribute(BINDING, AttrType.INT).setI(1));
    }
    elements.ifPresent(
        numbers ->
            variable.addAttrs(
                attribute(ELEMENTS, AttrType.STRING).setS(Joiner.on(' ').join(numbers.asList()))));
  }

  private static VarDesc.Attr.Builder attribute(String name, AttrType type) {
    return VarDesc.Attr.newBuilder().setName(name).setType(type);
  }

  static boolean isScalar(VarDesc variable) {
    return find(variable, SCALAR).isPresent();
  }

  static boolean isBinding(VarDesc variable) {
    return find(variable, BINDING).isPresent();
  }

  static String extentName(VarDesc variable, int axis) {
    return variable.getAttrsCount() == 0
        ? ""
        : find(variable, EXTENT + axis).map(VarDesc.Attr::getS).orElse("");
  }

  static Optional<ImmutableDoubleArray> elements(VarDesc variable) {
    return find(variable, ELEMENTS).map(attribute -> numbers(attribute.getS()));
  }

  private static ImmutableDoubleArray numbers(String text) {
    ImmutableDoubleArray.Builder numbers = ImmutableDoubleArray.builder();
    for (String number : Splitter.on(' ').omitEmptyStrings().split(text)) {
      numbers.add(Double.parseDouble(number));
    }
    return numbers.build();
  }

  private static Optional<VarDesc.Attr> find(VarDesc variable, String name) {
    for (VarDesc.Attr attribute : variable.getAttrsList()) {
      if (attribute.getName().equals(name)) {
        return Optional.of(attribute);
      }
    }
    return Optional.empty();
  }
}
