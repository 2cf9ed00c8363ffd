import { Injectable } from '@nestjs/common';
import { countFitting } from '../storage-quota';
import { StorageQuotasService } from '../storage-quotas.service';
import { ObjectMissing } from '../../files/archive-store.errors';
import { ArchiveStores } from '../../files/archive-store.port';
import { newMailId, storageKey } from '../../files/storage-key';
import { ArchiveWritesRepository } from './archive-writes.repository';
import { ContentMacs } from './content-macs';
import { EnvelopesRepository } from './envelopes.repository';
import { type Duplicates, ImportIdentities } from './import-identities';
import type {
  ArchiveOwner,
  ExistingMail,
  MailToArchive,
  NewArchivedMail,
  RecognisedMail,
} from './mail-to-archive';

/** Plan of what happens to each mail of a batch. */
export interface BatchPlan {
  /** Mails whose files are to be written, in the order given. */
  readonly added: readonly NewArchivedMail[];
  /** Mails that some of `added` replace, by message id. */
  readonly replaced: ReadonlyMap<string, ExistingMail>;
  readonly refreshed: readonly NewArchivedMail[];
  /** Mails the account has already, and their names there; null for a mail that is twice in the batch. */
  readonly duplicates: readonly RecognisedMail[];
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
    private readonly envelopes: EnvelopesRepository,
    private readonly identities: ImportIdentities,
    private readonly macs: ContentMacs,
    private readonly quotas: StorageQuotasService,
    private readonly stores: ArchiveStores,
  ) {}

  /** @param storage the store of new files */
  async plan(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    storage: string,
    options: {
      readonly replace: boolean;
      readonly skipDuplicates?: boolean;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<BatchPlan> {
    const sorted = options.skipDuplicates
      ? this.planImport(owner, mails, storage)
      : await this.sort(owner, mails, storage, options);
    const duplicates: Duplicates = options.skipDuplicates
      ? await this.identities.compare(owner, sorted.added, options.signal ?? new AbortController().signal)
      : new Map();
    const wanted = sorted.added.filter(({ id }) => !duplicates.has(id));
    const room = wanted.length === 0 ? 0 : await this.countWithinQuota(owner, wanted, sorted.replaced);
    return {
      ...sorted,
      added: wanted.slice(0, room),
      duplicates: toRecognised(sorted.added, duplicates),
      refused: wanted.slice(room).map(({ mail }) => mail.messageId),
    };
  }

  private async countWithinQuota(
    owner: ArchiveOwner,
    added: readonly NewArchivedMail[],
    replaced: ReadonlyMap<string, ExistingMail>,
  ): Promise<number> {
    const { usedBytes, quotaBytes } = await this.quotas.getUsage(owner.userId);
    const growths = added.map(({ mail }) => growthOf(mail, replaced.get(mail.messageId)?.sizeBytes));
    return countFitting(growths, quotaBytes - usedBytes);
  }

  /** Imported mail replaces nothing: what is in the archive already is found by its content. */
  private planImport(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    storage: string,
  ): Pick<BatchPlan, 'added' | 'replaced' | 'refreshed'> {
    const added = mails.map((mail) => this.assignKey(owner, storage, mail));
    return { added, replaced: new Map(), refreshed: [] };
  }

  private async sort(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    storage: string,
    { replace, signal }: { readonly replace: boolean; readonly signal?: AbortSignal },
  ): Promise<Pick<BatchPlan, 'added' | 'replaced' | 'refreshed'>> {
    const added: NewArchivedMail[] = [];
    const refreshed: NewArchivedMail[] = [];
    const replaced = new Map<string, ExistingMail>();
    const found = await this.repository.findByMessageIds(
      owner.accountId,
      mails.map(({ messageId }) => messageId),
    );
    const existing = new Map(found.map((mail) => [mail.messageId, mail]));
    for (const mail of mails) {
      const earlier = existing.get(mail.messageId);
      if (!earlier) {
        added.push(this.assignKey(owner, storage, mail));
      } else if (replace && !earlier.isEncrypted) {
        if (await this.isUnchanged(earlier, mail, signal)) {
          const { id, storageKey: key } = earlier;
          const contentMac = this.macs.of(owner.accountId, mail.parsed);
          refreshed.push({
            id,
            storage: earlier.storage,
            storageKey: key,
            name: mail.messageId,
            contentMac,
            mail,
          });
          continue;
        }
        added.push(this.assignKey(owner, storage, mail));
        replaced.set(mail.messageId, earlier);
      }
    }
    // The message that the mailbox has takes the place of its copy that came by SMTP. See ADR 114.
    const fresh = added.filter(({ mail }) => !replaced.has(mail.messageId));
    const copied = await this.envelopes.findCopied(owner.accountId, fresh);
    for (const [messageId, earlier] of copied) replaced.set(messageId, earlier);
    return { added, replaced, refreshed };
  }

  /** Gives a mail an unused id and storage key, both of its arrival. */
  private assignKey(owner: ArchiveOwner, storage: string, mail: MailToArchive): NewArchivedMail {
    const id = newMailId(mail.receivedAt);
    return {
      id,
      storage,
      storageKey: storageKey(owner.userId, owner.accountId, mail.receivedAt, id),
      name: mail.messageId,
      contentMac: this.macs.of(owner.accountId, mail.parsed),
      mail,
    };
  }

  private async isUnchanged(
    earlier: ExistingMail,
    mail: MailToArchive,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (earlier.sha256 !== mail.parsed.sha256 || earlier.threadId !== mail.threadId) return false;
    if (earlier.receivedAt.getTime() !== mail.receivedAt.getTime()) return false;
    const store = await this.stores.find(earlier.storage);
    // One byte more, so that a longer file is noticed without being read.
    const atMost = earlier.sizeBytes + 1;
    try {
      return (await store.hash(earlier.storageKey, { signal, atMost })) === earlier.sha256;
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

export function toRecognised(mails: readonly NewArchivedMail[], duplicates: Duplicates): RecognisedMail[] {
  return mails.flatMap(({ id, mail: { messageId, envelope } }) => {
    const name = duplicates.get(id);
    return name === undefined ? [] : [{ messageId, name, ...(envelope ? { envelope } : {}) }];
  });
}
