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
 * A dense tensor to be declared by a translation of another format, see {@link
 * ProgramBuilder#declare(int, String, TensorDraft)}.
 *
 * <p>What Paddle's format has no field for is kept in attributes of the variable, which Paddle
 * ignores: that it is a scalar, the names of its extents, the elements of a small constant, and
 * that its shape is a promise.
 *
 * @param dataType the element type
 * @param dims the extents, outermost first, -1 for an open one; empty for a scalar, or if not even
 *     the rank is known
 * @param hasShape whether the rank is known
 * @param extentNames the name of each extent that has one, else ""; as long as the extents, or
 *     empty
 * @param persistable whether it outlives a run
 * @param fed whether it is fed
 * @param elements the elements, in row-major order, of a constant; empty if they are not told
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

  /** A tensor that operators write, of which the element type is known. */
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

  /** The same with extents. */
  public TensorDraft withShape(ImmutableLongArray newDims, ImmutableList<String> names) {
    return new TensorDraft(
        dataType, newDims, /* hasShape= */ true, names, persistable, fed, elements);
  }

  /** The same as something that outlives a run. */
  public TensorDraft persistent() {
    return new TensorDraft(
        dataType, dims, hasShape, extentNames, /* persistable= */ true, fed, elements);
  }

  /** The same as something that is fed. */
  public TensorDraft asFeed() {
    return new TensorDraft(
        dataType, dims, hasShape, extentNames, persistable, /* fed= */ true, elements);
  }

  /** The same with elements. */
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
