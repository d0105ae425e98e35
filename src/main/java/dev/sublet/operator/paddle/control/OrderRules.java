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
        "alloc_float_status",
        "assert",
        "clear_float_status",
        "create_double_buffer_reader",
        "create_py_reader",
        "dequeue",
        "enqueue",
        "get_float_status",
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
    for (String type : catalog.types("collective")) {
      catalog.order(OrderRule.ORDERED, type);
    }
    // These fused operators add up their results over all devices if ring_id says so.
    catalog.order(
        OrderRule.ORDERED,
        "dgc",
        "distributed_fused_lamb",
        "distributed_fused_lamb_init",
        "fused_attention",
        "fused_bias_dropout_residual_layer_norm",
        "fused_feedforward",
        "fused_gate_attention",
        "fused_multi_transformer",
        "inplace_abn",
        "margin_cross_entropy",
        "resnet_unit");
    catalog.order(OrderRule.ORDERED_IN_TRAINING, "sync_batch_norm");
  }

  // Operators that run code which the program does not contain, that address memory by other
  // means than by their arguments, or whose place means something.
  private static void addFixed(CatalogBuilder catalog) {
    catalog.order(
        OrderRule.FIXED,
        "ascend_trigger",
        "cinn_launch",
        "coalesce_tensor",
        "copy_cross_scope",
        "depend",
        "dlnne_engine",
        "feed",
        "fetch",
        "fetch_v2",
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
