package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;

/**
 * A program with shared names, and what became of each variable.
 *
 * <p>Bytes are those of the dense tensors of known size that operators use, persistables aside.
 *
 * @param program the rewritten program
 * @param policy the policy whose groups were taken: {@code pool}, {@code global}, or {@code none}
 *     if sharing would save nothing
 * @param renamings each renamed variable and the one whose name it has now
 * @param bytesBefore the sum over all names of the original
 * @param bytesAfter the sum over all names of the rewritten program
 * @param openBefore how many names of the original have a size that is not known; they share where
 *     it is known how their sizes compare
 * @param openAfter how many of the rewritten program have
 * @param leftAlone the variables that share with no other, persistables aside, with the reasons
 * @param removed how many unused declarations were removed
 */
public record Sharing(
    Program program,
    String policy,
    ImmutableMap<VariableId, VariableId> renamings,
    long bytesBefore,
    long bytesAfter,
    int openBefore,
    int openAfter,
    ImmutableList<LeftAlone> leftAlone,
    int removed) {

  public Sharing {
    requireNonNull(program, "program");
    requireNonNull(policy, "policy");
    requireNonNull(renamings, "renamings");
    requireNonNull(leftAlone, "leftAlone");
  }
}
