/**
 * Tests of the documents: README, CONTRIBUTING and the pages of docs. They run the commands that a
 * page shows, compare the output that it shows, and follow its links.
 */
@NullMarked
package dev.sublet.docs;

import org.jspecify.annotations.NullMarked;
