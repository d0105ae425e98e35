package dev.sublet.paddle;

import com.google.common.collect.ImmutableListMultimap;

/**
 * The graph passes that find something in each model of {@link FusedPrograms}, in their order, and
 * how often. Passes that remove dropouts ({@code simplify_with_basic_ops}) or change attributes
 * alone do not say so.
 */
final class FiredPasses {

  private FiredPasses() {}

  static ImmutableListMultimap<String, String> byModel() {
    return ImmutableListMultimap.<String, String>builder()
        .putAll("conv_bn", "conv_bn_fuse_pass 2")
        .putAll("conv_eltwiseadd_bn", "conv_eltwiseadd_bn_fuse_pass 1")
        .putAll("fc_repeated_fc_relu", "fc_fuse_pass 3", "repeated_fc_relu_fuse_pass 1")
        .putAll(
            "map_matmul",
            "gpu_cpu_map_matmul_v2_to_mul_pass 2",
            "gpu_cpu_map_matmul_v2_to_matmul_pass 1",
            "gpu_cpu_map_matmul_to_mul_pass 1")
        .putAll(
            "matmul_scale",
            "matmul_v2_scale_fuse_pass 1",
            "gpu_cpu_map_matmul_v2_to_mul_pass 1",
            "matmul_scale_fuse_pass 1")
        .putAll(
            "views_matmul",
            "gpu_cpu_squeeze2_matmul_fuse_pass 1",
            "gpu_cpu_reshape2_matmul_fuse_pass 1",
            "gpu_cpu_flatten2_matmul_fuse_pass 1",
            "fc_fuse_pass 3")
        .putAll("layer_norm", "layer_norm_fuse_pass 1")
        .putAll("squared_mat_sub", "squared_mat_sub_fuse_pass 1")
        .putAll("dropout_in_patterns", "gpu_cpu_map_matmul_v2_to_mul_pass 2", "fc_fuse_pass 2")
        .putAll(
            "dropout_after_products",
            "matmul_v2_scale_fuse_pass 1",
            "gpu_cpu_map_matmul_v2_to_mul_pass 1",
            "matmul_scale_fuse_pass 1")
        .putAll(
            "scaled_fc",
            "matmul_v2_scale_fuse_pass 2",
            "gpu_cpu_map_matmul_v2_to_mul_pass 2",
            "fc_fuse_pass 2")
        .putAll(
            "scaled_twice",
            "matmul_v2_scale_fuse_pass 1",
            "gpu_cpu_map_matmul_v2_to_matmul_pass 1",
            "matmul_scale_fuse_pass 1")
        .putAll("conv_bn_bn", "conv_bn_fuse_pass 1", "conv_eltwiseadd_bn_fuse_pass 1")
        .putAll("conv_transpose_bn", "conv_transpose_bn_fuse_pass 2")
        .putAll("conv_transpose_eltwiseadd_bn", "conv_transpose_eltwiseadd_bn_fuse_pass 1")
        .putAll("gru_lstm", "mul_lstm_fuse_pass 1", "fc_gru_fuse_pass 1", "mul_gru_fuse_pass 1")
        .putAll("seqconv", "seqconv_eltadd_relu_fuse_pass 1")
        .putAll("seqpool_cvm_concat", "seqpool_cvm_concat_fuse_pass 1")
        .putAll("seq_concat_fc", "seq_concat_fc_fuse_pass 1")
        .build();
  }
}
