package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.activation.ActivationLowerings;
import dev.sublet.runtime.kernel.activation.FunctionLowerings;
import dev.sublet.runtime.kernel.activation.OutputGradientLowerings;
import dev.sublet.runtime.kernel.activation.SoftmaxLowerings;
import dev.sublet.runtime.kernel.convolution.BatchNormalization;
import dev.sublet.runtime.kernel.convolution.ConvolutionLowerings;
import dev.sublet.runtime.kernel.convolution.DeformableLowerings;
import dev.sublet.runtime.kernel.convolution.InterpolationLowerings;
import dev.sublet.runtime.kernel.convolution.NormalizationLowerings;
import dev.sublet.runtime.kernel.convolution.PoolingLowerings;
import dev.sublet.runtime.kernel.convolution.SamplingLowerings;
import dev.sublet.runtime.kernel.detection.AnchorKernels;
import dev.sublet.runtime.kernel.detection.BoxKernels;
import dev.sublet.runtime.kernel.detection.ProposalKernels;
import dev.sublet.runtime.kernel.detection.RegionKernels;
import dev.sublet.runtime.kernel.detection.SuppressionKernels;
import dev.sublet.runtime.kernel.elementwise.ComparisonLowerings;
import dev.sublet.runtime.kernel.elementwise.ElementwiseLowerings;
import dev.sublet.runtime.kernel.elementwise.ScaleLowerings;
import dev.sublet.runtime.kernel.loss.CrossEntropyLowerings;
import dev.sublet.runtime.kernel.loss.LossLowerings;
import dev.sublet.runtime.kernel.optimizer.OptimizerLowerings;
import dev.sublet.runtime.kernel.product.DropoutLowerings;
import dev.sublet.runtime.kernel.product.LookupLowerings;
import dev.sublet.runtime.kernel.product.ProductLowerings;
import dev.sublet.runtime.kernel.recurrent.RecurrentKernels;
import dev.sublet.runtime.kernel.recurrent.SequenceRecurrence;
import dev.sublet.runtime.kernel.reduction.CumulativeKernels;
import dev.sublet.runtime.kernel.reduction.NormLowerings;
import dev.sublet.runtime.kernel.reduction.ReductionLowerings;
import dev.sublet.runtime.kernel.reduction.SortKernels;
import dev.sublet.runtime.kernel.sequence.SequenceGradients;
import dev.sublet.runtime.kernel.sequence.SequenceKernels;
import dev.sublet.runtime.kernel.sequence.SequenceSumKernels;
import dev.sublet.runtime.kernel.shape.CreationLowerings;
import dev.sublet.runtime.kernel.shape.GatherLowerings;
import dev.sublet.runtime.kernel.shape.JoinLowerings;
import dev.sublet.runtime.kernel.shape.OrderLowerings;
import dev.sublet.runtime.kernel.shape.PaddingLowerings;
import dev.sublet.runtime.kernel.shape.RepeatLowerings;
import dev.sublet.runtime.kernel.shape.ReshapeLowerings;
import dev.sublet.runtime.kernel.shape.ScatterKernels;
import dev.sublet.runtime.kernel.shape.SelectionKernels;
import dev.sublet.runtime.kernel.shape.ShapeKernels;
import dev.sublet.runtime.kernel.shape.SliceLowerings;
import dev.sublet.runtime.kernel.shape.TemporalShiftLowerings;
import java.util.function.Consumer;

/** The kernels of all families. To add a family, add a line to the list. */
public final class Kernels {

  /** The registration methods of all families, in alphabetical order. */
  private static final ImmutableList<Consumer<KernelRegistry.Builder>> FAMILIES =
      ImmutableList.of(
          ActivationLowerings::register,
          AnchorKernels::register,
          BatchNormalization::register,
          BoxKernels::register,
          ComparisonLowerings::register,
          ConvolutionLowerings::register,
          CreationLowerings::register,
          CrossEntropyLowerings::register,
          CumulativeKernels::register,
          DeformableLowerings::register,
          DropoutLowerings::register,
          ElementwiseLowerings::register,
          FunctionLowerings::register,
          GatherLowerings::register,
          InterpolationLowerings::register,
          JoinLowerings::register,
          LookupLowerings::register,
          LossLowerings::register,
          NormLowerings::register,
          NormalizationLowerings::register,
          OnnxKernels::register,
          OptimizerLowerings::register,
          OrderLowerings::register,
          OutputGradientLowerings::register,
          PaddingLowerings::register,
          PoolingLowerings::register,
          ProductLowerings::register,
          ProposalKernels::register,
          RecurrentKernels::register,
          ReductionLowerings::register,
          RegionKernels::register,
          RepeatLowerings::register,
          ReshapeLowerings::register,
          SamplingLowerings::register,
          ScaleLowerings::register,
          ScatterKernels::register,
          SelectionKernels::register,
          SequenceGradients::register,
          SequenceKernels::register,
          SequenceRecurrence::register,
          SequenceSumKernels::register,
          ShapeKernels::register,
          SliceLowerings::register,
          SoftmaxLowerings::register,
          SortKernels::register,
          SuppressionKernels::register,
          TemporalShiftLowerings::register);

  private static final KernelRegistry ALL = KernelRegistry.of(FAMILIES);

  private Kernels() {}

  /** Returns the kernels of all families. */
  public static KernelRegistry all() {
    return ALL;
  }
}
