/**
 * The specification of an operator type, and the builder with which an operator family writes its
 * specifications.
 *
 * <p>A family calls {@link dev.sublet.operator.spec.CatalogBuilder#add}. This method returns an
 * {@link dev.sublet.operator.spec.OperatorEntry}, whose methods describe the operator. The result
 * is an {@link dev.sublet.operator.spec.OperatorSpec}: the effects on output slots, in-place pairs
 * with their conditions and evidence, views, the flow of sequence information (LoD), control flow,
 * and the shape rule.
 *
 * <pre>{@code
 * catalog.add("relu").shape(ElementwiseShapes::likeX).inPlace("1.8,2.0").withGradient();
 * }</pre>
 *
 * <p>Invariant: a specification is immutable, and each slot has exactly one effect.
 *
 * <p>Source of the evidence: {@code in-place-runs.txt} and {@code lod-runs.txt}, which test
 * campaigns against the real Paddle write.
 */
@NullMarked
package dev.sublet.operator.spec;

import org.jspecify.annotations.NullMarked;
