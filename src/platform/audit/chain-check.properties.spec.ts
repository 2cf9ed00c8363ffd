import { allowForExamples, anyUtf16, fc, holds } from '../../../test/support/properties';
import { SecretBox } from '../crypto/secret-box';
import type { AppConfig } from '../config/app-config';
import { AuditHashes, type AuditHead } from './audit-hashes';
import { ChainCheck, LOOK_AHEAD, type StoredEntry } from './chain-check';

allowForExamples();

const hashes = new AuditHashes(
  new SecretBox({ secrets: { encryptionKey: Buffer.alloc(32, 9) } } as AppConfig),
);

const act = fc.record({
  id: fc.uuid(),
  occurredAt: fc.constantFrom('2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000001Z'),
  action: fc.constantFrom('label.created', 'auth.signed-in', 'mail.deleted'),
  outcome: fc.constantFrom('success', 'failure'),
  actorKind: fc.constantFrom('user', 'service'),
  actorId: fc.option(fc.uuid()),
  userId: fc.option(fc.uuid()),
  accountId: fc.constant(null),
  targetType: fc.constant('label'),
  targetId: anyUtf16(8),
  address: fc.constant(null),
  requestId: fc.constant(null),
  apiKeyId: fc.constant(null),
  jobId: fc.constant(null),
  details: fc.dictionary(
    fc.constantFrom('a', 'b', 'fields'),
    fc.oneof(fc.integer(), anyUtf16(5), fc.constant({ a: 1 })),
    { maxKeys: 3 },
  ),
});

interface Log {
  readonly entries: StoredEntry[];
  readonly head: AuditHead;
}

/** The log as the service writes it. */
function written(acts: readonly object[]): Log {
  const entries: StoredEntry[] = [];
  let before: Buffer = Buffer.alloc(0);
  for (const [index, fields] of acts.entries()) {
    const entry = { ...fields, sequence: index + 1 } as unknown as StoredEntry;
    before = hashes.ofEntry(entry, before);
    entries.push({ ...entry, hash: before });
  }
  const end = { sequence: entries.length, hash: before };
  return { entries, head: { ...end, mac: hashes.ofHead(end) } };
}

/** The first problem that the check finds in a log, or null. */
function verdict({ entries, head }: Log): string | null {
  const check = new ChainCheck(hashes, head);
  for (const [index, entry] of entries.entries()) {
    const misfit = check.checkEntry(entry, entries.slice(index + 1, index + 1 + LOOK_AHEAD));
    if (misfit !== null) return misfit;
  }
  return check.checkEnd();
}

const renumbered = (entries: readonly StoredEntry[]): StoredEntry[] =>
  entries.map((entry, index) => ({ ...entry, sequence: index + 1 }));

/** Changes that are possible with the database alone. */
const TAMPERINGS: Readonly<Record<string, (log: Log, at: number, other: number) => Log>> = {
  'an entry altered': ({ entries, head }, at) => ({ head, entries: entries.with(at, { ...entries[at]!, action: 'altered' }) }),
  'details altered': ({ entries, head }, at) => ({ head, entries: entries.with(at, { ...entries[at]!, details: { altered: true } }) }),
  'a hash altered': ({ entries, head }, at) => ({ head, entries: entries.with(at, { ...entries[at]!, hash: Buffer.alloc(32) }) }),
  'an entry deleted': ({ entries, head }, at) => ({ head, entries: entries.toSpliced(at, 1) }),
  'an entry deleted, the rest renumbered': ({ entries, head }, at) => ({ head, entries: renumbered(entries.toSpliced(at, 1)) }),
  'the end cut': ({ entries, head }, at) => ({ head, entries: entries.slice(0, at) }),
  'the end cut and the head put back': ({ entries, head }, at) => {
    const last = entries[at - 1];
    return { entries: entries.slice(0, at), head: { ...head, sequence: at, hash: last?.hash ?? Buffer.alloc(0) } };
  },
  'an entry repeated': ({ entries, head }, at) => ({ head, entries: renumbered(entries.toSpliced(at, 0, entries[at]!)) }),
  'two entries exchanged': ({ entries, head }, at, other) => {
    const one = at === other ? (at + 1) % entries.length : other;
    return { head, entries: renumbered(entries.with(at, entries[one]!).with(one, entries[at]!)) };
  },
}; // prettier-ignore

describe('the chain of the audit log', () => {
  const log = fc.array(act, { minLength: 2, maxLength: 8 }).map(written);

  it('should be intact as written, and as the database returns it', () => {
    holds(
      100,
      fc.property(log, ({ entries, head }) => {
        expect(verdict({ entries, head })).toBeNull();
        // Fields of JSON come back in an order of their own.
        const stored = entries.map((entry) => ({
          ...entry,
          details: Object.fromEntries(Object.entries(entry.details).reverse()),
        }));
        expect(verdict({ entries: stored, head })).toBeNull();
      }),
    );
  });

  it.each(Object.keys(TAMPERINGS))('should detect %s', (what) => {
    holds(
      50,
      fc.property(log, fc.nat(), fc.nat(), (whole, at, other) => {
        const { length } = whole.entries;
        const tampered = TAMPERINGS[what]!(whole, at % length, other % length);
        expect(verdict(tampered)).toMatch(/^(?:Entr|The end|Nothing)/);
      }),
    );
  });
});
