import type { NewAuditEntry } from './audit-entries.repository';

/** What an entry's hash is taken of: its fields in a fixed order, as JSON, after the hash of the entry before. */
export function entryText(entry: NewAuditEntry, previousHash: Buffer): string {
  return JSON.stringify([
    previousHash.toString('hex'),
    entry.sequence,
    entry.id,
    entry.occurredAt.toISOString(),
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
    Object.entries(entry.details).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
