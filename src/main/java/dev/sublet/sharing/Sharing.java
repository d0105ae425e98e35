package dev.sublet.sharing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;

/**
 * A program with shared names, and the new name of each variable.
 *
 * <p>The byte counts include the dense tensors of known size that operators use, except
 * persistables.
 *
 * @param facts the facts about the rewritten program
 * @param policy the policy that made the groups: {@code pool}, {@code global}, or {@code none} if
 *     sharing would save nothing
 * @param renamings the variable that gives the new name, by renamed variable
 * @param bytesBefore the bytes of all names of the original
 * @param bytesAfter the bytes of all names of the rewritten program
 * @param openBefore the number of names of unknown size in the original; such variables share a
 *     name if their sizes can be compared
 * @param openAfter the number of names of unknown size in the rewritten program
 * @param leftAlone the variables that share with no other, except persistables, with the reasons
 * @param removed the number of unused declarations that were removed
 * @param isLimited whether the names obey {@link NameLimits}, and so can take more bytes than need
 *     be
 */
public record Sharing(
    ProgramFacts facts,
    String policy,
    ImmutableMap<VariableId, VariableId> renamings,
    long bytesBefore,
    long bytesAfter,
    int openBefore,
    int openAfter,
    ImmutableList<LeftAlone> leftAlone,
    int removed,
    boolean isLimited) {

  /** The rewritten program. */
  public Program program() {
    return facts.program();
  }
}
