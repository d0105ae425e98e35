package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableSet;
import dev.sublet.paddle.oracle.GradientDifferences;
import dev.sublet.paddle.oracle.OracleCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The gradient operators of {@code testdata/operators} against finite differences of the operators
 * whose gradients they are. Those that are not given their operator's inputs are left to Paddle.
 */
final class GradientsAgainstDifferencesTest {

  private static final double TOLERANCE = 1e-6;

  /** Cases with the largest element of a window twice. */
  private static final String TIED = "<1,1,2,2,1,1,2,2>";

  /** What takes only floats, or has inputs that do not fit. */
  private static final ImmutableSet<String> LEFT_OUT =
      ImmutableSet.of(
          // The mean and variance of its cases are not those of X.
          "batch_norm_grad",
          // Total_weight of its cases is not that of the labels.
          "nll_loss_grad",
          // Their cases have some inputs or attributes of their operators, but not all.
          "pad_constant_like_grad",
          "reshape_grad",
          "scatter_grad",
          "scatter_nd_add_grad",
          "sequence_pad_grad",
          // Indices of their cases are not those of X.
          "argsort_grad",
          "top_k_v2_grad",
          // In float32 only.
          "roi_align_grad",
          "sequence_conv_grad",
          "sequence_pool_grad",
          "sequence_softmax_grad");

  @Test
  void gradients_areFiniteDifferences() throws IOException {
    TreeSet<String> compared = new TreeSet<>();
    List<String> failures = new ArrayList<>();
    for (String family : OperatorsAgainstPaddleTest.families()) {
      for (OracleCase oracleCase : OperatorsAgainstPaddleTest.cases(family)) {
        boolean isLeftOut =
            LEFT_OUT.contains(oracleCase.type()) || oracleCase.text().contains(TIED);
        if (!oracleCase.type().endsWith("_grad") || isLeftOut) {
          continue;
        }
        OptionalDouble difference =
            GradientDifferences.largest(oracleCase, OperatorsAgainstPaddleTest::run);
        if (difference.isPresent()) {
          compared.add(oracleCase.type());
          if (!(difference.getAsDouble() < TOLERANCE)) {
            failures.add(difference.getAsDouble() + ": " + oracleCase);
          }
        }
      }
    }
    assertWithMessage("differences").that(failures).isEmpty();
    assertThat(compared)
        .containsAtLeast(
            "addmm_grad",
            "affine_channel_grad",
            "bicubic_interp_grad",
            "conv2d_grad",
            "conv3d_grad",
            "deformable_conv_grad",
            "grid_sampler_grad",
            "instance_norm_grad",
            "lrn_grad",
            "max_pool2d_with_index_grad",
            "p_norm_grad",
            "pool3d_grad");
  }
}
