import type { ReadDamage } from '../containers/read-damage';

export const EMPTY: ReadDamage = { code: 'message-empty', reason: 'it is empty' };
export const MESSAGE_CUT_OFF: ReadDamage = { code: 'message-cut-off', reason: 'its end is missing' };
export const UNREADABLE: ReadDamage = { code: 'message-unreadable', reason: 'it could not be read' };
export const NO_FROM_LINE: ReadDamage = {
  code: 'from-line-missing',
  reason: 'there is no From_ line before it',
};

/** A message beyond the limit, in bytes. */
export const largerThan = (limit: number): ReadDamage => ({
  code: 'import-message-too-large',
  reason: `it is larger than ${Math.floor(limit / 1024 / 1024)} MiB`,
});
