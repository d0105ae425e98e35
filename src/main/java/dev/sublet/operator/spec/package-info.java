/**
 * The description of one operator type, and the builder that a family writes its entries with.
 *
 * <p>A family calls {@link dev.sublet.operator.spec.CatalogBuilder#add}, which returns an {@link
 * dev.sublet.operator.spec.OperatorEntry} to say more of; out comes an {@link
 * dev.sublet.operator.spec.OperatorSpec}: effects on output slots, in-place pairs with their
 * conditions and evidence, views, the flow of sequence information (LoD), control flow, and the
 * shape rule.
 *
 * <pre>{@code
 * catalog.add("relu").shape(ElementwiseShapes::likeX).inPlace("1.8,2.0").withGradient();
 * }</pre>
 *
 * <p>Invariant: a specification is immutable, and a slot has one effect.
 *
 * <p>Source of the evidence: {@code in-place-runs.txt}, which a campaign against the real Paddle
 * writes.
 */
@NullMarked
package dev.sublet.operator.spec;

import org.jspecify.annotations.NullMarked;
