package dev.sublet.diag;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A list of warnings and notes in the order in which they are added, without duplicates. */
public final class DiagnosticLog {

  private final Set<Diagnostic> diagnostics = new LinkedHashSet<>();

  /** Adds the diagnostics of another log. */
  public void addAll(DiagnosticLog other) {
    diagnostics.addAll(other.diagnostics);
  }

  /** Adds diagnostics that were collected elsewhere. */
  public void addAll(List<Diagnostic> others) {
    diagnostics.addAll(others);
  }

  /** Adds a warning: something was left out, or a weaker method was used. */
  public void warn(Location place, String message) {
    diagnostics.add(new Diagnostic(Diagnostic.Kind.WARNING, place, message));
  }

  /** Adds a note: nothing is wrong, but the message helps to understand the output. */
  public void note(Location place, String message) {
    diagnostics.add(new Diagnostic(Diagnostic.Kind.NOTE, place, message));
  }

  /** All diagnostics so far, in order. */
  public ImmutableList<Diagnostic> diagnostics() {
    return ImmutableSet.copyOf(diagnostics).asList();
  }
}
