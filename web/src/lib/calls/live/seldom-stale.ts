/**
 * In milliseconds: how long the answers that seldom change, such as a project's states, are used without asking again. When somebody changes them, the
 * stream of changes says so.
 */
export const seldomStale = 60_000
