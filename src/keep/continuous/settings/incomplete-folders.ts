/** A view has no messages that another folder lacks. A folder whose UIDs are distrusted was read before: it has a next UID. */
const IS_INCOMPLETE = `(folder.role_source <> 'view' AND (folder.problem IS NOT NULL OR ((folder.uid_validity > 0 OR folder.uid_next > 0) AND NOT folder.is_complete)))`;

/**
 * Whether an account has a folder that cannot be read, or of which its server counts more messages than it lists: what is
 * not listed is not in the ledger either, whose sum is less than the mailbox then.
 * @param account an SQL expression of its id
 */
export const hasIncompleteFolders = (account: string): string =>
  `EXISTS (SELECT 1 FROM imap_folders folder
    WHERE folder.account_id = ${account} AND ${IS_INCOMPLETE})`;

/** The paths of these folders, as an SQL expression. */
export const incompleteFolders = (account: string): string =>
  `ARRAY(SELECT folder.path FROM imap_folders folder
    WHERE folder.account_id = ${account} AND ${IS_INCOMPLETE} ORDER BY folder.path LIMIT 100)`;
