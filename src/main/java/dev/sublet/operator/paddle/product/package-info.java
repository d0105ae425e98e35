/** Matrix products, decompositions, fully connected layers, embeddings: entries and rules. */
@NullMarked
package dev.sublet.operator.paddle.product;

import org.jspecify.annotations.NullMarked;
