package dev.sublet.operator;

import static dev.sublet.operator.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_5;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8;
import static dev.sublet.operator.InPlaceVersions.SINCE_1_8_GENERATED;
import static dev.sublet.operator.InPlaceVersions.SINCE_2_2_GENERATED;

/**
 * Operators that move elements: reshapes, joins, slices, gathers, scatters, padding.
 *
 * <p>{@code XShape} outputs hold a shape and no elements, and some runtimes leave them out. {@code
 * scatter}, {@code set_value} and their like fill the whole of an output that is not their input:
 * they copy the input first.
 */
final class ShapeOperators {

  private ShapeOperators() {}

  static void addTo(CatalogBuilder catalog) {
    addReshapes(catalog);
    addViews(catalog);
    addCopies(catalog);
    addSplitsAndJoins(catalog);
    addGathers(catalog);
    addScatters(catalog);
    addRepeats(catalog);
    addWindows(catalog);
  }

  // Before Paddle 1.0 the plain reshape let Out share the buffer of X, unless told not to.
  private static void addReshapes(CatalogBuilder catalog) {
    catalog.addAllWithGradients("transpose");
    catalog
        .add("flatten")
        .inPlace("1.5,1.8,2.0,2.2,2.3,2.4")
        .withGradient()
        .inPlace("1.5,1.8,2.0,2.2,2.3,2.4")
        .needsOnlyShapeOf("X");
    catalog.add("flatten2").mayWrite("XShape").inPlace(SINCE_1_5).withGradient().inPlace(SINCE_1_5);
    catalog
        .add("flatten_contiguous_range")
        .mayWrite("XShape")
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .withGradient()
        .inPlace("2.0,2.2,2.3,2.4,yaml");
    catalog
        .add("reshape")
        .inPlace(SINCE_1_5)
        .sharesBuffers()
        .withGradient()
        .inPlace(SINCE_1_5)
        .sharesBuffers();
    catalog
        .add("reshape2")
        .mayWrite("XShape")
        .inPlace(SINCE_1_5)
        .withGradient()
        .inPlace(SINCE_1_5)
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .needsOnlyShapeOf("DOut");
    catalog.add("squeeze").withGradient().needsOnlyShapeOf("X");
    catalog
        .add("squeeze2")
        .mayWrite("XShape")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED);
    catalog.add("transpose2").mayWrite("XShape").withGradient();
    catalog.add("unsqueeze").withGradient().needsOnlyShapeOf("X");
    catalog
        .add("unsqueeze2")
        .mayWrite("XShape")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED);
  }

  // Views of their input's buffer, in every version that has them.
  private static void addViews(CatalogBuilder catalog) {
    catalog.add("as_strided").mayWriteAll().sharesBuffers().withGradient().mayWriteAll();
    catalog.add("view_dtype").mayWriteAll().sharesBuffers().withGradient().mayWriteAll();
    catalog.add("view_shape").mayWriteAll().sharesBuffers().withGradient().mayWriteAll();
  }

  // Under a GPU program a shape stays on the CPU, where the operators that need it read it.
  private static void addCopies(CatalogBuilder catalog) {
    catalog.addAll("memcpy", "memcpy_h2d", "transfer_dtype", "transfer_layout");
    catalog.add("assign").inPlace(SINCE_1_8_GENERATED);
    catalog.add("memcpy_d2h").onHost("Out");
    catalog.add("shape").clearsLod().onHost("Out");
    catalog.add("size").clearsLod().needsOnlyShapeOf("Input");
    catalog.add("depend").mayWriteAll();
  }

  private static void addSplitsAndJoins(CatalogBuilder catalog) {
    catalog.addAll("split", "unbind");
    catalog.addAllWithGradients("partial_concat", "partial_sum", "stack", "unstack");
    catalog.add("concat").withGradient().needsOnlyShapeOf("X");
    catalog.add("slice").withGradient().needsOnlyShapeOf("Input");
    catalog.add("strided_slice").withGradient().needsOnlyShapeOf("Input");
  }

  // unique writes Index, Indices and Counts only when its attributes ask for them.
  private static void addGathers(CatalogBuilder catalog) {
    catalog.addAll("gather_tree", "shard_index", "unique_with_counts");
    catalog.addAllWithGradients("take_along_axis");
    catalog.add("gather").withGradient().needsOnlyShapeOf("X");
    catalog.add("gather_nd").withGradient().needsOnlyShapeOf("X");
    catalog.add("index_sample").withGradient().needsOnlyShapeOf("X");
    catalog.add("index_select").withGradient().needsOnlyShapeOf("X");
    catalog.add("masked_select").withGradient().needsOnlyShapeOf("X");
    catalog.add("unique").mayWrite("Indices", "Counts", "Index");
    catalog.add("unique_consecutive").mayWrite("Index", "Counts");
    catalog.add("where_index").clearsLod();
  }

  private static void addScatters(CatalogBuilder catalog) {
    catalog.add("fill_diagonal").inPlace(SINCE_2_2_GENERATED).withGradient().inPlace("2.2,2.3,2.4");
    catalog
        .add("fill_diagonal_tensor")
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace(SINCE_2_2_GENERATED);
    catalog.add("index_add").inPlace("2.4,yaml").withGradient().inPlace("2.4,yaml");
    catalog.add("index_put").inPlace("x", "out", GENERATED_ONLY).withGradient();
    catalog.add("put_along_axis").inPlace("Input", "Result", "2.3,2.4,yaml").withGradient();
    catalog
        .add("scatter")
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("1.8,2.0")
        .needsOnlyShapeOf("Updates");
    catalog.add("scatter_nd_add").withGradient().needsOnlyShapeOf("Updates");
    catalog.add("set_value").inPlace("Input", "Out", "2.2,2.3,2.4,2.6,HEAD").withGradient();
  }

  private static void addRepeats(CatalogBuilder catalog) {
    catalog.addAll("diag", "diag_embed", "one_hot", "one_hot_v2");
    catalog.addAllWithGradients("meshgrid");
    catalog.add("diag_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("broadcast_tensors").withGradient().needsOnlyShapeOf("X");
    catalog.add("expand").withGradient().needsOnlyShapeOf("X");
    catalog.add("expand_as").withGradient().needsOnlyShapeOf("X");
    catalog.add("expand_as_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("expand_v2").withGradient().needsOnlyShapeOf("X");
    catalog.add("repeat_interleave").withGradient().needsOnlyShapeOf("X");
    catalog.add("tile").withGradient().needsOnlyShapeOf("X");
  }

  private static void addWindows(CatalogBuilder catalog) {
    catalog.addAll("flip");
    catalog.addAllWithGradients(
        "crop_tensor",
        "pad",
        "pad_constant_like",
        "pixel_shuffle",
        "reverse",
        "shuffle_channel",
        "temporal_shift",
        "tril_triu");
    catalog.add("crop").needsOnlyShapeOf("Y").withGradient();
    catalog.add("fold").withGradient().needsOnlyShapeOf("X");
    catalog.add("im2sequence").producesLod().withGradient();
    catalog.add("pad2d").withGradient().needsOnlyShapeOf("X");
    catalog.add("pad3d").withGradient().needsOnlyShapeOf("X");
    catalog.add("random_crop").mayWrite("SeedOut");
    catalog.add("roll").withGradient().needsOnlyShapeOf("X");
    catalog.add("space_to_depth").withGradient().needsOnlyShapeOf("X");
    catalog.add("unfold").withGradient().needsOnlyShapeOf("X");
  }
}
