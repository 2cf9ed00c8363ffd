/** Exclusions an account may have. */
export const MAX_EXCLUSIONS = 50;

/** Without a choice: what people do not miss, and drafts, of which each change makes another message. */
export const DEFAULT_EXCLUSIONS: readonly string[] = ['spam', 'trash', 'drafts'];

const HOUR_MS = 60 * 60_000;
const UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS } as const;
/** A hundred years. */
const MAX_AGE_MS = 36_500 * UNIT_MS.d;
/** Longer than any provider's label id, and short enough to be stored. */
const MAX_LABEL = 255;
const MAX_SENDER = 320;

type Condition =
  | { readonly kind: 'label'; readonly labelId: string }
  /** An address, or `@` and a domain; lower-case. */
  | { readonly kind: 'sender'; readonly sender: string }
  | { readonly kind: 'larger_than'; readonly bytes: number }
  | { readonly kind: 'older_than'; readonly ms: number }
  | { readonly kind: 'younger_than'; readonly ms: number };

/** Which messages are not copied. */
export type Exclusion = Condition & {
  /** Text as it was written; the ledger names the exclusion by it. */
  readonly text: string;
};

/** Facts about a message; null: not known yet. */
export interface MessageFacts {
  readonly labelIds: readonly string[];
  /** The address of the sender, in any case; empty when there is none. */
  readonly sender: string | null;
  readonly sizeBytes: number | null;
  /** When the provider accepted it. */
  readonly date: Date | null;
}

export type ExclusionVerdict =
  | { readonly kind: 'copy' }
  | {
      readonly kind: 'exclude';
      readonly exclusion: string;
      /** When it has to be judged again; null: only when something changes. */
      readonly until: Date | null;
    }
  /** The message has to be fetched to find out. */
  | { readonly kind: 'unknown' };

const LABELS: Readonly<Record<string, string>> = { spam: 'SPAM', trash: 'TRASH', drafts: 'DRAFT' };

/**
 * Reads an exclusion: `spam`, `trash`, `drafts`, `label:<id>`, `sender:<address>`, `sender:@<domain>`,
 * `larger_than:<bytes>`, `older_than:<n>d`, `younger_than:<n>h` or `<n>d`.
 * @returns null when it is none of these
 */
export function parseExclusion(text: string): Exclusion | null {
  const system = Object.hasOwn(LABELS, text) ? LABELS[text] : undefined;
  if (system !== undefined) return { kind: 'label', labelId: system, text };
  const [, kind, value = ''] = /^([a-z_]+):(.+)$/su.exec(text) ?? [];
  const condition = kind === undefined ? null : conditionOf(kind, value);
  return condition && { ...condition, text };
}

/** The exclusions of an account that are valid: those of a later version are passed over. */
export function parseExclusions(texts: readonly string[]): Exclusion[] {
  return texts.flatMap((text) => parseExclusion(text) ?? []);
}

function conditionOf(kind: string, value: string): Condition | null {
  switch (kind) {
    case 'label':
      return value.length <= MAX_LABEL && /^[^\p{Cc}\p{Cs}]+$/u.test(value) ? { kind, labelId: value } : null;
    case 'sender':
      return isSender(value) ? { kind, sender: value.toLowerCase() } : null;
    case 'larger_than':
      return /^[1-9]\d{0,11}$/.test(value) ? { kind, bytes: Number(value) } : null;
    case 'older_than':
    case 'younger_than': {
      const ms = durationOf(value);
      return ms === null ? null : { kind, ms };
    }
    default:
      return null;
  }
}

const isSender = (value: string): boolean =>
  value.length <= MAX_SENDER && /^[^\s@\p{Cc}\p{Cs}]*@[^\s@\p{Cc}\p{Cs}]+$/u.test(value);

function durationOf(value: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,5})([hd])$/.exec(value) ?? [];
  if (count === undefined) return null;
  const ms = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms <= MAX_AGE_MS ? ms : null;
}

/** Most characters of an exclusion that the ledger keeps. */
const LEDGER_NAME = 64;

/** Name of an exclusion in the ledger: its text, cut if it is very long. */
export const ledgerName = (text: string): string =>
  text.length <= LEDGER_NAME ? text : `${text.slice(0, LEDGER_NAME - 1)}…`;

/**
 * Whether a message is copied: the first exclusion that matches counts. One that cannot be judged yet is passed over; it
 * matters only if no other matches.
 */
export function judge(exclusions: readonly Exclusion[], facts: MessageFacts, now: Date): ExclusionVerdict {
  let isUnknown = false;
  for (const exclusion of exclusions) {
    const match = matchOf(exclusion, facts, now);
    if (match === null) isUnknown = true;
    else if (match) return { kind: 'exclude', exclusion: exclusion.text, until: endOf(exclusion, facts) };
  }
  return isUnknown ? { kind: 'unknown' } : { kind: 'copy' };
}

/** null: cannot be said yet. */
function matchOf(exclusion: Exclusion, facts: MessageFacts, now: Date): boolean | null {
  switch (exclusion.kind) {
    case 'label':
      return facts.labelIds.includes(exclusion.labelId);
    case 'sender':
      return facts.sender === null ? null : isFrom(facts.sender.toLowerCase(), exclusion.sender);
    case 'larger_than':
      return facts.sizeBytes === null ? null : facts.sizeBytes > exclusion.bytes;
    case 'older_than':
      return facts.date === null ? null : now.getTime() - facts.date.getTime() > exclusion.ms;
    case 'younger_than':
      return facts.date === null ? null : now.getTime() - facts.date.getTime() < exclusion.ms;
  }
}

const isFrom = (sender: string, wanted: string): boolean =>
  wanted.startsWith('@') ? sender.endsWith(wanted) : sender === wanted;

const endOf = (exclusion: Exclusion, { date }: MessageFacts): Date | null =>
  exclusion.kind === 'younger_than' && date !== null ? new Date(date.getTime() + exclusion.ms) : null;
