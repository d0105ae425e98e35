/**
 * Facts about the tensors of a program: the bytes of each, the carriers of sequence information
 * (LoD), and the memory space of each.
 *
 * <p>The input is a program, the operator catalog and the shapes of the feeds; the output is {@link
 * dev.sublet.shape.Sizes}, {@link dev.sublet.shape.LodCarriers} and {@link
 * dev.sublet.shape.MemorySpaces}. These are arrays by variable; the program is not changed.
 *
 * <p>Shape inference is an abstract interpretation: the rules of the catalog for operators ({@code
 * OperatorTransfer}), declared shapes for extents that rules leave open ({@code DeclaredShapes}), a
 * join for branches ({@code ShapeInterpreter}), a fixpoint for loops ({@code LoopFixpoint}).
 *
 * <p>Invariant: no size is a guess. A size is exact for the given feeds, or an upper bound if it
 * depends on data, or unknown with a reason. Two sizes are the same in every run only if they have
 * the same formula.
 */
@NullMarked
package dev.sublet.shape;

import org.jspecify.annotations.NullMarked;
