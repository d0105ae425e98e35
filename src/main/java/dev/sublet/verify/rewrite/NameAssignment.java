package dev.sublet.verify.rewrite;

import dev.sublet.diag.Location;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.UnrenamableVariables;
import dev.sublet.verify.graph.Violations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The assignment of original variables to the rewritten variables that stand for them, with a check
 * that each rewritten variable's declaration suits them all. O(1) per argument.
 *
 * <pre>
 *   original    a = relu(x)   b = tanh(a)        a and b are the occupants of t;
 *   rewritten   t = relu(x)   t = tanh(t)        t is the partner of a and of b
 * </pre>
 */
final class NameAssignment {

  private static final int NONE = -1;
  private static final int SEVERAL = -2;

  private final Program original;
  private final Program rewritten;
  private final Sizes sizes;
  private final MemorySpaces places;
  private final UnrenamableVariables neverRenamed;

  /** Whether fed and observed variables may have other names outside block 0, in unrolled loops. */
  private final boolean mayMove;

  private final LodCarriers lodCarriers;
  private final LodOccupants lod;
  private final Violations violations;

  /** By original variable: the rewritten variable of the same block and name, if there is one. */
  private final int[] twins;

  /** By rewritten variable: the original variable of the same block and name. */
  private final int[] owners;

  /** By original variable: its only partner, {@link #NONE} or {@link #SEVERAL}. */
  private final int[] partners;

  /** By original variable with several partners: all of them. */
  private final Map<Integer, IntList> severalNames = new HashMap<>();

  /** By rewritten variable: its first occupant, or {@link #NONE}. */
  private final int[] firstOccupants;

  /** By rewritten variable: the largest occupant with its declared shape. */
  private final int[] largestOccupants;

  /** By rewritten variable: the most levels of LoD with which an occupant is declared. */
  private final int[] lodLevels;

  /** Occupants whose declared type differs from that of their rewritten variable. */
  private final List<Guest> guests = new ArrayList<>();

  private record Guest(Location place, int u, int v) {}

  NameAssignment(
      ProgramGraph graph,
      Program rewritten,
      RewriteValidator.Measures measures,
      LodCarriers lod,
      boolean mayMove,
      Violations violations) {
    this.original = graph.program();
    this.rewritten = rewritten;
    this.sizes = measures.sizes();
    this.places = measures.places();
    this.neverRenamed = graph.neverRenamed();
    this.lodCarriers = lod;
    this.lod = new LodOccupants(graph, rewritten.variableCount(), lod);
    this.mayMove = mayMove;
    this.violations = violations;
    this.twins = new int[original.variableCount()];
    this.owners = new int[rewritten.variableCount()];
    this.partners = new int[original.variableCount()];
    this.firstOccupants = new int[rewritten.variableCount()];
    this.lodLevels = new int[rewritten.variableCount()];
    this.largestOccupants = new int[rewritten.variableCount()];
    Arrays.fill(twins, Program.NO_VARIABLE);
    Arrays.fill(partners, NONE);
    Arrays.fill(firstOccupants, NONE);
    Arrays.fill(largestOccupants, NONE);
    Arrays.fill(lodLevels, Integer.MIN_VALUE);
    findTwins();
  }

  private void findTwins() {
    for (Variable variable : rewritten.variables()) {
      int owner = original.declared(variable.block(), variable.name());
      owners[variable.index()] = owner;
      if (owner == Program.NO_VARIABLE) {
        violations.add(variable, "the original program does not declare the variable");
      } else {
        twins[owner] = variable.index();
      }
    }
  }

  /** Returns the rewritten variable of the same block and name, or {@link Program#NO_VARIABLE}. */
  int twin(int u) {
    return twins[u];
  }

  /** Returns the original variable of the same block and name, or {@link Program#NO_VARIABLE}. */
  int owner(int v) {
    return owners[v];
  }

  /**
   * Returns the rewritten variable that always stands for the original one; negative if there is
   * none or there are several.
   */
  int partner(int u) {
    return partners[u];
  }

