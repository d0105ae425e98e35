/**
 * A fuzzer that runs as long as it is told: {@code mvn -Pfuzz verify -Dfuzz.minutes=10}. Random
 * programs, damaged inputs of every reader, and random calls of operators in the real Paddle. Each
 * case follows from a seed of its own, which is printed with what it shows; CONTRIBUTING says how
 * to read and pin that.
 */
@NullMarked
package dev.sublet.fuzz;

import org.jspecify.annotations.NullMarked;
