/** Matrix products and lookups in tables. */
@NullMarked
package dev.sublet.runtime.kernel.product;

import org.jspecify.annotations.NullMarked;
