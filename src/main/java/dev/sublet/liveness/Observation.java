package dev.sublet.liveness;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The variables that code outside the program writes or reads: feeds, persistables, fetched and
 * kept variables.
 *
 * <p>At the end of the program, an observed variable must have its value under its own name. Feeds
 * are observed too unless their storage may be reused. Every query but {@link #aliases} is O(1).
 */
public final class Observation {

  private final Program program;
  private final BitSet feeds = new BitSet();
  private final @Nullable String[] reasons;
  private final ObservationOptions options;
  private final List<FeedAlias> aliases = new ArrayList<>();

  private Observation(Program program, ObservationOptions options) {
    this.program = program;
    this.reasons = new String[program.variableCount()];
    this.options = options;
  }

  /**
   * Finds the observed variables. O(accesses).
   *
   * @throws ProgramException if the options name a variable that no block declares, or an alias
   *     that is none of a feed and a result
   */
  static Observation find(ControlFlowGraph graph, ObservationOptions options, DiagnosticLog log) {
    Observation observation = new Observation(graph.program(), options);
    observation.addFeeds(graph);
    boolean fetches = observation.addFetched(graph);
    for (String name : options.fetch()) {
      observation.addNamed("--fetch", name, "fetched (--fetch)");
    }
    for (String name : options.keep()) {
      observation.addNamed("--keep", name, "kept (--keep or --skip-opt-set)");
    }
    for (Variable variable : graph.program().variables()) {
      if (graph.pinned().isKept(variable.index())) {
        observation.add(variable.index(), graph.pinned().pinReason(variable.index()));
      }
    }
    if (!fetches && options.fetch().isEmpty()) {
      observation.addUnread(graph, log);
    }
    options.aliases().forEach(observation::addAlias);
    return observation;
  }

  private void addFeeds(ControlFlowGraph graph) {
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        for (int i = 0; i < operation.outputCount(); i++) {
          addFeed(operation.output(i));
        }
      }
    }
    AccessTable accesses = graph.accesses();
    for (Variable variable : program.block(0).variables()) {
      boolean undefined = variable.kind() == Variable.Kind.TENSOR && !variable.isPersistable();
      // The runtime looks up a variable with a feed check by name, whatever its kind.
      if (variable.needsFeedCheck() || (undefined && isReadFirst(accesses, variable.index()))) {
        addFeed(variable.index());
      }
    }
  }

  /** Whether an operator reads the variable explicitly before any operator may have written it. */
  private static boolean isReadFirst(AccessTable accesses, int variable) {
    for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
      if (!accesses.isImplicit(access)) {
        return accesses.reads(access);
      }
      if (accesses.writes(access)) {
        return false;
      }
    }
    return false;
  }

  private void addFeed(int variable) {
    if (variable != Program.NO_VARIABLE) {
      feeds.set(variable);
      if (!options.reuseFeeds()
          && !options.aliases().containsKey(program.variable(variable).name())) {
        add(variable, "a feed");
      }
    }
  }

  private boolean addFetched(ControlFlowGraph graph) {
    boolean found = false;
    for (int node = 0; node < graph.nodeCount(); node++) {
      Operation operation = graph.operation(node);
      if (operation.type().equals("fetch") || operation.type().equals("fetch_v2")) {
        found = true;
        for (int i = 0; i < operation.inputCount(); i++) {
          add(operation.input(i), "fetched");
        }
      }
      if (operation.isTarget()) {
        found = true;
        for (int i = 0; i < operation.outputCount(); i++) {
          add(operation.output(i), "an output of a target operator");
        }
      }
    }
    return found;
  }

  private void addNamed(String option, String name, String reason) {
    boolean found = false;
    for (int block = 0; block < program.blocks().size(); block++) {
      int variable = program.declared(block, name);
      if (variable != Program.NO_VARIABLE) {
        found = true;
        add(variable, reason);
      }
    }
    if (!found) {
      throw ProgramException.usage(
          option
              + " names '"
              + Names.display(name)
              + "', which no block declares"
              + NameHint.of(Names.display(name), "variables", Names.display(program.variables())));
    }
  }

  /** Observes the unread values: without a fetch, each of them may be a result of the program. */
  private void addUnread(ControlFlowGraph graph, DiagnosticLog log) {
    AccessTable accesses = graph.accesses();
    int count = 0;
    for (Variable variable : program.block(0).variables()) {
      int last = accesses.end(variable.index()) - 1;
      if (accesses.isAccessed(variable.index())
          && accesses.writes(last)
          && !variable.isPersistable()
          && reasons[variable.index()] == null) {
        add(variable.index(), "not read by any later operator, and the program fetches nothing");
        count++;
      }
    }
    log.note(
        Location.nowhere(),
        "the program fetches nothing, so every variable that no later operator reads is kept ("
            + count
            + "); name the wanted ones with --fetch");
  }

  private void addAlias(String feedName, String resultName) {
    int feed = program.declared(0, feedName);
    int result = program.declared(0, resultName);
    if (feed == Program.NO_VARIABLE || !isFeed(feed)) {
      throw ProgramException.usage(
          "--alias names '"
              + Names.display(feedName)
              + "', which is not a feed"
              + NameHint.of(Names.display(feedName), "feeds", names(feeds)));
    }
    if (result == Program.NO_VARIABLE || reasons[result] == null || isFeed(result)) {
      BitSet results = new BitSet();
      for (Variable variable : program.block(0).variables()) {
        int index = variable.index();
        results.set(index, reasons[index] != null && !isFeed(index));
      }
      throw ProgramException.usage(
          "--alias names '"
              + Names.display(resultName)
              + "', which is not a result"
              + NameHint.of(Names.display(resultName), "results", names(results)));
    }
    aliases.add(new FeedAlias(feed, result));
  }

  private ImmutableList<String> names(BitSet variables) {
    return variables.stream()
        .mapToObj(variable -> Names.display(program.variable(variable).name()))
        .collect(ImmutableList.toImmutableList());
  }

  private void add(int variable, String reason) {
    if (variable != Program.NO_VARIABLE && reasons[variable] == null) {
      reasons[variable] = reason;
    }
  }

  /** The results that take the storage of feeds, in the order of the options. */
  public ImmutableList<FeedAlias> aliases() {
    return ImmutableList.copyOf(aliases);
  }

  /** Whether the variable has its value when the program starts. */
  public boolean isFeed(int variable) {
    return feeds.get(variable);
  }

  /** Whether the variable must have its value under its own name at the end of the program. */
  public boolean isObserved(int variable) {
    return reasons[variable] != null || program.variable(variable).isPersistable();
  }

  /** Whether the variable must keep its name: it is observed or a feed. */
  public boolean keepsName(int variable) {
    return isObserved(variable) || isFeed(variable);
  }

  /** The reason why the variable is observed, in a few words; empty if it is not observed. */
  public String reason(int variable) {
    String reason = reasons[variable];
    if (reason != null) {
      return reason;
    }
    return program.variable(variable).isPersistable() ? "persistable" : "";
  }
}
