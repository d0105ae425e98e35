/**
 * The operator catalog: the facts about every operator type.
 *
 * <p>In goes an operator type; out comes an {@link dev.sublet.operator.spec.OperatorSpec}: the
 * effect on each output slot, the in-place pairs, the views, how sequence information (LoD) flows,
 * which outputs live on the host, which inputs need no buffer, the kind of control flow, and the
 * shape rule.
 *
 * <pre>
 *   infer    abstract shapes and the calls of shape rules
 *   spec     the content of an entry, and the builder of entries
 *   paddle   the operators of Paddle by family: entries, shape rules
 *   onnx     the operators of ONNX
 *   here     the catalog that lists all families
 * </pre>
 *
 * <p>Invariant: for an operator that the catalog does not list, the worst is assumed. It reads all
 * its inputs, may write its outputs, passes LoD on, and has no in-place pair.
 *
 * <p>Source: Paddle's operator registrations and in-place inferers, 1.5 to 2.6; types, slots, pairs
 * and inputs that need no buffer were compared with the registrations of the library of 2.3.2.
 */
@NullMarked
package dev.sublet.operator;

import org.jspecify.annotations.NullMarked;
