/**
 * The version of the readers (`parseMessage`, `indexWords`). A row of the archive says which one has read its mail; rows of
 * earlier versions are read again in the background. See ADR 116.
 *
 * A change of a reader that makes rows differ adds 1, and comes with a migration that builds `archived_mails_outdated_idx` for the
 * new number and makes the task `reread_mails` due: copy `SearchFields1763700000115`. A spec compares the index with this number.
 */
export const READER_VERSION = 3;

/** Reasons why a mail could not be read again. */
export const READER_PROBLEMS = ['missing', 'altered', 'unparsed', 'refused'] as const;
export type ReaderProblem = (typeof READER_PROBLEMS)[number];

/**
 * Mails that are to be read again, as SQL: the condition of `archived_mails_outdated_idx`, letter for letter. Of encrypted mail only
 * the dates may be missing: nothing else of it can be read.
 */
export const IS_OUTDATED = `((reader_version < ${READER_VERSION} AND NOT is_encrypted) OR received_at IS NULL)`;
