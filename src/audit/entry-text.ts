import type { AuditEntryEntity } from './audit-entry.entity';

export type NewAuditEntry = Omit<AuditEntryEntity, 'hash'>;

/** An entry as its hash is taken of; the time apart, which the database knows to the microsecond. */
export type HashedEntry = Omit<NewAuditEntry, 'occurredAt'> & {
  /** ISO 8601, UTC, six decimals. */
  readonly occurredAt: string;
};

/** The time of an entry that was just made: the database keeps microseconds, of which we know the milliseconds. */
export const microseconds = (at: Date): string => at.toISOString().replace('Z', '000Z');

/**
 * What an entry's hash is taken of: its fields in a fixed order, as JSON, after the hash of the entry before. Keys of
 * the details are sorted: `jsonb` does not keep their order.
 */
export function entryText(entry: HashedEntry, previousHash: Buffer): string {
  return JSON.stringify([
    previousHash.toString('hex'),
    entry.sequence,
    entry.id,
    entry.occurredAt,
    entry.action,
    entry.outcome,
    entry.actorKind,
    entry.actorId,
    entry.userId,
    entry.accountId,
    entry.targetType,
    entry.targetId,
    entry.address,
    entry.requestId,
    entry.apiKeyId,
    entry.jobId,
    sorted(entry.details),
  ]);
}

/** Objects as lists of their fields, sorted by name, so that equal ones have one text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return {
    fields: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  };
}
