package dev.sublet.runtime.micro.run.bind;

/**
 * An access and its place in a nest.
 *
 * @param depth the depth of the loop whose statement contains the access
 * @param target whether the access is the target of the statement
 * @param access the access
 */
record AccessSite(int depth, boolean target, BoundAccess access) {}
