package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.attention.OnnxAttention;
import dev.sublet.runtime.kernel.onnx.attention.OnnxGroupedAttention;
import dev.sublet.runtime.kernel.onnx.attention.OnnxRotation;
import dev.sublet.runtime.kernel.onnx.element.OnnxBits;
import dev.sublet.runtime.kernel.onnx.element.OnnxCasts;
import dev.sublet.runtime.kernel.onnx.element.OnnxElementwise;
import dev.sublet.runtime.kernel.onnx.element.OnnxFunctions;
import dev.sublet.runtime.kernel.onnx.element.OnnxQuantization;
import dev.sublet.runtime.kernel.onnx.element.OnnxQuantizedFunctions;
import dev.sublet.runtime.kernel.onnx.element.OnnxSoftmax;
import dev.sublet.runtime.kernel.onnx.layer.OnnxBoxes;
import dev.sublet.runtime.kernel.onnx.layer.OnnxDropout;
import dev.sublet.runtime.kernel.onnx.layer.OnnxGridSampling;
import dev.sublet.runtime.kernel.onnx.layer.OnnxLayers;
import dev.sublet.runtime.kernel.onnx.layer.OnnxLosses;
import dev.sublet.runtime.kernel.onnx.layer.OnnxNormalizations;
import dev.sublet.runtime.kernel.onnx.layer.OnnxRegions;
import dev.sublet.runtime.kernel.onnx.layer.OnnxResize;
import dev.sublet.runtime.kernel.onnx.product.OnnxConvolutions;
import dev.sublet.runtime.kernel.onnx.product.OnnxPooling;
import dev.sublet.runtime.kernel.onnx.product.OnnxProducts;
import dev.sublet.runtime.kernel.onnx.product.OnnxQuantizedProducts;
import dev.sublet.runtime.kernel.onnx.recurrent.OnnxRecurrences;
import dev.sublet.runtime.kernel.onnx.reduction.OnnxEinsum;
import dev.sublet.runtime.kernel.onnx.reduction.OnnxMatrices;
import dev.sublet.runtime.kernel.onnx.reduction.OnnxOrders;
import dev.sublet.runtime.kernel.onnx.reduction.OnnxReductions;
import dev.sublet.runtime.kernel.onnx.reduction.OnnxSignals;
import dev.sublet.runtime.kernel.onnx.reduction.OnnxWindows;
import dev.sublet.runtime.kernel.onnx.shape.OnnxColumns;
import dev.sublet.runtime.kernel.onnx.shape.OnnxCreations;
import dev.sublet.runtime.kernel.onnx.shape.OnnxGathers;
import dev.sublet.runtime.kernel.onnx.shape.OnnxLoopControl;
import dev.sublet.runtime.kernel.onnx.shape.OnnxMoves;
import dev.sublet.runtime.kernel.onnx.shape.OnnxRandoms;
import dev.sublet.runtime.kernel.onnx.shape.OnnxReshapes;
import dev.sublet.runtime.kernel.onnx.shape.OnnxScatters;
import dev.sublet.runtime.kernel.onnx.shape.OnnxSelections;
import dev.sublet.runtime.kernel.onnx.shape.OnnxSlices;
import java.util.function.Consumer;

/** The kernels of ONNX's operators, of all families. To add a family, add a line to the list. */
final class OnnxKernels {

  /** The registration methods of all families, in alphabetical order. */
  private static final ImmutableList<Consumer<OnnxFamily>> FAMILIES =
      ImmutableList.of(
          OnnxAttention::register,
          OnnxBits::register,
          OnnxBoxes::register,
          OnnxCasts::register,
          OnnxColumns::register,
          OnnxConvolutions::register,
          OnnxCreations::register,
          OnnxDropout::register,
          OnnxEinsum::register,
          OnnxElementwise::register,
          OnnxFunctions::register,
          OnnxGathers::register,
          OnnxGridSampling::register,
          OnnxGroupedAttention::register,
          OnnxLayers::register,
          OnnxLoopControl::register,
          OnnxLosses::register,
          OnnxMatrices::register,
          OnnxMoves::register,
          OnnxNormalizations::register,
          OnnxOrders::register,
          OnnxPooling::register,
          OnnxProducts::register,
          OnnxQuantization::register,
          OnnxQuantizedFunctions::register,
          OnnxQuantizedProducts::register,
          OnnxRandoms::register,
          OnnxRecurrences::register,
          OnnxReductions::register,
          OnnxRegions::register,
          OnnxReshapes::register,
          OnnxResize::register,
          OnnxRotation::register,
          OnnxScatters::register,
          OnnxSelections::register,
          OnnxSignals::register,
          OnnxSlices::register,
          OnnxSoftmax::register,
          OnnxWindows::register);

  private OnnxKernels() {}

  /** Registers the kernels. */
  static void register(KernelRegistry.Builder kernels) {
    OnnxFamily family = new OnnxFamily(kernels);
    FAMILIES.forEach(each -> each.accept(family));
  }
}
