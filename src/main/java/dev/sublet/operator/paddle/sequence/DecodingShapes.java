package dev.sublet.operator.paddle.sequence;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.Offsets;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;

/** Shape rules for sequence labeling and for searches for the best sequence. */
final class DecodingShapes {

  private DecodingShapes() {}

  /**
   * Gives {@code ViterbiPath} the best label of each row, or of each step if the sequences are
   * padded.
   */
  static void crfDecoding(ShapeCall call) {
    AbstractShape emission = call.in("Emission");
    checkTransition(call.in("Transition"), emission);
    AbstractShape path =
        call.has("Length")
            ? AbstractShape.of(emission.dim(0), emission.dim(1))
            : AbstractShape.of(emission.dim(0), SymbolicExtent.of(1));
    call.out("ViterbiPath", path.withLod(emission.lod()));
  }

  private static void checkTransition(AbstractShape transition, AbstractShape emission) {
    SymbolicExtent tags = emission.dim(-1);
    if (tags.isExact() && transition.dim(1).isExact() && !tags.is(transition.dim(1).value())) {
      throw new ShapeMismatchException(
          "Emission "
              + emission
              + " has "
              + tags
              + " tags, but Transition "
              + transition
              + " "
              + transition.dim(1));
    }
  }

  /**
   * Gives {@code LogLikelihood} one number per sequence, and the other outputs the shapes of their
   * inputs.
   */
  static void linearChainCrf(ShapeCall call) {
    AbstractShape emission = call.in("Emission");
    AbstractShape transition = call.in("Transition");
    checkTransition(transition, emission);
    AbstractShape like = AbstractShape.of(emission.dims()).withLod(null);
    call.out("Alpha", like);
    call.out("EmissionExps", like);
    call.out("TransitionExps", AbstractShape.of(transition.dims()));
    SymbolicExtent count =
        call.has("Length") ? emission.dim(0) : Offsets.count(call, call.in("Label"), 0);
    call.out("LogLikelihood", AbstractShape.of(count, SymbolicExtent.of(1)));
  }

  /**
   * Gives {@code Output} the labels of {@code Input} without blanks: at most as many rows, or the
   * same shape if the sequences are padded. Paddle does not look at {@code InputLength} if {@code
   * Input} has sequences.
   */
  static void ctcAlign(ShapeCall call) {
    AbstractShape input = call.in("Input");
    // One row of -1 stands for an empty result.
    SymbolicExtent rows = call.atMost("rows", input.dim(0).max(SymbolicExtent.of(1)));
    AbstractShape labels = AbstractShape.of(rows, SymbolicExtent.of(1)).withLod(null);
    AbstractShape noLengths = AbstractShape.of(0);
    AbstractShape padded = AbstractShape.of(input.dims()).withLod(null);
    AbstractShape lengths = AbstractShape.of(input.dim(0), SymbolicExtent.of(1));
    boolean mayBePadded = call.has("InputLength") && (input.lod() == null || input.lod().isEmpty());
    boolean mayBeSequences = !mayBePadded || Offsets.mayExist(input);
    if (mayBePadded && mayBeSequences) {
      call.out("Output", call.either(padded, labels));
      call.out("OutputLength", call.either(lengths, noLengths));
    } else {
      call.out("Output", mayBeSequences ? labels : padded);
      call.out("OutputLength", mayBeSequences ? noLengths : lengths);
    }
  }

  /**
   * Gives {@code Path} one label per step up to the largest length, and {@code Scores} one number
   * per sequence.
   */
  static void viterbiDecode(ShapeCall call) {
    AbstractShape input = call.in("Input");
    AbstractShape transition = call.in("Transition");
    checkTransition(transition, input);
    SymbolicExtent longest = SequenceShapes.largest(call.in("Length"));
    SymbolicExtent steps =
        longest != null && longest.isExact() ? longest : call.atMost("steps", input.dim(1));
    call.out("Scores", AbstractShape.of(input.dim(0)));
    call.out("Path", AbstractShape.of(input.dim(0), steps));
  }

  /**
   * Gives the outputs one row per selected continuation: at most {@code beam_size} rows per prefix,
   * and also per source if the offsets are known.
   */
  static void beamSearch(ShapeCall call) {
    AbstractShape scores = call.in("scores");
    SymbolicExtent width = SymbolicExtent.of(1);
    for (int i = 1; i < scores.rank(); i++) {
      width = width.times(scores.dim(i));
    }
    SymbolicExtent beam = SymbolicExtent.of((long) call.integer("beam_size", 1));
    SymbolicExtent bound = scores.dim(0).times(width.min(beam));
    if (scores.lod() != null && Offsets.mayExist(scores)) {
      bound = bound.min(Offsets.count(call, scores, call.integer("level", 0)).times(beam));
    }
    SymbolicExtent rows = call.atMost("rows", bound);
    AbstractShape column = AbstractShape.of(rows, SymbolicExtent.of(1)).withLod(null);
    call.out("selected_ids", column);
    call.out("selected_scores", column);
    call.out("parent_idx", AbstractShape.of(rows));
  }

  /**
   * Gives the outputs the words of all sentences: {@code beam_size} sentences per source, none
   * longer than the array.
   */
  static void beamSearchDecode(ShapeCall call) {
    AbstractShape ids = call.in("Ids");
    SymbolicExtent steps = ids.length();
    if (steps == null) {
      steps = call.unknown("steps", "the length of the array is not known");
    }
    SymbolicExtent words = ids.dim(0).times(call.integer("beam_size", 1)).times(steps);
    SymbolicExtent total = call.atMost("words", words);
    for (String slot : ImmutableList.of("SentenceIds", "SentenceScores")) {
      call.out(slot, AbstractShape.of(total).withLod(null));
    }
  }
}
