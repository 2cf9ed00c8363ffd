/** Answers whether accounts belong to a user; implemented by `mailbox`, never cached. */
export abstract class AccountOwnership {
  abstract owns(userId: string, accountId: string): Promise<boolean>;

  /** @param accountIds distinct */
  abstract ownsAll(userId: string, accountIds: readonly string[]): Promise<boolean>;
}
