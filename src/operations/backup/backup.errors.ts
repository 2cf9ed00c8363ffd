/** Ends a backup or a restore with a message for the operator. */
export class BackupError extends Error {
  /** @param exitCode 1: failed; 2: completed, without the parts the message names */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'BackupError';
  }
}

/** A backup does not match its manifest; the message names the files. */
export class BackupDamaged extends BackupError {
  constructor(what: string, cause?: unknown) {
    super(`The backup is damaged: ${what}`, 1, { cause });
    this.name = 'BackupDamaged';
  }
}
