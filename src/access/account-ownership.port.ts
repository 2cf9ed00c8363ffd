/** Answers whether an account belongs to a user; implemented by the accounts feature, never cached. */
export abstract class AccountOwnership {
  abstract owns(userId: string, accountId: string): Promise<boolean>;
}
