/** Answers whether accounts belong to a user; implemented by `mailbox`. */
export abstract class AccountOwnership {
  /** Whether that was read within the last two seconds, and the account has not been deleted since. */
  abstract isKnown(userId: string, accountId: string): boolean;

  /** At most two seconds behind the database. */
  abstract owns(userId: string, accountId: string): Promise<boolean>;

  /** Reads the database. @param accountIds distinct */
  abstract ownsAll(userId: string, accountIds: readonly string[]): Promise<boolean>;
}
