/** Ends a backup or a restore with one sentence for the operator. */
export class BackupError extends Error {
  /** @param exitCode 1: nothing came of it; 2: it is done, with what the sentence names left out */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'BackupError';
  }
}

/** A backup is not what its manifest says: names what is wrong. */
export class BackupDamaged extends BackupError {
  constructor(what: string, cause?: unknown) {
    super(`The backup is damaged: ${what}`, 1, { cause });
    this.name = 'BackupDamaged';
  }
}
