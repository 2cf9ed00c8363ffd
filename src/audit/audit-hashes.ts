import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { SecretBox } from '../common/crypto/secret-box';
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

/** Where the record ends. */
export interface AuditHead {
  readonly sequence: number;
  /** Empty before the first entry. */
  readonly hash: Buffer;
  readonly mac: Buffer;
}

/**
 * What binds entries to one another and to their end: HMAC-SHA-256 under keys derived from `ENCRYPTION_KEY`. Whoever
 * has the database alone can neither alter an entry nor cut the record without its showing.
 */
@Injectable()
export class AuditHashes {
  constructor(private readonly secrets: SecretBox) {}

  /** Of an entry that follows one with this hash; empty: it is the first. */
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

/** Nothing has been recorded yet, or somebody wants to make believe so. */
export const isBlank = ({ sequence, hash, mac }: AuditHead): boolean =>
  sequence === 0 && hash.length === 0 && mac.length === 0;
