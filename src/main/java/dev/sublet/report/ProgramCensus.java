package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.liveness.Observation;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Variable;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The contents of a program in numbers. O(n log n) in operators and variables.
 *
 * @param operators the number of operators of each type
 * @param kinds the number of variables of each kind
 * @param roles the totals of the dense tensors of each role
 * @param unknown the dense tensors of unknown size, with the reasons
 */
record ProgramCensus(
    ImmutableSortedMap<String, Integer> operators,
    ImmutableSortedMap<Variable.Kind, Integer> kinds,
    ImmutableMap<Role, Tally> roles,
    ImmutableList<UnknownSize> unknown) {

  /** The role of a dense tensor. Each tensor counts once, under the first role that fits. */
  enum Role {
    PERSISTABLES("parameters"),
    /** Of an ONNX model: computed from parameters alone. */
    CONSTANTS("constants"),
    FEEDS("feeds"),
    /** Observed: fetched, kept, or an output of a program that fetches nothing. */
    FETCHES("results"),
    TEMPORARIES("temporaries");

    private final String label;

    Role(String label) {
      this.label = label;
    }

    /** The role of a dense tensor that is no constant. */
    static Role of(Variable variable, Observation observation) {
      if (variable.isPersistable()) {
        return PERSISTABLES;
      }
      if (observation.isFeed(variable.index())) {
        return FEEDS;
      }
      return observation.isObserved(variable.index()) ? FETCHES : TEMPORARIES;
    }

    /** The name in tables. */
    String label() {
      return label;
    }

    /** The name in JSON. */
    String jsonName() {
      return Ascii.toLowerCase(name());
    }
  }

  /**
   * The totals of the tensors of one role.
   *
   * @param count the number of tensors
   * @param bytes the bytes of the tensors of known size
   * @param unknown the number of tensors of unknown size
   */
  record Tally(int count, long bytes, int unknown) {

    private static final Tally NONE = new Tally(0, 0, 0);

    private Tally plus(Tally other) {
      return new Tally(count + other.count, bytes + other.bytes, unknown + other.unknown);
    }
  }

  /**
   * A tensor of unknown size.
   *
   * @param variable the tensor
   * @param reason why its size is unknown
   */
  record UnknownSize(Variable variable, String reason) {}

  /** Counts the contents of a program. */
  static ProgramCensus of(ProgramFacts analysis) {
    Map<String, Integer> operators = new TreeMap<>();
    for (Block block : analysis.program().blocks()) {
      for (Operation operation : block.operations()) {
        operators.merge(operation.type(), 1, Integer::sum);
      }
    }
    Map<Variable.Kind, Integer> kinds = new TreeMap<>();
    ComputedConstants constants = ComputedConstants.of(analysis);
    Map<Role, Tally> roles = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      if (role != Role.CONSTANTS) { // only ONNX models have a row of them
        roles.put(role, Tally.NONE);
      }
    }
    ImmutableList.Builder<UnknownSize> unknown = ImmutableList.builder();
    for (Variable variable : analysis.program().variables()) {
      kinds.merge(variable.kind(), 1, Integer::sum);
      if (variable.kind() == Variable.Kind.TENSOR) {
        boolean known = analysis.sizes().isKnown(variable.index());
        Tally one =
            new Tally(1, known ? analysis.sizes().bytes(variable.index()) : 0, known ? 0 : 1);
        Role role =
            constants.contains(variable)
                ? Role.CONSTANTS
                : Role.of(variable, analysis.liveness().observation());
        roles.merge(role, one, Tally::plus);
        if (!known) {
          unknown.add(new UnknownSize(variable, analysis.sizes().reason(variable.index())));
        }
      }
    }
    return new ProgramCensus(
        ImmutableSortedMap.copyOf(operators),
        ImmutableSortedMap.copyOf(kinds),
        Maps.immutableEnumMap(roles),
        unknown.build());
  }
}
