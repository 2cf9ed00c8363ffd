import { Injectable } from '@nestjs/common';
import { countFitting } from '../storage-quota';
import { StorageQuotasService } from '../storage-quotas.service';
import { ObjectMissing } from '../../archive-storage/archive-store.errors';
import { ArchiveStores } from '../../archive-storage/archive-store.port';
import { newMailId, storageKey } from '../../archive-storage/storage-key';
import { ArchiveWritesRepository } from './archive-writes.repository';
import { DuplicatesRepository } from './duplicates.repository';
import { ArchiveOwner, ExistingMail, MailToArchive, NewArchivedMail, storableDate } from './mail-to-archive';

/** What happens to each mail of a batch. */
export interface BatchPlan {
  /** Mails whose files are to be written, in the order given. */
  readonly added: readonly NewArchivedMail[];
  /** By message id, the mails some of `added` take the place of. */
  readonly replaced: ReadonlyMap<string, ExistingMail>;
  readonly refreshed: readonly NewArchivedMail[];
  /** Message ids of mails the account has under another id. */
  readonly duplicates: readonly string[];
  /** Message ids for which there seems to be no room. */
  readonly refused: readonly string[];
}

/**
 * Decides what happens to each mail of a batch before any file is written. Others may be writing: the transaction that
 * writes the rows checks rows, duplicates and room again.
 */
@Injectable()
export class WritePlanner {
  constructor(
    private readonly repository: ArchiveWritesRepository,
    private readonly duplicates: DuplicatesRepository,
    private readonly quotas: StorageQuotasService,
    private readonly stores: ArchiveStores,
  ) {}

  /** @param storage where new files go */
  async plan(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    storage: string,
    options: { readonly replace: boolean; readonly skipDuplicates?: boolean },
  ): Promise<BatchPlan> {
    const sorted = await this.sort(owner, mails, storage, options.replace);
    const duplicates = options.skipDuplicates
      ? await this.duplicates.among(owner.accountId, sorted.added)
      : new Set<string>();
    const wanted = sorted.added.filter(({ mail }) => !duplicates.has(mail.messageId));
    const room = wanted.length === 0 ? 0 : await this.fitting(owner, wanted, sorted.replaced);
    return {
      ...sorted,
      added: wanted.slice(0, room),
      duplicates: [...duplicates],
      refused: wanted.slice(room).map(({ mail }) => mail.messageId),
    };
  }

  private async fitting(
    owner: ArchiveOwner,
    added: readonly NewArchivedMail[],
    replaced: ReadonlyMap<string, ExistingMail>,
  ): Promise<number> {
    const { usedBytes, quotaBytes } = await this.quotas.usage(owner.userId);
    const growths = added.map(({ mail }) => growthOf(mail, replaced.get(mail.messageId)?.sizeBytes));
    return countFitting(growths, quotaBytes - usedBytes);
  }

  private async sort(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    storage: string,
    replace: boolean,
  ): Promise<Pick<BatchPlan, 'added' | 'replaced' | 'refreshed'>> {
    const added: NewArchivedMail[] = [];
    const refreshed: NewArchivedMail[] = [];
    const replaced = new Map<string, ExistingMail>();
    const found = await this.repository.findByMessageIds(
      owner.accountId,
      mails.map(({ messageId }) => messageId),
    );
    const existing = new Map(found.map((mail) => [mail.messageId, mail]));
    for (const given of mails) {
      const mail = { ...given, date: storableDate(given.date, new Date()) };
      const earlier = existing.get(mail.messageId);
      if (!earlier) {
        added.push(placed(owner, storage, mail));
      } else if (replace && !earlier.isEncrypted) {
        if (await this.isUnchanged(earlier, mail)) {
          const { id, storageKey: key } = earlier;
          refreshed.push({ id, storage: earlier.storage, storageKey: key, mail });
          continue;
        }
        added.push(placed(owner, storage, mail));
        replaced.set(mail.messageId, earlier);
      }
    }
    return { added, replaced, refreshed };
  }

  private async isUnchanged(earlier: ExistingMail, mail: MailToArchive): Promise<boolean> {
    if (earlier.sha256 !== mail.parsed.sha256 || earlier.threadId !== mail.threadId) return false;
    if (earlier.date.getTime() !== mail.date.getTime()) return false;
    const store = await this.stores.named(earlier.storage);
    try {
      return (await store.hash(earlier.storageKey)) === earlier.sha256;
    } catch (error) {
      // Lost, or deleted since its row was read: the transaction finds the row replaced, gone or encrypted.
      if (error instanceof ObjectMissing) return false;
      throw error;
    }
  }
}

/** Bytes by which the archive grows with a mail that may take the place of another. */
export function growthOf(mail: MailToArchive, replacedBytes = 0): number {
  return mail.raw.length - replacedBytes;
}

/** Gives a mail an id and a key that nobody has used. */
function placed(owner: ArchiveOwner, storage: string, mail: MailToArchive): NewArchivedMail {
  const id = newMailId(mail.date);
  return { id, storage, storageKey: storageKey(owner.userId, owner.accountId, mail.date, id), mail };
}
