package dev.sublet.peak;

import java.util.Optional;

/**
 * How a change is made.
 *
 * @param program the changed program; empty if the change is one of options
 * @param advice what the user must do beside writing the program, or instead of it; one line
 */
public record ChangeForm(Optional<ProgramVersion> program, String advice) {

  private static final String WITHOUT_PASSES =
      "run it with graph passes off (ir_optim off, switch_ir_optim(False))";

  private static final String WITHOUT_OPTIMIZATIONS =
      "run it with graph optimizations off (ORT_DISABLE_ALL)";

  /** A change of options. */
  static ChangeForm ofOptions(String advice) {
    return new ChangeForm(Optional.empty(), advice);
  }

  /** A change of the program, of which a runtime must run each operator as it is. */
  static ChangeForm ofOperators(ProgramVersion program, String alsoNeeds) {
    String passes = program.model().isPresent() ? WITHOUT_OPTIMIZATIONS : WITHOUT_PASSES;
    return new ChangeForm(
        Optional.of(program), alsoNeeds.isEmpty() ? passes : alsoNeeds + "; " + passes);
  }

  /** A change of the program that leaves its operators as they are. */
  static ChangeForm ofResults(ProgramVersion program) {
    return new ChangeForm(Optional.of(program), "");
  }
}