  private void addName(int u, int v) {
    if (partners[u] == NONE) {
      return;
    }
    IntList names = severalNames.get(u);
    if (names == null) {
      names = new IntList();
      names.add(partners[u]);
      severalNames.put(u, names);
    }
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i) == v) {
        return;
      }
    }
    names.add(v);
  }

  /** Returns all rewritten variables that stand for the original one in some operator. */
  IntList names(int u) {
    IntList several = severalNames.get(u);
    IntList names = several == null ? new IntList() : several;
    if (several == null && partners[u] != NONE) {
      names.add(partners[u]);
    }
    return names;
  }

  /** Whether several rewritten variables stand for the original one. */
  boolean hasSeveralNames(int u) {
    return partners[u] == SEVERAL;
  }

  /** Checks all arguments of an operator and its counterpart, which have the same form. */
  void check(Operation operation, Operation other) {
    for (int i = 0; i < operation.inputCount(); i++) {
      check(operation, operation.input(i), other.input(i));
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      check(operation, operation.output(i), other.output(i));
    }
  }

  private void check(Operation operation, int u, int v) {
    if (u == Program.NO_VARIABLE || v == Program.NO_VARIABLE || partners[u] == v) {
      return;
    }
    Location place = operation.location().at(Names.display(original.variable(u).name()));
    if (partners[u] != NONE && lod.needsOwnName(u)) {
      violations.add(place, "goes by several names, but LoD from before must show through");
    }
    addName(u, v);
    partners[u] = partners[u] == NONE ? v : SEVERAL;
    String newName = Violations.quote(rewritten.variable(v));
    // In an unrolled loop a value may have another name; its name at the loop's end is checked
    // there.
    boolean isPinned =
        (mayMove && operation.block() != 0)
            ? neverRenamed.isPinnedInside(u)
            : neverRenamed.isPinned(u);
    if (isPinned && twins[u] != v) {
      violations.add(place, "the variable must keep its name, but became " + newName);
    }
    int owner = owners[v];
    if (owner != u && owner != Program.NO_VARIABLE && neverRenamed.isAlone(owner)) {
      violations.add(place, "became " + newName + ", a name that may not be shared");
    }
    Optional<String> objection =
        declarationObjection(original.variable(u), rewritten.variable(v))
            .or(() -> sharingObjection(u, v));
    if (objection.isPresent()) {
      violations.add(place, "became " + newName + ", but " + objection.get());
      return;
    }
    measure(place, u, v);
  }

  private Optional<String> declarationObjection(Variable u, Variable v) {
    if (u.kind() != v.kind()) {
      return Optional.of("one is a " + u.kind() + " and the other a " + v.kind());
    }
    if (u.isPersistable() != v.isPersistable()) {
      return Optional.of("only one of them is persistable");
    }
    TensorType type = u.tensorType().orElse(null);
    TensorType newType = v.tensorType().orElse(null);
    if (type == null || newType == null) {
      return u.hasSameType(v) ? Optional.empty() : Optional.of("their declared types differ");
    }
    if (type.dataType() != newType.dataType()) {
      return Optional.of(
          "their data types differ: " + type.dataType() + " and " + newType.dataType());
    }
    if (type.lodLevel() > Math.max(0, newType.lodLevel())) { // negative levels count as 0
      return Optional.of(
          "levels of LoD are lost: " + type.lodLevel() + " are declared as " + newType.lodLevel());
    }
    return Optional.empty();
  }

  private static boolean haveSameShape(Variable u, Variable v) {
    TensorType type = u.tensorType().orElse(null);
    TensorType newType = v.tensorType().orElse(null);
    if (type == null || newType == null) {
      return u.hasSameType(v);
    }
    return type.dataType() == newType.dataType() && type.dims().equals(newType.dims());
  }

  /** Records the size of an occupant, for {@link #checkCapacities}. */
  private void measure(Location place, int u, int v) {
    lodLevels[v] = Math.max(lodLevels[v], lodLevel(original.variable(u)));
    if (haveSameShape(original.variable(u), rewritten.variable(v))) {
      int largest = largestOccupants[v];
      if (largest == NONE || sizes.isAtMost(largest, u)) {
        largestOccupants[v] = u;
      }
    } else if (original.variable(u).kind() == Variable.Kind.TENSOR) {
      guests.add(new Guest(place, u, v));
    }
  }

  /**
   * Checks that each rewritten variable is declared like one of its occupants, and with no more
   * levels of LoD than an occupant has. A declaration that states a size must be that of one of the
   * largest occupants, for the given feeds. If rows are those of sequences, whose number differs
   * from run to run, the elements per row decide. To be called after all operators have been
   * checked. O(variables).
   */
  void checkCapacities() {
    for (Variable v : rewritten.variables()) {
      int level = lodLevel(v);
      if (firstOccupants[v.index()] != NONE && level > lodLevels[v.index()]) {
        violations.add(v, "is declared with " + level + " levels of LoD, more than any occupant");
      }
    }
    for (Guest guest : guests) {
      int u = guest.u();
      int largest = largestOccupants[guest.v()];
      Variable v = rewritten.variable(guest.v());
      if (largest == NONE || (statesSize(v) && !isAtMost(u, largest))) {
        violations.add(
            guest.place(),
            "became "
                + Violations.quote(v)
                + ", but is not surely as large: "
                + typeOf(original.variable(u))
                + " in "
                + typeOf(v));
      }
    }
  }

  private boolean isAtMost(int u, int largest) {
    if (sizes.isAtMost(u, largest)) {
      return true;
    }
    boolean areKnown = sizes.isKnown(u) || sizes.isKnown(largest);
    boolean dependOnSequences = lodCarriers.carries(u) || lodCarriers.carries(largest);
    TensorType type = original.variable(u).tensorType().orElse(null);
    TensorType largestType = original.variable(largest).tensorType().orElse(null);
    return (!areKnown || dependOnSequences)
        && type != null
        && largestType != null
        && statesSize(original.variable(u))
        && largestType.hasOpenRows()
        && type.minElements() <= largestType.minElements();
  }

  /**
   * Whether a declaration states a number of bytes: at most the first extent, the batch, is open.
   */
  private static boolean statesSize(Variable variable) {
    TensorType type = variable.tensorType().orElse(null);
    for (int axis = 1; type != null && axis < type.dims().length(); axis++) {
      if (type.dims().get(axis) < 0) {
        return false;
      }
    }
    return true;
  }

  private static int lodLevel(Variable variable) {
    return variable.tensorType().map(TensorType::lodLevel).orElse(0);
  }

  private static String typeOf(Variable variable) {
    return variable.tensorType().map(TensorType::toString).orElse("no tensor");
  }

  private Optional<String> sharingObjection(int u, int v) {
    Optional<String> objection = lod.add(u, v);
    if (objection.isPresent()) {
      return objection;
    }
    int first = firstOccupants[v];
    if (first == NONE) {
      firstOccupants[v] = u;
      return Optional.empty();
    }
    if (first == u) {
      return Optional.empty();
    }
    if (lod.needsOwnName(u) || lod.needsOwnName(first)) {
      return Optional.of(sharing("one that may carry LoD from before", first));
    }
    return places.areSame(u, first)
        ? Optional.empty()
        : Optional.of(sharing("one in another memory", first));
  }

  private String sharing(String who, int other) {
    return who + " shares the name with " + Violations.quote(original.variable(other));
  }
}
