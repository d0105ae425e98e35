package dev.sublet.runtime.micro.run.bind;

/**
 * An access and where it stands.
 *
 * @param depth of the loop whose statement it is in
 * @param target whether it is what the statement writes
 * @param access the access
 */
record AccessSite(int depth, boolean target, BoundAccess access) {}
