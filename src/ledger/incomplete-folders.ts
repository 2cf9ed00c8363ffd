/**
 * Whether an account has a folder of which its server counts more messages than it lists: what is not listed is not in the
 * ledger either, whose sum is less than the mailbox then.
 * @param account an SQL expression of its id
 */
export const hasIncompleteFolders = (account: string): string =>
  `EXISTS (SELECT 1 FROM imap_folders folder
    WHERE folder.account_id = ${account} AND folder.uid_validity > 0 AND NOT folder.is_complete)`;
