package dev.sublet.operator.paddle.control;

import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.operator.spec.OrderRule;

/**
 * The {@link OrderRule} of each Paddle operator, of any family, that depends on more than its
 * arguments, or changes more: its order counts even if it shares no variable with others.
 *
 * <p>When in doubt, an operator belongs here: a rule that is too strict only costs memory.
 */
public final class OrderRules {

  private OrderRules() {}

  /** Sets the rules of entries that have been added. */
  public static void setIn(CatalogBuilder catalog) {
    addRandom(catalog);
    addInputAndOutput(catalog);
    addCommunication(catalog);
    addFixed(catalog);
  }

  private static void addRandom(CatalogBuilder catalog) {
    catalog.order(
        OrderRule.ORDERED,
        "bernoulli",
        "class_center_sample",
        "dirichlet",
        "dpsgd",
        "exponential",
        "gaussian_inplace",
        "gaussian_random",
        "gaussian_random_batch_size_like",
        "generate_mask_labels",
        "generate_proposal_labels",
        "graph_khop_sampler",
        "graph_sample_neighbors",
        "gumbel_softmax",
        "multinomial",
        "nce",
        "poisson",
        "pyramid_hash",
        "randint",
        "random_crop",
        "random_routing",
        "randperm",
        "retinanet_target_assign",
        "rpn_target_assign",
        "sample_logits",
        "sampling_id",
        "seed",
        "shuffle_batch",
        "tdm_sampler",
        "truncated_gaussian_random",
        "uniform_random",
        "uniform_random_batch_size_like",
        "uniform_random_inplace");
    catalog.order(OrderRule.ORDERED_IN_TRAINING, "cudnn_lstm", "dropout", "rnn");
  }

  private static void addInputAndOutput(CatalogBuilder catalog) {
    catalog.order(
        OrderRule.ORDERED,
        "assert",
        "create_double_buffer_reader",
        "create_py_reader",
        "dequeue",
        "enqueue",
        "load",
        "load_combine",
        "print",
        "queue_generator",
        "read",
        "read_file",
        "save",
        "save_combine");
  }

  private static void addCommunication(CatalogBuilder catalog) {
    // Some wait for others, or for all computation, without naming what they wait for.
    for (String type : catalog.types("collective")) {
      catalog.order(OrderRule.FIXED, type);
    }
    // These add up their results over all devices, or read them from servers, if attributes say so.
    catalog.order(
        OrderRule.ORDERED,
        "data_norm_grad",
        "dgc",
        "distributed_fused_lamb",
        "distributed_fused_lamb_init",
        "fused_attention",
        "fused_attention_grad",
        "fused_bias_dropout_residual_layer_norm",
        "fused_feedforward",
        "fused_feedforward_grad",
        "fused_gate_attention",
        "fused_multi_transformer",
        "hierarchical_sigmoid",
        "inplace_abn",
        "inplace_abn_grad",
        "lookup_table",
        "lookup_table_v2",
        "margin_cross_entropy",
        "margin_cross_entropy_grad",
        "resnet_unit",
        "sync_batch_norm",
        "sync_batch_norm_grad");
  }

  // Operators that run code which the program does not contain, that address memory by other
  // means than by their arguments, or whose place means something.
  private static void addFixed(CatalogBuilder catalog) {
    catalog.order(
        OrderRule.FIXED,
        "alloc_float_status",
        "ascend_trigger",
        "cinn_launch",
        "clear_float_status",
        "coalesce_tensor",
        "copy_cross_scope",
        "depend",
        "dlnne_engine",
        "feed",
        "fetch",
        "fetch_v2",
        "get_float_status",
        "get_places",
        "heter_listen_and_serv",
        "listen_and_serv",
        "lite_engine",
        "marker",
        "nop",
        "py_func",
        "py_func_grad",
        "pylayer",
        "run_program",
        "run_program_grad",
        "tensorrt_engine");
  }
}
