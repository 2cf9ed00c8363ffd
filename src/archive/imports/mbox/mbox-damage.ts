/** Reason why a message of an mbox file cannot be imported. */
export interface MboxDamage {
  /** Stable code of the reason. */
  readonly code: string;
  /** Description for people; the end of a sentence. */
  readonly reason: string;
}

export const CUT_OFF: MboxDamage = {
  code: 'compressed-file-cut-off',
  reason: 'the compressed file ends too early',
};
export const COMPRESSION_DAMAGED: MboxDamage = {
  code: 'compressed-file-damaged',
  reason: 'the compressed file is damaged from here on',
};
export const EMPTY: MboxDamage = { code: 'message-empty', reason: 'it is empty' };
export const UNREADABLE: MboxDamage = { code: 'message-unreadable', reason: 'it could not be read' };
export const NO_FROM_LINE: MboxDamage = {
  code: 'from-line-missing',
  reason: 'there is no From_ line before it',
};

/** A message beyond the limit, in bytes. */
export const largerThan = (limit: number): MboxDamage => ({
  code: 'import-message-too-large',
  reason: `it is larger than ${Math.floor(limit / 1024 / 1024)} MiB`,
});
