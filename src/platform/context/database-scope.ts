/** For whom statements run, and what they may take. */
export interface DatabaseUse {
  readonly userId: string;
  /** The longest one statement may take. */
  readonly statementMs: number;
  /** Connections that one statement counts for in the user's share: more than one if it also keeps a processor busy. */
  readonly weight: number;
  /** The longest one may wait until fewer connections are in use for the user. */
  readonly turnMs: number;
  /** Ends that wait; asked for when there is one. */
  readonly turnSignal?: () => AbortSignal;
  /** Ends a statement that runs: only for lists, which no other request waits for. */
  readonly signal?: AbortSignal;
}

export interface DatabaseScope {
  readonly use: DatabaseUse;
  /** Whether a connection is in use already: what waits for another one while it holds one could wait for itself. */
  readonly isInTransaction: boolean;
}
