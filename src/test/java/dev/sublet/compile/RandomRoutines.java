package dev.sublet.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/** Random calls of operators with C kernels, in the form of {@code testdata/operators}. */
final class RandomRoutines {

  private final Random random;

  RandomRoutines(long seed) {
    random = new Random(seed);
  }

  private String one(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private boolean isOneIn(int count) {
    return random.nextInt(count) == 0;
  }

  /** Returns a list of numbers, a few of which no image contains. */
  private String corners(int count) {
    StringJoiner list = new StringJoiner(",", "<", ">");
    for (int i = 0; i < 4 * count; i++) {
      double number = random.nextInt(24) / 2.0 - 3 + (i % 4 < 2 ? 0 : random.nextInt(6));
      list.add(isOneIn(40) ? one("NaN", "Infinity", "-1e30", "1e9") : Double.toString(number));
    }
    return count == 0 ? "" : list.toString();
  }

  /** Returns a {@code roi_align} whose regions may be empty, reversed, or outside of the image. */
  String regions() {
    int images = 1 + random.nextInt(3);
    int regions = random.nextInt(5);
    StringJoiner offsets = new StringJoiner(",", " lod<0,", ">");
    StringJoiner numbers = new StringJoiner(",", "<", ">");
    int end = 0;
    for (int image = 0; image < images; image++) {
      int own = image == images - 1 ? regions - end : random.nextInt(regions - end + 1);
      end += own;
      offsets.add(Integer.toString(end));
      numbers.add(Integer.toString(isOneIn(6) ? random.nextInt(5) - 1 : own));
    }
    boolean hasNumbers = random.nextBoolean();
    return String.format(
        Locale.ROOT,
        "roi_align(X: fp32[%d,%d,%d,%d], ROIs: fp32[%d,4]%s%s) {pooled_height: %d, pooled_width:"
            + " %d, spatial_scale: %s, sampling_ratio: %d, aligned: %s}",
        images,
        1 + random.nextInt(2),
        1 + random.nextInt(6),
        1 + random.nextInt(6),
        regions,
        corners(regions),
        hasNumbers ? ", RoisNum: " + one("int32", "int64") + "[" + images + "]" + numbers : offsets,
        1 + random.nextInt(3),
        1 + random.nextInt(3),
        one("1.0", "0.5", "0.3"),
        random.nextInt(5) - 1,
        random.nextBoolean());
  }

  /** Returns one of ONNX's operators on regions, in the form of {@code testdata/onnx_operators}. */
  String onnxRegions() {
    int form = random.nextInt(3);
    int regions = 1 + random.nextInt(3);
    String type = one("f", "f64");
    StringJoiner corners = new StringJoiner(",");
    StringJoiner images = new StringJoiner(",");
    for (int region = 0; region < regions; region++) {
      images.add(Integer.toString(random.nextInt(2)));
      if (form == 1) {
        corners.add(Integer.toString(random.nextInt(2)));
      }
      for (int k = 0; k < 4; k++) {
        double place = random.nextInt(12) / 10.0 + (random.nextInt(6) - 1) * (k < 2 ? 0.1 : 0.2);
        corners.add(Double.toString(form == 2 ? place : 6 * place));
      }
    }
    String call =
        String.format(
            Locale.ROOT,
            "%s %s[2,2,%d,%d] %s[%d,%d]=%s",
            List.of("RoiAlign", "MaxRoiPool", "com.microsoft.CropAndResize").get(form),
            type,
            1 + random.nextInt(7),
            1 + random.nextInt(7),
            type,
            regions,
            form == 1 ? 5 : 4,
            corners);
    int height = 1 + random.nextInt(3);
    int width = 1 + random.nextInt(3);
    return switch (form) {
      case 0 ->
          String.format(
              "%s i64[%d]=%s ; output_height=%d output_width=%d mode=%s sampling_ratio=%d"
                  + " spatial_scale=%s",
              call,
              regions,
              images,
              height,
              width,
              one("avg", "max"),
              random.nextInt(4),
              one("1.0", "0.6"));
      case 1 ->
          String.format(
              "%s ; pooled_shape=[%d,%d] spatial_scale=%s", call, height, width, one("1.0", "0.6"));
      default ->
          String.format(
              "%s i32[%d]=%s i32[2]=%d,%d ; mode=%s extrapolation_value=0.75",
              call, regions, images, height, width, one("bilinear", "nearest"));
    };
  }

  /** Returns one of ONNX's operators on bits, with a broadcast. */
  String onnxBits() {
    String type = one("u8", "i8", "i32", "i64");
    String operator = one("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitShift");
    StringJoiner elements = new StringJoiner(",");
    StringJoiner others = new StringJoiner(",");
    for (int i = 0; i < 6; i++) {
      elements.add(Integer.toString(random.nextInt(128) - (type.equals("u8") ? 0 : 64)));
      if (i < 3) {
        others.add(Integer.toString(isOneIn(4) ? random.nextInt(128) : random.nextInt(9)));
      }
    }
    boolean isWide = random.nextBoolean();
    String ending = operator.equals("BitShift") ? " ; direction=" + one("LEFT", "RIGHT") : "";
    return String.format(
        "%s %s[%s]=%s %s[%s]=%s%s",
        operator,
        type,
        isWide ? "2,3" : "2,1,3",
        elements,
        type,
        isWide ? "3" : "3,1",
        others,
        ending);
  }

  /** Returns a {@code generate_proposals} or its second version. */
  String proposals() {
    int images = 1 + random.nextInt(2);
    int kinds = 1 + random.nextInt(3);
    String map = (1 + random.nextInt(3)) + "," + (1 + random.nextInt(3));
    boolean isFirst = random.nextBoolean();
    return String.format(
        Locale.ROOT,
        "(RpnRois, RpnRoiProbs, RpnRoisNum) = generate_proposals%s(Scores: fp32[%d,%d,%s],"
            + " BboxDeltas: fp32[%d,%d,%s](-2,2), %s, Anchors: fp32[%s,%d,4](-10,60), Variances:"
            + " fp32[%s,%d,4](0.1,1)) {pre_nms_topN: %d, post_nms_topN: %d, nms_thresh: %s,"
            + " min_size: %s, eta: %s, pixel_offset: %s}",
        isFirst ? "" : "_v2",
        images,
        kinds,
        map,
        images,
        4 * kinds,
        map,
        isFirst ? "ImInfo: fp32[" + images + ",3](1,40)" : "ImShape: fp32[" + images + ",2](5,60)",
        map,
        kinds,
        map,
        kinds,
        random.nextInt(9),
        random.nextInt(6),
        one("0.3", "0.7", "0.9", "0.0"),
        one("0.0", "4.0", "30.0"),
        one("1.0", "0.8"),
        random.nextBoolean());
  }

  /** Returns a {@code set_value} with limits in attributes or tensors. */
  String slice() {
    int rank = 1 + random.nextInt(3);
    List<Integer> shape = new ArrayList<>();
    List<String> value = new ArrayList<>();
    List<String> axes = new ArrayList<>();
    List<String> starts = new ArrayList<>();
    List<String> ends = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      int extent = 1 + random.nextInt(6);
      int count = 1 + random.nextInt(extent);
      shape.add(extent);
      if (isOneIn(3)) {
        value.add(isOneIn(3) ? "1" : Integer.toString(extent));
        continue;
      }
      int stride =
          count == 1 ? 1 + random.nextInt(4) : 1 + random.nextInt((extent - 1) / (count - 1));
      int length = (count - 1) * stride;
      int first = random.nextInt(extent - length);
      boolean runsBack = isOneIn(3);
      int start = runsBack ? first + length : first;
      int end = runsBack ? first - 1 : first + length + 1;
      boolean fromEnd = random.nextBoolean();
      axes.add(axis + "L");
      starts.add(Integer.toString(fromEnd ? start - extent : start));
      ends.add(
          Integer.toString(fromEnd && end > 0 && end < extent && !runsBack ? end - extent : end));
      steps.add(Integer.toString(runsBack ? -stride : stride));
      if (isOneIn(8)) {
        ends.set(ends.size() - 1, Integer.toString(random.nextInt(20) - 10));
        count = 1;
      }
      if (count == 1 && random.nextBoolean()) {
        gone.add(axis + "L");
      } else {
        value.add(isOneIn(3) ? "1" : Integer.toString(count));
      }
    }
    return slice(shape, value, limits(starts, ends, steps))
        + String.format(
            ", axes: %s, decrease_axes: %s, none_axes: longs []}", longs(axes), longs(gone));
  }

