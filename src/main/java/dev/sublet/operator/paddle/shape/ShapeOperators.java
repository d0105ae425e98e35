package dev.sublet.operator.paddle.shape;

import static dev.sublet.operator.spec.InPlaceVersions.GENERATED_ONLY;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_5;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_1_8_GENERATED;
import static dev.sublet.operator.spec.InPlaceVersions.SINCE_2_2_GENERATED;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.InPlaceCondition;
import dev.sublet.operator.spec.ViewRules;

/**
 * Catalog entries for operators that move elements: reshapes, joins, slices, gathers, scatters,
 * padding.
 *
 * <p>An {@code XShape} output has a shape and no elements, and some runtimes leave it out. {@code
 * scatter}, {@code set_value} and similar operators write the whole output if it is not their
 * input: they copy the input first.
 */
public final class ShapeOperators {

  private ShapeOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addTransposes(catalog);
    addFlattens(catalog);
    addReshapes(catalog);
    addSqueezes(catalog);
    addViews(catalog);
    addCopies(catalog);
    addSplitsAndJoins(catalog);
    addGathers(catalog);
    addScatters(catalog);
    addRepeats(catalog);
    addWindows(catalog);
  }

  private static void addTransposes(CatalogBuilder catalog) {
    catalog
        .add("transpose")
        .shape(ReshapeShapes::transpose)
        .withGradient()
        .shape(ReshapeShapes::transposeGradient);
    catalog.add("transpose2").shape(ReshapeShapes::transpose).mayWrite("XShape").withGradient();
  }

  private static void addFlattens(CatalogBuilder catalog) {
    catalog
        .add("flatten")
        .shape(ReshapeShapes::flatten)
        .inPlace("1.5,1.8,2.0,2.2,2.3,2.4")
        .underTwoNames()
        .view()
        .withGradient()
        .replacesLod("X@GRAD")
        .inPlace("1.5,1.8,2.0,2.2,2.3,2.4")
        .needsOnlyShapeOf("X")
        .view();
    catalog
        .add("flatten2")
        .shape(ReshapeShapes::flatten)
        .mayWrite("XShape")
        .inPlace(SINCE_1_5)
        .underTwoNames()
        .view()
        .withGradient()
        .inPlace(SINCE_1_5)
        .view();
    catalog
        .add("flatten_contiguous_range")
        .shape(ReshapeShapes::flattenRange)
        .mayWrite("XShape")
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .view()
        .withGradient()
        .inPlace("2.0,2.2,2.3,2.4,yaml")
        .view();
  }

  // Out of the plain reshape shares the buffer of X in Paddle 1, and does not in later versions. A
  // file's version does not tell which runtime will run it, so sharing is assumed for all.
  private static void addReshapes(CatalogBuilder catalog) {
    catalog
        .add("reshape")
        .shape(ReshapeShapes::reshape)
        .inPlace(SINCE_1_5)
        .underTwoNamesBeside("Shape", "ShapeTensor")
        .sharesBuffers()
        .view()
        .withGradient()
        .inPlace(SINCE_1_5)
        .sharesBuffers()
        .view();
    catalog
        .add("reshape2")
        .shape(ReshapeShapes::reshape)
        .mayWrite("XShape")
        .inPlace(SINCE_1_5)
        .underTwoNamesBeside("Shape", "ShapeTensor")
        .view()
        .withGradient()
        .inPlace(SINCE_1_5)
        .view()
        .withGradient()
        .inPlace("DDX", "DDOut", SINCE_1_8)
        .needsOnlyShapeOf("DOut")
        .view("DDX", "DDOut");
  }

  private static void addSqueezes(CatalogBuilder catalog) {
    catalog
        .add("squeeze")
        .shape(ReshapeShapes::squeeze)
        .view()
        .withGradient()
        .replacesLod("X@GRAD")
        .view()
        .needsOnlyShapeOf("X");
    catalog
        .add("squeeze2")
        .shape(ReshapeShapes::squeeze)
        .mayWrite("XShape")
        .inPlace(SINCE_1_8_GENERATED)
        .underTwoNames()
        .view()
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED)
        .view();
    catalog
        .add("unsqueeze")
        .shape(ReshapeShapes::unsqueeze)
        .view()
        .withGradient()
        .replacesLod("X@GRAD")
        .view()
        .needsOnlyShapeOf("X");
    catalog
        .add("unsqueeze2")
        .shape(ReshapeShapes::unsqueeze)
        .mayWrite("XShape")
        .inPlace(SINCE_1_8_GENERATED)
        .underTwoNamesBeside("AxesTensor", "AxesTensorList")
        .view()
        .withGradient()
        .inPlace(SINCE_1_8_GENERATED)
        .view();
  }

  // In every version that has these operators, their outputs are views of the input's buffer.
  private static void addViews(CatalogBuilder catalog) {
    catalog.add("as_strided").mayWriteAll().sharesBuffers().withGradient().mayWriteAll();
    catalog.add("view_dtype").mayWriteAll().sharesBuffers().withGradient().mayWriteAll();
    catalog.add("view_shape").mayWriteAll().sharesBuffers().withGradient().mayWriteAll();
  }

  // In a program for a GPU, a shape stays in CPU memory, where the operators that need it read it.
  private static void addCopies(CatalogBuilder catalog) {
    // The layouts that the runtime gives its tensors decide the order of the extents.
    catalog.add("transfer_layout");
    catalog.add("transfer_dtype").shape(ElementwiseShapes::copyOfX);
    catalog.add("memcpy_h2d").shape(ElementwiseShapes::copyOfX);
    catalog.add("memcpy").shape(ElementwiseShapes::copyOfX);
    catalog
        .add("assign")
        .replacesLod("Out")
        .shape(ElementwiseShapes::copyOfX)
        .view()
        .inPlace(SINCE_1_8_GENERATED);
    catalog.add("memcpy_d2h").shape(ElementwiseShapes::copyOfX).onHost("Out");
    catalog.add("shape").shape(ReshapeShapes::shape).clearsLod().onHost("Out");
    catalog.add("size").shape(ReshapeShapes::size).clearsLod().needsOnlyShapeOf("Input");
    catalog.add("depend").shape(ElementwiseShapes::copyOfX).mayWriteAll();
  }

  private static void addSplitsAndJoins(CatalogBuilder catalog) {
    catalog.add("unbind").shape(JoinShapes.unstack("Out")).view(ViewRules.split("Out"));
    catalog.add("split").shape(JoinShapes::split).keepsIfEmpty("Out").view(ViewRules.split("Out"));
    catalog
        .add("unstack")
        .shape(JoinShapes.unstack("Y"))
        .view(ViewRules.split("Y"))
        .withGradient()
        .shape(JoinShapes::unstackGradient);
    catalog
        .add("stack")
        .shape(JoinShapes::stack)
        .view(ViewRules.stack())
        .withGradient()
        .shape(JoinShapes::stackGradient);
    catalog.add("partial_sum").shape(JoinShapes::partialSum).withGradient().replacesLod("X@GRAD");
    catalog
        .add("partial_concat")
        .shape(JoinShapes::partialConcat)
        .withGradient()
        .replacesLod("X@GRAD");
    catalog
        .add("concat")
        .replacesLod("Out")
        .shape(JoinShapes::concat)
        .view(ViewRules.concat())
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("slice")
        .shape(SliceShapes::slice)
        .view(ViewRules.slice())
        .withGradient()
        .needsOnlyShapeOf("Input");
    catalog
        .add("strided_slice")
        .shape(SliceShapes::stridedSlice)
        .withGradient()
        .replacesLod("Input@GRAD")
        .needsOnlyShapeOf("Input");
  }

  // unique writes Index, Indices and Counts only if its attributes request them.
  private static void addGathers(CatalogBuilder catalog) {
    catalog.add("shard_index").shape(ElementwiseShapes::likeX);
    catalog.add("gather_tree").shape(ElementwiseShapes.like("Ids", "Out"));
    catalog
        .add("take_along_axis")
        .shape(GatherShapes::takeAlongAxis)
        .keepsIfEmpty("Result")
        .withGradient();
    catalog
        .add("gather")
        .passesLodOf("X")
        .shape(GatherShapes::gather)
        .keepsIfEmpty("Out")
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("gather_nd")
        .shape(GatherShapes::gatherNd)
        .keepsIfEmpty("Out")
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog
        .add("index_sample")
        .shape(ElementwiseShapes.like("Index", "Out"))
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("index_select")
        .shape(GatherShapes::indexSelect)
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog
        .add("masked_select")
        .shape(SelectionShapes::maskedSelect)
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog.add("unique_with_counts").shape(SelectionShapes::uniqueWithCounts);
    catalog.add("unique").shape(SelectionShapes::unique).mayWrite("Indices", "Counts", "Index");
    // Paddle 2.3 writes nothing if the dtype is neither INT32 nor INT64.
    catalog.add("unique_consecutive").shape(SelectionShapes::uniqueConsecutive).mayWriteAll();
    catalog.add("where_index").shape(SelectionShapes::whereIndex).clearsLod();
  }

  private static void addScatters(CatalogBuilder catalog) {
    catalog
        .add("fill_diagonal")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace("2.2,2.3,2.4");
    catalog
        .add("fill_diagonal_tensor")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_2_2_GENERATED)
        .withGradient()
        .inPlace(SINCE_2_2_GENERATED);
    catalog
        .add("index_add")
        .shape(ElementwiseShapes::likeX)
        .inPlace("2.4,yaml")
        .withGradient()
        .inPlace("2.4,yaml");
    catalog
        .add("index_put")
        .shape(ElementwiseShapes::likeX)
        .inPlace("x", "out", GENERATED_ONLY)
        .withGradient();
    catalog
        .add("put_along_axis")
        .shape(ElementwiseShapes.like("Input", "Result"))
        .inPlace("Input", "Result", "2.3,2.4,yaml")
        .withGradient();
    catalog
        .add("scatter")
        .shape(ElementwiseShapes::likeX)
        .inPlace(SINCE_1_8_GENERATED)
        .withGradient()
        .inPlace("1.8,2.0")
        .when(InPlaceCondition.never("clears the rows of X@GRAD before it reads Out@GRAD"))
        .needsOnlyShapeOf("Updates");
    catalog
        .add("scatter_nd_add")
        .shape(ElementwiseShapes::likeX)
        .withGradient()
        .needsOnlyShapeOf("Updates");
    catalog
        .add("set_value")
        .shape(ElementwiseShapes.like("Input", "Out"))
        .inPlace("Input", "Out", "2.2,2.3,2.4,2.6,HEAD")
        .withGradient();
  }

  private static void addRepeats(CatalogBuilder catalog) {
    catalog.add("diag_embed").shape(GatherShapes::diagEmbed);
    catalog.add("one_hot_v2").shape(GatherShapes::oneHotV2);
    catalog.add("one_hot").shape(GatherShapes::oneHot);
    catalog.add("diag").shape(GatherShapes::diag);
    catalog.add("meshgrid").shape(JoinShapes::meshgrid).withGradient();
    catalog.add("diag_v2").shape(GatherShapes::diag).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("broadcast_tensors")
        .shape(JoinShapes::broadcastAll)
        .withGradient()
        .replacesLod("X@GRAD")
        .needsOnlyShapeOf("X");
    catalog.add("expand").shape(RepeatShapes::expand).withGradient().needsOnlyShapeOf("X");
    catalog.add("expand_as").shape(RepeatShapes::tileAs).withGradient().needsOnlyShapeOf("X");
    catalog.add("expand_as_v2").shape(RepeatShapes::expandAs).withGradient().needsOnlyShapeOf("X");
    catalog.add("expand_v2").shape(RepeatShapes::expandV2).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("repeat_interleave")
        .shape(GatherShapes::repeatInterleave)
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog.add("tile").shape(RepeatShapes::tile).withGradient().needsOnlyShapeOf("X");
  }

  private static void addWindows(CatalogBuilder catalog) {
    catalog.add("flip").shape(ElementwiseShapes::likeX);
    catalog.add("tril_triu").shape(ElementwiseShapes::likeX).withGradient();
    catalog.add("temporal_shift").shape(ElementwiseShapes::likeX).withGradient();
    // For doubles, the kernels move only as many bytes as floats would have.
    catalog
        .add("shuffle_channel")
        .shape(ElementwiseShapes::likeX)
        .mayWrite("Out")
        .withGradient()
        .mayWrite("X@GRAD");
    catalog.add("reverse").shape(ElementwiseShapes::likeX).withGradient();
    catalog
        .add("pixel_shuffle")
        .shape(WindowShapes::pixelShuffle)
        .withGradient()
        .shape(WindowShapes::pixelShuffleGradient);
    catalog
        .add("pad_constant_like")
        .shape(ElementwiseShapes::likeX)
        .withGradient()
        .replacesLod("Y@GRAD");
    catalog.add("pad").shape(WindowShapes::pad).withGradient().shape(WindowShapes::padGradient);
    catalog.add("crop_tensor").shape(SliceShapes::cropTensor).withGradient();
    catalog.add("crop").shape(SliceShapes::crop).needsOnlyShapeOf("Y").withGradient();
    catalog.add("fold").shape(WindowShapes::fold).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("im2sequence")
        .shape(WindowShapes::imagesToSequences)
        .replacesLod("Out")
        .producesLod()
        .withGradient();
    catalog.add("pad2d").shape(WindowShapes::pad2d).withGradient().needsOnlyShapeOf("X");
    catalog.add("pad3d").shape(WindowShapes::pad3d).withGradient().needsOnlyShapeOf("X");
    catalog.add("random_crop").mayWrite("SeedOut");
    catalog.add("roll").shape(ElementwiseShapes::likeX).withGradient().needsOnlyShapeOf("X");
    catalog
        .add("space_to_depth")
        .shape(WindowShapes::spaceToDepth)
        .withGradient()
        .needsOnlyShapeOf("X");
    catalog.add("unfold").shape(WindowShapes::unfold).withGradient().needsOnlyShapeOf("X");
  }
}
