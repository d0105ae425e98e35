package dev.sublet.testing.text;

import com.google.common.base.Ascii;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableBiMap;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;

/**
 * The types and flags of variables in program text: {@code array fp32[-1,4] lod(1) persistable}.
 */
public final class TypeText {

  private static final ImmutableBiMap<String, VarType.Type> KINDS =
      ImmutableBiMap.<String, VarType.Type>builder()
          .put("array", VarType.Type.LOD_TENSOR_ARRAY)
          .put("selected_rows", VarType.Type.SELECTED_ROWS)
          .put("step_scopes", VarType.Type.STEP_SCOPES)
          .put("feed_holder", VarType.Type.FEED_MINIBATCH)
          .put("fetch_list", VarType.Type.FETCH_LIST)
          .put("rank_table", VarType.Type.LOD_RANK_TABLE)
          .put("reader", VarType.Type.READER)
          .put("raw", VarType.Type.RAW)
          .put("tensor", VarType.Type.LOD_TENSOR)
          .buildOrThrow();

  private TypeText() {}

  /** Reads what stands behind a variable's name into its declaration. */
  public static void parse(LineScanner line, VarDesc.Builder variable) {
    String word = line.name("a type");
    VarType.Type kind = KINDS.get(word);
    VarType.Builder type = variable.getTypeBuilder();
    if (kind == null) {
      parseTensor(line, word, type.setType(VarType.Type.LOD_TENSOR));
    } else {
      type.setType(kind);
      switch (kind) {
        case LOD_TENSOR_ARRAY, SELECTED_ROWS -> parseTensor(line, line.name("a type"), type);
        default -> {}
      }
    }
    while (line.seesName()) {
      parseFlag(line, variable);
    }
  }

  private static void parseTensor(LineScanner line, String dataType, VarType.Builder type) {
    VarType.TensorDesc.Builder tensor = VarType.TensorDesc.newBuilder();
    try {
      tensor.setDataType(VarType.Type.valueOf(Ascii.toUpperCase(dataType)));
    } catch (IllegalArgumentException e) {
      throw line.error("'" + dataType + "' is not a type");
    }
    line.expect("[");
    while (!line.take("]")) {
      tensor.addDims(line.integer("an extent"));
      if (!line.sees("]")) {
        line.expect(",");
      }
    }
    int lod = 0;
    if (line.take("lod(")) {
      lod = line.integer("a LoD level");
      line.expect(")");
    }
    switch (type.getType()) {
      case SELECTED_ROWS -> type.setSelectedRows(tensor);
      case LOD_TENSOR_ARRAY -> {
        type.getTensorArrayBuilder().setTensor(tensor);
        if (lod != 0) {
          type.getTensorArrayBuilder().setLodLevel(lod);
        }
      }
      default -> {
        type.getLodTensorBuilder().setTensor(tensor);
        if (lod != 0) {
          type.getLodTensorBuilder().setLodLevel(lod);
        }
      }
    }
  }

  private static void parseFlag(LineScanner line, VarDesc.Builder variable) {
    String flag = line.name("a flag");
    switch (flag) {
      case "persistable" -> variable.setPersistable(true);
      case "check_feed" -> variable.setNeedCheckFeed(true);
      case "parameter" -> variable.setIsParameter(true);
      case "stop_gradient" -> variable.setStopGradient(true);
      default -> throw line.error("'" + flag + "' is not a flag");
    }
  }

  /** What stands behind a variable's name. */
  static String print(VarDesc variable) {
    VarType type = variable.getType();
    String text = KINDS.inverse().get(type.getType());
    if (text == null) {
      throw new IllegalArgumentException("no notation for the type of " + variable.getName());
    }
    switch (type.getType()) {
      case LOD_TENSOR -> {
        if (type.hasLodTensor()) {
          text = print(type.getLodTensor().getTensor(), type.getLodTensor().getLodLevel());
        }
      }
      case LOD_TENSOR_ARRAY -> {
        VarType.LoDTensorArrayDesc array = type.getTensorArray();
        text += " " + print(array.getTensor(), array.getLodLevel());
      }
      case SELECTED_ROWS -> text += " " + print(type.getSelectedRows(), 0);
      default -> {}
    }
    return text
        + (variable.getPersistable() ? " persistable" : "")
        + (variable.getNeedCheckFeed() ? " check_feed" : "")
        + (variable.getIsParameter() ? " parameter" : "")
        + (variable.getStopGradient() ? " stop_gradient" : "");
  }

  private static String print(VarType.TensorDesc tensor, int lod) {
    return Ascii.toLowerCase(tensor.getDataType().name())
        + "["
        + Joiner.on(",").join(tensor.getDimsList())
        + "]"
        + (lod == 0 ? "" : " lod(" + lod + ")");
  }
}
