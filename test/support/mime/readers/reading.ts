/** The values of a message that readers are compared by. */
export interface Reading {
  readonly subject: string;
  /** Address of the first sender. */
  readonly sender: string;
  readonly date: string | null;
  /** Files with a name, and the sizes of their content, null where the reader states none. */
  readonly files: readonly NamedFile[];
  /** Words of the text. */
  readonly text: readonly string[];
}

export type NamedFile = readonly [name: string, size: number | null];

/** The answer of a reader in place of a value at which it has given up. */
export const GIVEN_UP = '!';

/** Reads messages in files. @returns null when the reader is not installed; null for a message that it does not read */
export type ReadFiles = (paths: readonly string[]) => Promise<(Reading | null)[] | null>;

export const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

export const toDate = (date: Date | null | undefined): string | null =>
  date && !Number.isNaN(date.getTime()) ? date.toISOString().replace('.000', '') : null;
