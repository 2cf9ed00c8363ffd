/** Most folders of accounts that are looked at. */
export const MAX_FOLDERS = 1_000;
/** Most entries of a folder that are looked at in one sweep; those after them have their turn when these are done. */
export const MAX_ENTRIES = 1_000;
/** Most imports that one sweep starts. */
export const MAX_STARTS = 20;
/** Most files that one sweep moves after their import. */
export const MAX_MOVES = 200;
/** Time for which a folder waits for a file in it whose name says that it is being written, in milliseconds. */
export const UNFINISHED_WAIT_MS = 3_600_000;
/** Most failures that a report names. */
export const FAILURES_SHOWN = 1_000;
