package dev.sublet.codec.tensor;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.tensor.ElementType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of a NumPy file: a Python dictionary such as {@code {'descr': '<f4', 'fortran_order':
 * False, 'shape': (2, 3), }}.
 *
 * @param type the element type
 * @param fortranOrder whether the index of the first axis changes fastest
 * @param shape the extents
 */
record NpyHeader(ElementType type, boolean fortranOrder, ImmutableLongArray shape) {

  private static final Pattern TYPE =
      Pattern.compile("['\"]descr['\"]\\s*:\\s*['\"]([^'\"]*)['\"]");
  private static final Pattern ORDER =
      Pattern.compile("['\"]fortran_order['\"]\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("['\"]shape['\"]\\s*:\\s*\\(([^)]*)\\)");

  NpyHeader {
    requireNonNull(type, "type");
    requireNonNull(shape, "shape");
  }

  /**
   * Reads a header.
   *
   * @throws ProgramException if the header is malformed, or the element type is not supported
   */
  static NpyHeader parse(String text, Location place) {
    String type = find(TYPE, text, "descr", place);
    String order = find(ORDER, text, "fortran_order", place);
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    for (String part :
        Splitter.on(',')
            .trimResults()
            .omitEmptyStrings()
            .split(find(SHAPE, text, "shape", place))) {
      Long extent = Longs.tryParse(part);
      if (extent == null || extent < 0) {
        throw ProgramException.unreadable(place, "the shape in its header holds '" + part + "'");
      }
      shape.add(extent);
    }
    return new NpyHeader(elementType(type, place), order.equals("True"), shape.build());
  }

  private static String find(Pattern pattern, String text, String key, Location place) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw ProgramException.unreadable(place, "its header has no '" + key + "'");
    }
    return matcher.group(1);
  }

  private static ElementType elementType(String text, Location place) {
    return switch (text) {
      case "<f4" -> ElementType.FLOAT32;
      case "<f8" -> ElementType.FLOAT64;
      case "<i4" -> ElementType.INT32;
      case "<i8" -> ElementType.INT64;
      case "|b1", "<b1" -> ElementType.BOOL;
      case "|u1", "<u1" -> ElementType.UINT8;
      case "|i1", "<i1" -> ElementType.INT8;
      case "<f2" -> ElementType.FLOAT16;
      case "<i2" -> ElementType.INT16;
      case "<u2" -> ElementType.UINT16;
      case "<u4" -> ElementType.UINT32;
      case "<u8" -> ElementType.UINT64;
      case "<V2", "|V2" -> ElementType.BFLOAT16;
      default ->
          throw ProgramException.unreadable(
              place,
              "its elements are '"
                  + text
                  + "'; only little-endian numbers, booleans, and <V2 (bfloat16) are read");
    };
  }

  /** The text of the header, without padding. */
  String text() {
    String descr =
        switch (type) {
          case FLOAT32 -> "<f4";
          case FLOAT64 -> "<f8";
          case INT32 -> "<i4";
          case INT64 -> "<i8";
          case BOOL -> "|b1";
          case UINT8 -> "|u1";
          case INT8 -> "|i1";
          case FLOAT16 -> "<f2";
          case INT16 -> "<i2";
          case UINT16 -> "<u2";
          case UINT32 -> "<u4";
          case UINT64 -> "<u8";
          // NumPy has no bfloat16: these are the bits, as Python's ml_dtypes writes them.
          case BFLOAT16 -> "<V2";
        };
    StringBuilder extents = new StringBuilder();
    for (int axis = 0; axis < shape.length(); axis++) {
      extents.append(axis == 0 ? "" : ", ").append(shape.get(axis));
    }
    extents.append(shape.length() == 1 ? "," : "");
    return "{'descr': '"
        + descr
        + "', 'fortran_order': "
        + (fortranOrder ? "True" : "False")
        + ", 'shape': ("
        + extents
        + "), }";
  }
}
