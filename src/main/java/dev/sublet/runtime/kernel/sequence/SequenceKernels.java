package dev.sublet.runtime.kernel.sequence;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.MovedGradient;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Rows;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Operators that reorder, repeat, join and pad sequences of rows. The rows of a result depend on
 * the offsets of the sequences, so these operators have Java code of their own. They only copy
 * rows.
 */
public final class SequenceKernels {

  private SequenceKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("lod_reset", SequenceKernels::reset);
    kernels.kernel("lod_reset_grad", MovedGradient.of(SequenceKernels::same));
    kernels.kernel("sequence_concat", SequenceKernels::concat);
    kernels.kernel("sequence_concat_grad", MovedGradient.of(SequenceKernels::concat));
    kernels.kernel("sequence_expand", SequenceKernels::expand);
    kernels.kernel("sequence_expand_grad", MovedGradient.of(SequenceKernels::expand));
    kernels.kernel("sequence_expand_as", SequenceKernels::expandAs);
    kernels.kernel("sequence_expand_as_grad", MovedGradient.of(SequenceKernels::expandAs));
    kernels.kernel("sequence_mask", SequenceKernels::mask);
    kernels.kernel("sequence_pad", SequenceKernels::pad);
    kernels.kernel("sequence_pad_grad", MovedGradient.ofPadded(SequenceKernels::pad, "PadValue"));
    kernels.kernel("sequence_reshape", SequenceKernels::reshape);
    kernels.kernel("sequence_reshape_grad", MovedGradient.of(SequenceKernels::reshape));
    kernels.kernel("sequence_reverse", SequenceKernels::reverse);
    kernels.kernel("sequence_slice", SequenceKernels::slice);
    kernels.kernel("sequence_slice_grad", MovedGradient.of(SequenceKernels::slice));
    kernels.kernel("sequence_unpad", SequenceKernels::unpad);
    kernels.kernel("sequence_unpad_grad", MovedGradient.of(SequenceKernels::unpad));
  }

  private static OperatorResult result(String slot, Tensor tensor, ImmutableLongArray offsets) {
    return OperatorResult.builder().put(slot, Rows.cut(tensor, offsets)).build();
  }

  /**
   * Returns the same rows with the sequences of another tensor, of offsets in a tensor, or of an
   * attribute.
   */
  private static OperatorResult reset(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableList.Builder<ImmutableLongArray> lod = ImmutableList.builder();
    if (call.has("Y") && !call.lodInput("Y").lod().isEmpty()) {
      lod.addAll(call.lodInput("Y").lod());
    } else {
      if (call.flag("append", false)) {
        lod.addAll(x.lod());
      }
      lod.add(ImmutableLongArray.copyOf(IntegerArguments.of(call, "target_lod", "Y")));
    }
    return OperatorResult.builder().put("Out", new LodTensor(x.tensor(), lod.build())).build();
  }

  /** Returns the elements of X unchanged, for any sequences. */
  private static OperatorResult same(OperatorCall call) {
    return OperatorResult.of("Out", call.input("X"));
  }

  /** Joins the i-th sequences of all inputs, for each i. */
  private static OperatorResult concat(OperatorCall call) {
    ImmutableList<LodTensor> inputs = call.arguments("X");
    call.shapeFrom("X", 1);
    int count = Rows.offsets(inputs.get(0)).length() - 1;
    for (LodTensor input : inputs) {
      if (Rows.offsets(input).length() - 1 != count
          || Slices.width(input.tensor()) != Slices.width(inputs.get(0).tensor())) {
        throw new OperatorException("the inputs differ in their sequences or in their rows");
      }
    }
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long rows = 0;
    for (int i = 0; i < count; i++) {
      for (LodTensor input : inputs) {
        rows += Rows.offsets(input).get(i + 1) - Rows.offsets(input).get(i);
      }
      offsets.add(rows);
    }
    Tensor first = inputs.get(0).tensor();
    long[] shape = Shapes.with(first.shape().toArray(), 0, rows);
    Tensor out = Tensor.zeros(first.type(), ImmutableLongArray.copyOf(shape));
    int width = Slices.width(first);
    int next = 0;
    for (int i = 0; i < count; i++) {
      for (LodTensor input : inputs) {
        int begin = (int) Rows.offsets(input).get(i) * width;
        int length = (int) Rows.offsets(input).get(i + 1) * width - begin;
        ElementWriter.copy(input.tensor(), begin, out, next, length);
        next += length;
      }
    }
    return result("Out", out, offsets.build());
  }

  /**
   * Repeats each sequence of X (or each row, if X has no sequences) as often as the sequence of Y
   * has parts.
   */
  private static OperatorResult expand(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    LodTensor y = call.lodInput("Y");
    long level = call.integer("ref_level", -1);
    if (y.lod().isEmpty() || level >= y.lod().size()) {
      throw new OperatorException("Y has no level " + level + " of sequences");
    }
    ImmutableLongArray times = y.lod().get((int) (level < 0 ? y.lod().size() - 1 : level));
    if (times.length() <= 1) {
      return OperatorResult.of("Out", x.tensor());
    }
    ImmutableLongArray own = x.lod().isEmpty() ? Rows.single(x.tensor().size(0)) : x.lod().get(0);
    if (own.length() != times.length()) {
      throw new OperatorException(
          (own.length() - 1) + " sequences of X for " + (times.length() - 1) + " of Y");
    }
    ImmutableLongArray.Builder rows = ImmutableLongArray.builder();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    for (int i = 0; i < times.length() - 1; i++) {
      for (long k = times.get(i); k < times.get(i + 1); k++) {
        for (long row = own.get(i); row < own.get(i + 1); row++) {
          rows.add(row);
        }
        end += own.get(i + 1) - own.get(i);
        offsets.add(end);
      }
    }
    Tensor out = Slices.pick(x.tensor(), rows.build());
    return x.lod().isEmpty()
        ? OperatorResult.builder().put("Out", LodTensor.of(out)).build()
        : result("Out", out, offsets.build());
  }

  /** Repeats the i-th row of X as often as the i-th sequence of Y has rows. */
  private static OperatorResult expandAs(OperatorCall call) {
    if (call.lodInput("Y").lod().isEmpty()) {
      throw new OperatorException("Y has no sequences");
    }
    ImmutableLongArray times = call.lodInput("Y").lod().get(0);
    ImmutableLongArray.Builder rows = ImmutableLongArray.builder();
    for (int i = 0; i < times.length() - 1; i++) {
      for (long k = times.get(i); k < times.get(i + 1); k++) {
        rows.add(i);
      }
    }
    return result("Out", Slices.pick(call.input("X"), rows.build()), times);
  }

  private static OperatorResult reverse(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    ImmutableLongArray.Builder rows = ImmutableLongArray.builder();
    for (int i = 0; i < offsets.length() - 1; i++) {
      for (long row = offsets.get(i + 1) - 1; row >= offsets.get(i); row--) {
        rows.add(row);
      }
    }
    Tensor out = Slices.pick(x.tensor(), rows.build());
    return OperatorResult.builder().put("Y", new LodTensor(out, x.lod())).build();
  }

  /** Changes the width of the rows; the sequences keep their elements. */
  private static OperatorResult reshape(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    long width = Slices.width(x.tensor());
    long newWidth = call.integer("new_dim", 1);
    if (newWidth < 1) {
      throw new OperatorException("new_dim is " + newWidth);
    }
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
    Rows.offsets(x).forEach(offset -> offsets.add(offset * width / newWidth));
    ImmutableLongArray shape = ImmutableLongArray.of(x.tensor().length() / newWidth, newWidth);
    return result("Out", x.tensor().reshaped(shape), offsets.build());
  }

  /** Extracts a part of each sequence, with a given offset and length. */
  private static OperatorResult slice(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray own = Rows.offsets(x);
    ImmutableLongArray.Builder rows = ImmutableLongArray.builder();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long[] begins = IntegerArguments.elements(call.input("Offset"));
    long[] lengths = IntegerArguments.elements(call.input("Length"));
    IntegerArguments.exactly(own.length() - 1, begins, "Offset");
    IntegerArguments.exactly(own.length() - 1, lengths, "Length");
    long end = 0;
    for (int i = 0; i < own.length() - 1; i++) {
      long begin = own.get(i) + begins[i];
      long length = lengths[i];
      if (begins[i] < 0 || length < 0 || begin + length > own.get(i + 1)) {
        throw new OperatorException(
            length
                + " rows from "
                + begins[i]
                + " on of a sequence of "
                + (own.get(i + 1) - own.get(i)));
      }
      for (long row = begin; row < begin + length; row++) {
        rows.add(row);
      }
      end += length;
      offsets.add(end);
    }
    return result("Out", Slices.pick(x.tensor(), rows.build()), offsets.build());
  }

  /** Pads all sequences to one length with the padding value. */
  private static OperatorResult pad(OperatorCall call) {
    LodTensor x = call.lodInput("X");
    ImmutableLongArray offsets = Rows.offsets(x);
    int count = offsets.length() - 1;
    long[] lengths = new long[count];
    long longest = 0;
    for (int i = 0; i < count; i++) {
      lengths[i] = offsets.get(i + 1) - offsets.get(i);
      longest = Math.max(longest, lengths[i]);
    }
    long padded = call.integer("padded_length", -1);
    int length = (int) (padded < 0 ? longest : padded);
    Tensor tensor = x.tensor();
    int width = Slices.width(tensor);
    long[] row = tensor.shape().subArray(1, tensor.rank()).toArray();
    long[] shape = Shapes.concat(new long[] {count, length}, row);
    Tensor out = Tensor.zeros(tensor.type(), ImmutableLongArray.copyOf(shape));
    Tensor padding = call.input("PadValue");
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < length; k++) {
        int to = (i * length + k) * width;
        if (k < lengths[i]) {
          int from = (int) (offsets.get(i) + k) * width;
          ElementWriter.copy(tensor, from, out, to, width);
        } else {
          for (int j = 0; j < width; j++) {
            ElementWriter.copy(padding, padding.length() == 1 ? 0 : j, out, to + j, 1);
          }
        }
      }
    }
    return OperatorResult.builder()
        .put("Out", LodTensor.of(out))
        .put("Length", LodTensor.of(Tensor.of(ImmutableLongArray.of(count), lengths)))
        .build();
  }

  private static OperatorResult unpad(OperatorCall call) {
    Tensor x = call.input("X");
    Tensor lengths = call.input("Length");
    call.shapeFrom("X", 2);
    ImmutableLongArray.Builder rows = ImmutableLongArray.builder();
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder().add(0);
    long end = 0;
    if (lengths.length() != x.size(0)) {
      throw new OperatorException(lengths.length() + " lengths of " + x.size(0) + " sequences");
    }
    for (int i = 0; i < lengths.length(); i++) {
      if (lengths.getLong(i) < 0 || lengths.getLong(i) > x.size(1)) {
        throw new OperatorException("length " + lengths.getLong(i) + " of " + x.size(1));
      }
      for (long k = 0; k < lengths.getLong(i); k++) {
        rows.add(i * x.size(1) + k);
      }
      end += lengths.getLong(i);
      offsets.add(end);
    }
    long[] shape = x.shape().subArray(1, x.rank()).toArray();
    shape[0] *= x.size(0);
    Tensor flat = x.reshaped(ImmutableLongArray.copyOf(shape));
    return result("Out", Slices.pick(flat, rows.build()), offsets.build());
  }

  /** Computes, for each length n, a row of n ones followed by zeros. */
  private static OperatorResult mask(OperatorCall call) {
    Tensor lengths = call.input("X");
    long longest = IntegerArguments.single(call, "maxlen", -1, "MaxLenTensor");
    for (int i = 0; i < lengths.length() && call.integer("maxlen", -1) < 0; i++) {
      longest = call.has("MaxLenTensor") ? longest : Math.max(longest, lengths.getLong(i));
    }
    longest = Shapes.length(Math.max(longest, 0));
    ElementType type = ElementTypes.ofNumber(call.integer("out_dtype", -1), ElementType.INT64);
    long[] shape = Shapes.concat(lengths.shape().toArray(), new long[] {longest});
    Tensor mask = Tensor.zeros(type, ImmutableLongArray.copyOf(shape));
    for (int i = 0; i < mask.length(); i++) {
      int sequence = (int) (i / longest);
      boolean inside =
          lengths.type().isFloating()
              ? i % longest < lengths.getDouble(sequence)
              : i % longest < lengths.getLong(sequence);
      if (type.isFloating()) {
        ElementWriter.put(mask, i, inside ? 1.0 : 0.0);
      } else {
        ElementWriter.put(mask, i, inside ? 1L : 0L);
      }
    }
    return OperatorResult.of("Y", mask);
  }
}
