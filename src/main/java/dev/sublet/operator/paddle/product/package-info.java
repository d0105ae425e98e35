/**
 * Catalog entries and shape rules for matrix products, decompositions, fully connected layers,
 * embeddings, and dropout.
 */
@NullMarked
package dev.sublet.operator.paddle.product;

import org.jspecify.annotations.NullMarked;
