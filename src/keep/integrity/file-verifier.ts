import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { HEADER_BYTES, MAGIC } from '../../archive/passphrases/encrypted-file';
import { ArchiveStoreUnavailable, isDamage, ObjectMissing } from '../../archive/files/archive-store.errors';
import { ArchiveStore, ArchiveStores } from '../../archive/files/archive-store.port';
import { type StoreAllowance, StoreTooSlow } from '../../archive/files/store-allowance';
import { DomainError } from '../../platform/http/domain-error';
import type { Problem } from './integrity-progress';
import { IntegrityTimings } from './integrity-timings';
import { StoreFailure } from './integrity.errors';
import type { StoredMail } from '../../archive/mails/stored-mails';
import { delay } from '../../platform/concurrency/timers';

export interface FileVerdict {
  readonly problem: Problem | null;
  /** Bytes read. */
  readonly bytes: number;
}

export interface VerifyOptions {
  /** Whether a store that fails is asked again, see `IntegrityTimings`. */
  readonly retries: boolean;
  /** Time left for the mail's object store; null for the local disk. */
  readonly allowance: StoreAllowance | null;
}

/** Verifies the hashes of archived files. */
@Injectable()
export class FileVerifier {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly timings: IntegrityTimings,
  ) {}

  /**
   * Hashes the file of a mail as a stream, in constant memory. The row has the hash of the stored bytes: of an encrypted
   * mail that of the encrypted file, which must also begin like one.
   * @throws StoreFailure, or the signal's reason
   */
  async read(mail: StoredMail, signal: AbortSignal, options: VerifyOptions): Promise<FileVerdict> {
    const store = await this.storeOf(mail);
    const retries = options.retries ? this.timings.storeRetriesMs : [];
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.readOnce(store, mail, signal, options.allowance);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ObjectMissing) return { problem: 'missing', bytes: 0 };
        if (isDamage(error)) return { problem: 'altered', bytes: 0 };
        const wait = isRetryable(error) ? retries[attempt] : undefined;
        if (wait === undefined) throw new StoreFailure(mail.storage, error);
        await delay(wait, undefined, { signal });
      }
    }
  }

  private async storeOf({ storage, userId }: StoredMail): Promise<ArchiveStore> {
    try {
      return await this.stores.find(storage, userId);
    } catch (error) {
      // Any other error comes from the database.
      throw error instanceof DomainError ? new StoreFailure(storage, error) : error;
    }
  }

  private async readOnce(
    store: ArchiveStore,
    mail: StoredMail,
    signal: AbortSignal,
    allowance: StoreAllowance | null,
  ): Promise<FileVerdict> {
    const hash = createHash('sha256');
    const size = mail.isEncrypted ? HEADER_BYTES + mail.sizeBytes : mail.sizeBytes;
    let start = Buffer.alloc(0);
    let bytes = 0;
    const open = (ending: AbortSignal): Promise<AsyncIterable<Buffer>> =>
      store.get(mail.storageKey, undefined, { signal: ending });
    for await (const chunk of allowance ? allowance.readStream(open, signal) : await open(signal)) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > size) return { problem: 'altered', bytes };
      if (start.length < MAGIC.length) start = Buffer.concat([start, chunk]).subarray(0, MAGIC.length);
      hash.update(chunk);
    }
    // A file without the format's first bytes is not encrypted, whatever its row says.
    const isOfItsKind = !mail.isEncrypted || start.equals(MAGIC);
    const isWhole = isOfItsKind && bytes === size && hash.digest('hex') === mail.sha256;
    return { problem: isWhole ? null : 'altered', bytes };
  }
}

/** Whether a repetition may succeed. A refusal stays until someone changes the store's settings. */
const isRetryable = (error: unknown): boolean =>
  !(error instanceof DomainError) ||
  (error instanceof ArchiveStoreUnavailable && !(error instanceof StoreTooSlow));
