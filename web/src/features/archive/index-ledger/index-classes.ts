import type { Schemas } from '@mailroom/sdk';

/** Classes of the index, in the order in which they are shown, and the names of their numbers. */
export const CLASSES = [
  ['indexed', 'indexed'],
  ['waiting', 'waiting'],
  ['failed', 'failed'],
  ['too-large', 'too_large'],
  ['encrypted', 'encrypted'],
  ['nothing', 'nothing'],
] as const;

export type IndexClass = (typeof CLASSES)[number][0];
export type IndexKind = Schemas['IndexItemResponse']['kind'];

/** The class of that name. */
export const knownClass = (name: string | undefined): IndexClass | undefined =>
  CLASSES.find(([known]) => known === name)?.[0];

/** Classes that can be read again. */
export const isRetried = (name: IndexClass): name is 'failed' | 'too-large' =>
  name === 'failed' || name === 'too-large';

/** Reasons that have a text. */
const REASONS = [
  'missing',
  'altered',
  'unparsed',
  'refused',
  'text-limit',
  'size-limit',
  'time-limit',
  'unpacked-limit',
  'nesting-limit',
  'damaged',
  'member-damaged',
  'pictures',
  'picture-limit',
  'picture-damaged',
  'member-limit',
  'crashed',
  'unreadable',
  'password',
  'mail',
] as const;

export type KnownReason = (typeof REASONS)[number];

/** The reason, if it has a text: a newer service may name others. */
export const knownReason = (reason: string): KnownReason | undefined =>
  REASONS.find((known) => known === reason);
