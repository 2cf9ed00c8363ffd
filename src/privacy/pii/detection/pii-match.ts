/** What is looked for, in the order in which overlapping finds are preferred. */
export const PII_TYPES = ['iban', 'credit_card', 'french_ssn', 'phone_fr', 'password_plain'] as const;

export type PiiType = (typeof PII_TYPES)[number];

/** The same, in the order in which they are told. */
export const LISTED_TYPES: readonly PiiType[] = [
  'credit_card',
  'iban',
  'french_ssn',
  'password_plain',
  'phone_fr',
];

/** A place in a text that holds personal data. */
export interface PiiSpan {
  readonly start: number;
  /** Exclusive, both in UTF-16 units. */
  readonly end: number;
}

export interface PiiMatch extends PiiSpan {
  readonly type: PiiType;
  /** As it stands in the text. Never leaves the thread that found it. */
  readonly value: string;
  /** The value with what is secret of it made asterisks; see `masks.ts`. */
  readonly masked: string;
}
