/** File formats of Outlook that hold no message as it was sent. */
export const REBUILT_FORMATS = ['msg', 'pst'] as const;
export type RebuiltFormat = (typeof REBUILT_FORMATS)[number];

/** Source of a mail whose bytes were rebuilt from an Outlook file and are not those that were sent. See ADR 111. */
export interface RebuiltFrom {
  readonly format: RebuiltFormat;
  /** SHA-256 of the Outlook file, hex. */
  readonly sourceSha256: string;
  /** Identifier of the item in a data file (the number of its node); null: the file is the message. */
  readonly itemId: string | null;
}
