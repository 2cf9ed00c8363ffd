import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HEADER_BYTES, MAGIC } from '../encryption/encrypted-file';
import { ArchiveStoreUnavailable, ObjectMissing } from '../archive-storage/archive-store.errors';
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

/** What lies under the key cannot be read as a file, for ever and whatever else can be: a damaged sector, a folder. */
const DAMAGED = new Set(['EIO', 'EISDIR', 'ELOOP', 'EILSEQ']);

/** Reads archived files and says whether they are what was archived. */
@Injectable()
export class FileVerifier {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly timings: IntegrityTimings,
  ) {}

  /**
   * Hashes the file of a mail as a stream, in constant memory. The row's hash is that of the stored bytes, whatever
   * they are: of an encrypted mail that of the encrypted file, which also has to begin as such files do.
   * @param options.patient asks a store that fails again, see `IntegrityTimings`
   * @throws StoreFailure, or the signal's reason
   */
  async read(mail: StoredMail, signal: AbortSignal, options: { patient: boolean }): Promise<FileVerdict> {
    const store = await this.storeOf(mail);
    const retries = options.patient ? this.timings.storeRetriesMs : [];
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.readOnce(store, mail, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ObjectMissing) return { problem: 'missing', bytes: 0 };
        if (DAMAGED.has((error as NodeJS.ErrnoException).code ?? '')) return { problem: 'altered', bytes: 0 };
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
      // Anything else is the database's.
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
    // A mail that was not really encrypted is none of those its owner believes to be.
    const isOfItsKind = !mail.isEncrypted || start.equals(MAGIC);
    const isWhole = isOfItsKind && bytes === size && hash.digest('hex') === mail.sha256;
    return { problem: isWhole ? null : 'altered', bytes };
  }
}

/** Not what the store refuses: somebody has to change something first. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof DomainError) || error instanceof ArchiveStoreUnavailable;
