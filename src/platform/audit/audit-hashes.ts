import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { SecretBox } from '../crypto/secret-box';
import type { AuditEntryEntity } from './audit-entry.entity';

export type NewAuditEntry = Omit<AuditEntryEntity, 'hash'>;

/** The fields that go into an entry's hash; the time to the microsecond, as the database keeps it. */
export type HashedEntry = Omit<NewAuditEntry, 'occurredAt'> & {
  /** ISO 8601, UTC, six decimals. */
  readonly occurredAt: string;
};

/** The time of a new entry, which has milliseconds only. */
export const microseconds = (at: Date): string => at.toISOString().replace('Z', '000Z');

/**
 * The text that is hashed: the hash of the entry before, then the entry's fields in a fixed order, as JSON. Keys of the
 * details are sorted, because `jsonb` does not keep their order.
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
    sortKeys(entry.details),
  ]);
}

/** Objects as lists of their fields, sorted by name, so that equal objects have the same text. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return {
    fields: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sortKeys(field)]),
  };
}

/** The end of the log. */
export interface AuditHead {
  readonly sequence: number;
  /** Empty before the first entry. */
  readonly hash: Buffer;
  readonly mac: Buffer;
}

/**
 * HMAC-SHA-256 under keys derived from `ENCRYPTION_KEY`, which bind entries to one another and to the head. An attacker
 * who has the database alone cannot alter an entry or cut the log unnoticed. See ADR 24.
 */
@Injectable()
export class AuditHashes {
  constructor(private readonly secrets: SecretBox) {}

  /** @param previousHash of the entry before; empty for the first */
  ofEntry(entry: HashedEntry, previousHash: Buffer): Buffer {
    return Buffer.from(this.secrets.fingerprint(entryText(entry, previousHash), 'audit'), 'hex');
  }

  ofHead({ sequence, hash }: Pick<AuditHead, 'sequence' | 'hash'>): Buffer {
    return Buffer.from(this.secrets.fingerprint(`${sequence}:${hash.toString('hex')}`, 'audit-head'), 'hex');
  }

  isEntry(entry: HashedEntry & { readonly hash: Buffer }, previousHash: Buffer): boolean {
    return equal(this.ofEntry(entry, previousHash), entry.hash);
  }

  isHead(head: AuditHead): boolean {
    return equal(this.ofHead(head), head.mac);
  }
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** The head before the first entry. */
export const BLANK_HEAD: AuditHead = { sequence: 0, hash: Buffer.alloc(0), mac: Buffer.alloc(0) };

/** Whether a head is as it is before the first entry, or was reset to look like that. */
export const isBlank = ({ sequence, hash, mac }: AuditHead): boolean =>
  sequence === 0 && hash.length === 0 && mac.length === 0;
