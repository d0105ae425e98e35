/**
 * Reports about the operator catalog: a summary by family, the list of all operators, and one
 * operator explained.
 *
 * <p>The input is the {@link dev.sublet.operator.OperatorCatalog}, and for one operator its entry.
 * The JSON of the summary is that of the list.
 */
@NullMarked
package dev.sublet.report.catalog;

import org.jspecify.annotations.NullMarked;
