/** What a reader may ask about. */
export interface ReadableAccount {
  readonly accountId: string;
  /** Ids of the provider. */
  readonly messageIds: readonly string[];
  /** Archived mails whose files exist, with the conversations they are in. */
  readonly mails: readonly { readonly id: string; readonly threadId: string }[];
}

/** One kind of request, by the name it has in the figures. */
export interface Read {
  readonly name: string;
  /** How many of a hundred-odd requests are of this kind. */
  readonly weight: number;
  /** The path with its query, made anew for every request; null when the account has nothing of the kind. */
  readonly path: (account: ReadableAccount, random: Random) => string | null;
}

/** Repeatable, so that two runs ask for the same. */
export class Random {
  constructor(private seed: number) {}

  /** At least 0, below 1. */
  next(): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return this.seed / 2_147_483_647;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }
}
