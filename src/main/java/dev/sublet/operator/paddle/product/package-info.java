/**
 * Catalog entries and shape rules for matrix products, decompositions, fully connected layers, and
 * embeddings.
 */
@NullMarked
package dev.sublet.operator.paddle.product;

import org.jspecify.annotations.NullMarked;
