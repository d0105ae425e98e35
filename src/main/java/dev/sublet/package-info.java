@NullMarked
package dev.sublet;

import org.jspecify.annotations.NullMarked;
