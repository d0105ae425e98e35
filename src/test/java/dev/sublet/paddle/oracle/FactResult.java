package dev.sublet.paddle.oracle;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * What runs said of one call of an operator.
 *
 * @param factCase the call
 * @param refusal why Paddle does not run it as it is; empty if it does
 * @param judgements what each question's run said; empty if the call does not run
 */
public record FactResult(FactCase factCase, String refusal, ImmutableList<Judgement> judgements) {

  public FactResult {
    requireNonNull(factCase, "factCase");
    requireNonNull(refusal, "refusal");
    requireNonNull(judgements, "judgements");
  }

  /** The begin of the failure of a question whose program does not run. */
  static final String NOT_RUN = "does not run: ";

  /**
   * What Paddle does not run: the call, or else questions to which the catalog says no. A question
   * to which it says yes has to run.
   */
  public ImmutableList<String> notRun() {
    if (!refusal.isEmpty()) {
      return ImmutableList.of(factCase.toString());
    }
    return judgements.stream()
        .filter(each -> !each.believed() && each.failure().startsWith(NOT_RUN))
        .map(each -> name(factCase, each.question(), each.subject()))
        .collect(toImmutableList());
  }

  static String name(FactCase factCase, Question question, String subject) {
    return factCase + " " + question + " " + subject;
  }

  /** What is asked of a call. */
  public enum Question {
    /** Do the outputs have the shapes and the offsets that the shape rule says? */
    SHAPE,
    /** Are the bits equal if the output has the input's name? */
    ONE_NAME,
    /** Are the bits equal if the output has the input's buffer, under a name of its own? */
    ONE_BUFFER,
    /** Is everything written that the outputs held before? */
    WHOLE_WRITE,
    /** Are the bits equal whatever the elements of inputs that are read for their shape hold? */
    SHAPE_ONLY,
    /** Are the inputs as they were? */
    INPUTS_KEPT,
    /** Are the bits equal if the operator runs twice? If not, other questions have no answer. */
    SAME_AGAIN
  }

  /**
   * The answer to one question.
   *
   * @param question what is asked
   * @param subject of what: a pair as {@code X->Out}, or the slots
   * @param believed whether the catalog says yes
   * @param failure what is wrong; empty if the answer is yes
   */
  public record Judgement(Question question, String subject, boolean believed, String failure) {

    public Judgement {
      requireNonNull(question, "question");
      requireNonNull(subject, "subject");
      requireNonNull(failure, "failure");
    }

    public boolean isYes() {
      return failure.isEmpty();
    }
  }
}