  private static String longs(List<String> list) {
    return list.isEmpty() ? "longs []" : "[" + String.join(",", list) + "]";
  }

  /** Returns the inputs with limits, and the attributes with the others. */
  private List<String> limits(List<String> starts, List<String> ends, List<String> steps) {
    StringBuilder tensors = new StringBuilder();
    StringJoiner attributes = new StringJoiner(", ");
    List<List<String>> lists = List.of(starts, ends, steps);
    for (int i = 0; i < lists.size(); i++) {
      String name = List.of("start", "end", "step").get(i);
      boolean isComputed = random.nextBoolean() && !lists.get(i).isEmpty();
      if (isComputed) {
        tensors.append(", ").append(Character.toUpperCase(name.charAt(0)));
        tensors.append(name.substring(1)).append("sTensorList:");
        for (String limit : lists.get(i)) {
          tensors
              .append(' ')
              .append(one("int32", "int64"))
              .append("[1]<")
              .append(limit)
              .append('>');
        }
      }
      List<String> listed = lists.get(i).stream().map(limit -> limit + "L").toList();
      attributes.add(name + "s: " + longs(isComputed ? List.of() : listed));
    }
    return List.of(tensors.toString(), attributes.toString());
  }

  private String slice(List<Integer> shape, List<String> value, List<String> limits) {
    String extents = String.join(",", shape.stream().map(String::valueOf).toList());
    List<String> own =
        value.isEmpty()
            ? List.of("1")
            : value.subList(isOneIn(4) ? value.size() - 1 : 0, value.size());
    int form = random.nextInt(4);
    String type = List.of("fp32", "int64", "fp64", "bool").get(form);
    if (random.nextBoolean() || form == 3) {
      return String.format(
          "set_value(Input: %s[%s], ValueTensor: %s[%s]%s) {dtype: %d, %s",
          type,
          extents,
          type,
          String.join(",", own),
          limits.get(0),
          List.of(5, 3, 6, 0).get(form),
          limits.get(1));
    }
    int count = own.stream().mapToInt(Integer::parseInt).reduce(1, (a, b) -> a * b);
    StringJoiner numbers = new StringJoiner(",");
    for (int i = 0; i < count; i++) {
      numbers.add(
          form == 1 ? random.nextInt(90) - 9 + "L" : Double.toString(random.nextInt(90) / 8.0));
    }
    return String.format(
        "set_value(Input: %s[%s]%s) {dtype: %d, %s, shape: [%s], %s_values: [%s]",
        type,
        extents,
        limits.get(0),
        List.of(5, 3, 6).get(form),
        limits.get(1),
        String.join(",", own),
        type,
        numbers);
  }
}
