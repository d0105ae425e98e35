package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.Explanation;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.plan.Interval;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.ProgramPoints;
import dev.sublet.sharing.SharingReason;
import dev.sublet.sharing.SharingReason.Closest;
import dev.sublet.sharing.SharingReason.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The variables with which a variable shares its name, or the reason why there are none. Names are
 * shared after loop-carried copies have been removed. Operators have their numbers from before the
 * removal if these are known.
 */
final class NameFacts {

  /** The greatest number of variables with one name that are listed in text. */
  private static final int MOST_LISTED = 8;

  private final Explanation explanation;
  private final VariableId original;

  /** The variable in the program whose names were shared, or {@link Program#NO_VARIABLE}. */
  private final int shared;

  private final ProgramPoints points;

  /** Whether the numbers of operators differ from those in the program that is explained. */
  private final boolean isRenumbered;

  NameFacts(Explanation explanation, int variable) {
    this.explanation = explanation;
    this.original = explanation.analysis().program().variable(variable).id();
    LoopFacts loops = new LoopFacts(explanation, variable);
    this.shared = loops.inSharedProgram();
    ControlFlowGraph graph = explanation.shared().liveness().graph();
    Optional<ImmutableList<ImmutableIntArray>> numbers = loops.originalNumbers();
    this.points = new ProgramPoints(graph, numbers.orElse(ImmutableList.of()));
    this.isRenumbered = isOtherProgram() && numbers.isEmpty();
  }

  void addTo(VariableReport.Lines lines) {
    if (shared == Program.NO_VARIABLE) {
      lines.add("name", "gone with the copies that its loop does not need");
      return;
    }
    if (!program().variable(shared).id().equals(original)) {
      lines.add("name", "that of '" + display(shared) + "', with which it has one place in a loop");
    }
    SharingReason reason = explanation.names().of(shared);
    switch (reason.outcome()) {
      case SHARES -> addMembers(reason, lines);
      case LEFT_ALONE, NO_OTHER -> lines.add("name", "not shared: " + reason.words());
      case INTERFERES -> lines.add("name", "not shared: " + closest(reason));
      case UNSUITABLE, NO_NAME, NOT_FOUND ->
          lines.add("name", "not shared: " + reason.words() + "; " + closest(reason));
    }
    if (isRenumbered && (reason.closest().isPresent() || !reason.members().isEmpty())) {
      lines.add("name", "(with the operators that are left when loops copy less)");
    }
  }

  private void addMembers(SharingReason reason, VariableReport.Lines lines) {
    List<Member> members = reason.members();
    lines.add("name", "'" + name(giver()) + "', shared by " + members.size() + " variables:");
    int position = 0;
    while (members.get(position).variable() != shared) {
      position++;
    }
    int first = Math.max(0, Math.min(position - MOST_LISTED / 2, members.size() - MOST_LISTED));
    int end = Math.min(members.size(), first + MOST_LISTED);
    if (first > 0) {
      lines.add("name", "  " + first + " before these");
    }
    for (Member member : members.subList(first, end)) {
      int source = member.takesOverFrom();
      lines.add(
          "name",
          "  '"
              + display(member.variable())
              + "' "
              + points.describe(live(member.variable()))
              + (source < 0 ? "" : ", in the place of its input '" + display(source) + "'"));
    }
    if (end < members.size()) {
      lines.add("name", "  " + (members.size() - end) + " after these");
    }
  }

  /** The variable whose name all variables of the group get. */
  private VariableId giver() {
    VariableId own = program().variable(shared).id();
    return explanation.names().sharing().renamings().getOrDefault(own, own);
  }

  private List<Interval> live(int index) {
    LiveRanges ranges = explanation.shared().liveness().ranges();
    List<Interval> intervals = new ArrayList<>();
    for (int web = ranges.firstWeb(index); web < ranges.endWeb(index); web++) {
      intervals.addAll(ranges.intervals(web));
    }
    return Interval.union(intervals);
  }

  /** Describes the closest variable, and where both are live. */
  private String closest(SharingReason reason) {
    Closest closest = reason.closest().orElseThrow();
    String name =
        "the closest of its kind, '" + display(closest.variable()) + "'" + others(closest);
    if (closest.points() == 0) {
      return name + ", is never live together with it";
    }
    return name
        + ", is live together with it "
        + points.describe(new Interval(closest.begin(), closest.end()));
  }

  private String others(Closest closest) {
    List<String> names = new ArrayList<>();
    for (int member : closest.group()) {
      if (member != closest.variable() && names.size() < MOST_LISTED) {
        names.add("'" + display(member) + "'");
      }
    }
    if (names.isEmpty()) {
      return "";
    }
    int more = closest.group().size() - 1 - names.size();
    String last = more > 0 ? " and " + more + " more" : "";
    return " (in one name with " + String.join(", ", names) + last + ")";
  }

  private boolean isOtherProgram() {
    return program() != explanation.analysis().program();
  }

  private Program program() {
    return explanation.shared().program();
  }

  private String display(int index) {
    return name(program().variable(index).id());
  }

  private static String name(VariableId id) {
    return Names.display(id.name());
  }

  JsonObject json() {
    JsonObject object = new JsonObject();
    if (shared == Program.NO_VARIABLE) {
      object.addProperty("outcome", "gone");
      return object;
    }
    SharingReason reason = explanation.names().of(shared);
    object.addProperty("outcome", Ascii.toLowerCase(reason.outcome().name()));
    object.addProperty("name", name(giver()));
    object.addProperty("reason", reason.words());
    object.addProperty("points_renumbered", isOtherProgram());
    object.addProperty("operators_renumbered", isRenumbered);
    JsonArray members = new JsonArray();
    for (Member member : reason.members()) {
      JsonObject entry = JsonText.variable(program().variable(member.variable()).id());
      if (member.takesOverFrom() >= 0) {
        entry.addProperty("in_place_of", display(member.takesOverFrom()));
      }
      entry.add("live", points.json(live(member.variable())));
      members.add(entry);
    }
    object.add("members", members);
    reason.closest().ifPresent(closest -> object.add("closest", json(closest)));
    return object;
  }

  private JsonObject json(Closest closest) {
    JsonObject object = JsonText.variable(program().variable(closest.variable()).id());
    object.addProperty("common_points", closest.points());
    if (closest.points() > 0) {
      object.addProperty("begin", closest.begin());
      object.addProperty("end", closest.end());
      object.add("first", points.jsonAt(closest.begin()));
      object.add("last", points.jsonAt(closest.end() - 1));
    }
    List<String> names = new ArrayList<>();
    for (int member : closest.group()) {
      names.add(display(member));
    }
    object.add("group", JsonText.strings(names));
    return object;
  }
}
