package dev.sublet.runtime.micro.ir;

/**
 * Two extents that are equal in every run, {@code dA1[=dB0]}. The run checks the equality; passes
 * that match loops assume it.
 */
public record Requirement(IndexExpression left, IndexExpression right) {}
