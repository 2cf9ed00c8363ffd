import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HEADER_BYTES, MAGIC } from '../encryption/encrypted-file';
import { ArchiveStoreUnavailable, isDamage, ObjectMissing } from '../archive-storage/archive-store.errors';
import { ArchiveStore, ArchiveStores } from '../archive-storage/archive-store.port';
import { DomainError } from '../common/http/domain-error';
import type { Problem } from './integrity-run';
import { IntegrityTimings } from './integrity-run';
import { StoreFailure } from './integrity.errors';
import type { StoredMail } from '../archive/stored-mails.repository';

export interface FileVerdict {
  readonly problem: Problem | null;
  /** Bytes read. */
  readonly bytes: number;
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
   * @param options.retries whether a store that fails is asked again, see `IntegrityTimings`
   * @throws StoreFailure, or the signal's reason
   */
  async read(mail: StoredMail, signal: AbortSignal, options: { retries: boolean }): Promise<FileVerdict> {
    const store = await this.storeOf(mail);
    const retries = options.retries ? this.timings.storeRetriesMs : [];
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.readOnce(store, mail, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ObjectMissing) return { problem: 'missing', bytes: 0 };
        if (isDamage(error)) return { problem: 'altered', bytes: 0 };
        const wait = mayPass(error) ? retries[attempt] : undefined;
        if (wait === undefined) throw new StoreFailure(mail.storage, error);
        await delay(wait, undefined, { signal });
      }
    }
  }

  private async storeOf({ storage, userId }: StoredMail): Promise<ArchiveStore> {
    try {
      return await this.stores.named(storage, userId);
    } catch (error) {
      // Any other error comes from the database.
      throw error instanceof DomainError ? new StoreFailure(storage, error) : error;
    }
  }

  private async readOnce(store: ArchiveStore, mail: StoredMail, signal: AbortSignal): Promise<FileVerdict> {
    const hash = createHash('sha256');
    const size = mail.isEncrypted ? HEADER_BYTES + mail.sizeBytes : mail.sizeBytes;
    let start = Buffer.alloc(0);
    let bytes = 0;
    const stream = await store.get(mail.storageKey);
    const stop = (): void => void stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const chunk of stream) {
        bytes += (chunk as Buffer).length;
        if (bytes > size) return { problem: 'altered', bytes };
        if (start.length < MAGIC.length)
          start = Buffer.concat([start, chunk as Buffer]).subarray(0, MAGIC.length);
        hash.update(chunk as Buffer);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    // A file without the format's first bytes is not encrypted, whatever its row says.
    const isOfItsKind = !mail.isEncrypted || start.equals(MAGIC);
    const isWhole = isOfItsKind && bytes === size && hash.digest('hex') === mail.sha256;
    return { problem: isWhole ? null : 'altered', bytes };
  }
}

/** Refusals do not pass by themselves: somebody has to change something first. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof DomainError) || error instanceof ArchiveStoreUnavailable;
