/** Matrix products, lookups in tables, and dropout. */
@NullMarked
package dev.sublet.runtime.kernel.product;

import org.jspecify.annotations.NullMarked;
