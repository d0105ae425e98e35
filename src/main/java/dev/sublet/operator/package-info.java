/**
 * What Sublet knows about operator types: the catalog.
 *
 * <p>In goes an operator type; out comes an {@link dev.sublet.operator.OperatorSpec}: the effect on
 * each output slot, the in-place pairs, the views, how sequence information (LoD) flows, which
 * outputs live on the host, which inputs need no buffer, the kind of control flow, and how shapes
 * follow. Adding an operator is one entry in one of the {@code *Operators} files, its rule a method
 * of a {@code *Shapes} file that computes with {@link dev.sublet.operator.SymbolicExtent}.
 *
 * <p>Invariant: what the catalog does not know is assumed the worst. An unknown operator reads all
 * its inputs, may write its outputs, passes LoD on, and has no in-place pair.
 *
 * <p>The operators of ONNX are in the same catalog, under types that Paddle cannot have: {@code
 * Onnx*} files, of which {@code OnnxOperators} is the front.
 *
 * <p>Source: Paddle's operator registrations and in-place inferers, 1.5 to 2.6; types, slots, pairs
 * and inputs that need no buffer were compared with what the library of 2.3.2 registers.
 */
@NullMarked
package dev.sublet.operator;

import org.jspecify.annotations.NullMarked;
