package dev.sublet.operator;

import com.google.common.collect.ImmutableList;

/** Shapes of sequence labelling and of searches for the best sequence. */
final class DecodingShapes {

  private DecodingShapes() {}

  /** {@code ViterbiPath} is the best label of each row, or of each step if padded. */
  static void crfDecoding(ShapeCall call) {
    AbstractTensor emission = call.in("Emission");
    checkTransition(call.in("Transition"), emission);
    AbstractTensor path =
        call.has("Length")
            ? AbstractTensor.of(emission.dim(0), emission.dim(1))
            : AbstractTensor.of(emission.dim(0), Quantity.of(1));
    call.out("ViterbiPath", path.withLod(emission.lod()));
  }

  private static void checkTransition(AbstractTensor transition, AbstractTensor emission) {
    Quantity tags = emission.dim(-1);
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

  /** {@code LogLikelihood} is a number for each sequence; the others are like their inputs. */
  static void linearChainCrf(ShapeCall call) {
    AbstractTensor emission = call.in("Emission");
    AbstractTensor transition = call.in("Transition");
    checkTransition(transition, emission);
    AbstractTensor like = AbstractTensor.of(emission.dims()).withLod(null);
    call.out("Alpha", like);
    call.out("EmissionExps", like);
    call.out("TransitionExps", AbstractTensor.of(transition.dims()));
    Quantity count =
        call.has("Length") ? emission.dim(0) : Offsets.count(call, call.in("Label"), 0);
    call.out("LogLikelihood", AbstractTensor.of(count, Quantity.of(1)));
  }

  /** {@code Output} is {@code Input} without blanks: fewer rows, or as many columns if padded. */
  static void ctcAlign(ShapeCall call) {
    AbstractTensor input = call.in("Input");
    if (call.has("InputLength")) {
      call.out("Output", AbstractTensor.of(input.dims()));
      call.out("OutputLength", AbstractTensor.of(input.dim(0), Quantity.of(1)));
    } else {
      // One row of -1 stands for none at all.
      Quantity rows = call.atMost("rows", input.dim(0).max(Quantity.of(1)));
      call.out("Output", AbstractTensor.of(rows, Quantity.of(1)).withLod(null));
      call.out("OutputLength", AbstractTensor.of(0));
    }
  }

  /** {@code Path} is a label for each step up to the largest length, {@code Scores} a number. */
  static void viterbiDecode(ShapeCall call) {
    AbstractTensor input = call.in("Input");
    AbstractTensor transition = call.in("Transition");
    checkTransition(transition, input);
    Quantity longest = SequenceShapes.largest(call.in("Length"));
    Quantity steps =
        longest != null && longest.isExact() ? longest : call.atMost("steps", input.dim(1));
    call.out("Scores", AbstractTensor.of(input.dim(0)));
    call.out("Path", AbstractTensor.of(input.dim(0), steps));
  }

  /** The selected: at most {@code beam_size} continuations a prefix, and a source if known. */
  static void beamSearch(ShapeCall call) {
    AbstractTensor scores = call.in("scores");
    Quantity width = Quantity.of(1);
    for (int i = 1; i < scores.rank(); i++) {
      width = width.times(scores.dim(i));
    }
    Quantity beam = Quantity.of((long) call.integer("beam_size", 1));
    Quantity bound = scores.dim(0).times(width.min(beam));
    if (scores.lod() != null && Offsets.mayExist(scores)) {
      bound = bound.min(Offsets.count(call, scores, call.integer("level", 0)).times(beam));
    }
    Quantity rows = call.atMost("rows", bound);
    AbstractTensor column = AbstractTensor.of(rows, Quantity.of(1)).withLod(null);
    call.out("selected_ids", column);
    call.out("selected_scores", column);
    call.out("parent_idx", AbstractTensor.of(rows));
  }

  /** The words of all sentences: {@code beam_size} for each source, none longer than the array. */
  static void beamSearchDecode(ShapeCall call) {
    AbstractTensor ids = call.in("Ids");
    Quantity steps = ids.length();
    if (steps == null) {
      steps = call.unknown("steps", "the length of the array is not known");
    }
    Quantity words = ids.dim(0).times(call.integer("beam_size", 1)).times(steps);
    Quantity total = call.atMost("words", words);
    for (String slot : ImmutableList.of("SentenceIds", "SentenceScores")) {
      call.out(slot, AbstractTensor.of(total).withLod(null));
    }
  }
}
