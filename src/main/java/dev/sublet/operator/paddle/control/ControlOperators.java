package dev.sublet.operator.paddle.control;

import dev.sublet.operator.infer.ElementwiseShapes;
import dev.sublet.operator.infer.GradientShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.ControlKind;

/**
 * Catalog entries for control flow, arrays, input and output, and operators on memory itself.
 *
 * <p>All outputs of an operator with blocks are may-writes, because a block may not run.
 */
public final class ControlOperators {

  private ControlOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    addControlFlow(catalog);
    addOpaque(catalog);
    addArrays(catalog);
    addInputAndOutput(catalog);
    addMemory(catalog);
  }

  private static void addControlFlow(CatalogBuilder catalog) {
    catalog.add("select_input").shape(ArrayShapes::selectInput).keepsIfEmpty("Out");
    catalog.add("conditional_block").runsBlockAs(ControlKind.CONDITIONAL).mayWriteAll();
    catalog
        .add("conditional_block_grad")
        .shape(GradientShapes::likeForward)
        .runsBlockAs(ControlKind.CONDITIONAL_GRAD)
        .mayWriteAll();
    catalog.add("conditional_block_infer").runsBlockAs(ControlKind.CONDITIONAL).mayWriteAll();
    catalog.add("recurrent").runsBlockAs(ControlKind.RECURRENT).mayWriteAll();
    catalog
        .add("recurrent_grad")
        .shape(GradientShapes::likeForward)
        .runsBlockAs(ControlKind.RECURRENT_GRAD)
        .mayWriteAll();
    catalog.add("while").runsBlockAs(ControlKind.WHILE).mayWriteAll();
    catalog
        .add("while_grad")
        .shape(GradientShapes::likeForward)
        .statesLod("X@GRAD")
        .runsBlockAs(ControlKind.WHILE_GRAD)
        .needsOnlyShapeOf("X", "Out")
        .mayWriteAll();
    catalog.add("select_output").shape(ArrayShapes::selectOutput).mayWriteAll();
  }

  // It is not known which blocks these operators run, how often, and with which scopes.
  private static void addOpaque(CatalogBuilder catalog) {
    catalog.addAllMayWrite(
        "dlnne_engine",
        "heter_listen_and_serv",
        "listen_and_serv",
        "lite_engine",
        "pylayer",
        "tensorrt_engine");
    catalog.add("cinn_launch").mayWriteAll().needsOnlyShapeOf("NoNeedBufferX");
    catalog.add("py_func").mayWriteAll().producesLod().withGradient().mayWriteAll();
    catalog.add("run_program").mayWriteAll().producesLod().withGradient().mayWriteAll();
  }

  // A write extends an array or updates one element. A read past the end of an array writes
  // nothing.
  private static void addArrays(CatalogBuilder catalog) {
    catalog.add("lod_array_length").shape(ArrayShapes::length).clearsLod().onHost("Out");
    catalog
        .add("tensor_array_to_tensor")
        .shape(ArrayShapes::toTensor)
        .withGradient()
        .readsAndWrites("X@GRAD");
    catalog.add("write_to_array").shape(ArrayShapes::write).readsAndWrites("Out");
    catalog.add("read_from_array").shape(ArrayShapes::read).mayWriteAll();
  }

  // A fetch list keeps the values of other fetches. Out of print shares the buffer of In in Paddle
  // 1; it is assumed for all versions, because any runtime may run a file.
  private static void addInputAndOutput(CatalogBuilder catalog) {
    catalog.addAll("enqueue", "feed", "queue_generator");
    catalog.addAllMayWrite("assert");
    catalog.addAllMayWrite(
        "create_double_buffer_reader", "create_py_reader", "save", "save_combine");
    catalog.add("dequeue").mayWriteAll().producesLod();
    catalog.add("fetch").readsAndWrites("Out");
    catalog.add("fetch_v2").readsAndWrites("Out");
    catalog.add("load").mayWriteAll().producesLod();
    catalog.add("load_combine").mayWriteAll().producesLod();
    catalog.add("print").shape(ElementwiseShapes.like("In", "Out")).mayWriteAll().sharesBuffers();
    catalog.add("read").mayWriteAll().producesLod();
  }

  // The last three operators make an input and an output share one buffer.
  private static void addMemory(CatalogBuilder catalog) {
    catalog.addAll("copy_cross_scope", "delete_var", "marker");
    catalog.addAllMayWrite("ascend_trigger", "get_places", "nop");
    catalog
        .add("coalesce_tensor")
        .shape(ArrayShapes.pairwise("Input", "Output"))
        .mayWriteAll()
        .sharesBuffers();
    catalog
        .add("share_buffer")
        .shape(ArrayShapes.pairwise("X", "Out", "XOut"))
        .mayWriteAll()
        .sharesBuffers();
    catalog.add("share_data").shape(ElementwiseShapes::copyOfX).mayWriteAll().sharesBuffers();
  }
}
