/**
 * The formats in which mail servers send copies. `copies`: each message is stored whole, whatever its header says.
 * `exchange-reports`: journal reports of Exchange are unwrapped.
 */
export const JOURNAL_FORMATS = ['copies', 'exchange-reports'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];
