import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { SecretBox } from '../common/crypto/secret-box';
import { entryText, HashedEntry } from './entry-text';

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
