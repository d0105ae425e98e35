/** Tests of the Python package, which are written in Python, in {@code src/test/python}. */
@NullMarked
package dev.sublet.python;

import org.jspecify.annotations.NullMarked;
