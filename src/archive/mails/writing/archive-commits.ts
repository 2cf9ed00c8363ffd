import { Injectable } from '@nestjs/common';
import { Transaction, Transactions } from '../../../platform/database/transactions';
import { MailboxAccountGone } from '../archive.errors';
import { mergeEnvelopes } from '../mail-envelope';
import { countFitting } from '../storage-quota';
import { StorageQuotasService } from '../storage-quotas.service';
import { FileDeletions, type FileToDelete } from '../../files/file-deletions';
import type { ReservedFiles } from '../../files/reserved-files';
import { ArchiveLock } from './archive-lock';
import { ArchiveWritesRepository, type ReplaceableMail } from './archive-writes.repository';
import { EnvelopesRepository } from './envelopes.repository';
import { type Duplicates, ImportIdentities } from './import-identities';
import type { ArchiveOwner, NewArchivedMail, RecognisedMail } from './mail-to-archive';
import { type BatchPlan, growthOf, toRecognised } from './write-planner';

export interface CommitOptions {
  readonly skipDuplicates: boolean;
  /** Whether mails of the batch have been refused before: the transaction then reports that the quota is used up. */
  readonly refused: boolean;
}

export interface Committed {
  /** Names in the archive by ids. */
  readonly inserted: ReadonlyMap<string, string>;
  /** Ids of the refreshed mails. */
  readonly refreshed: ReadonlySet<string>;
  readonly duplicates: readonly RecognisedMail[];
  /** Message ids of the mails that did not fit into the quota. */
  readonly refused: readonly string[];
}

/** Writes the rows of a batch whose files lie in their store. */
@Injectable()
export class ArchiveCommits {
  constructor(
    private readonly archiveLock: ArchiveLock,
    private readonly repository: ArchiveWritesRepository,
    private readonly identities: ImportIdentities,
    private readonly envelopes: EnvelopesRepository,
    private readonly quotas: StorageQuotasService,
    private readonly fileDeletions: FileDeletions,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Commits a batch. Files of mails that get no row stay reserved.
   * @throws MailboxAccountGone; FilesLost when the files were reserved for too long
   */
  commit(
    owner: ArchiveOwner,
    plan: BatchPlan,
    files: ReservedFiles,
    options: CommitOptions,
  ): Promise<Committed> {
    return this.transactions.run((transaction) => this.commitIn(owner, plan, files, options, transaction));
  }

  private async commitIn(
    owner: ArchiveOwner,
    plan: BatchPlan,
    files: ReservedFiles,
    options: CommitOptions,
    transaction: Transaction,
  ): Promise<Committed> {
    if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
    const duplicates: Duplicates = options.skipDuplicates
      ? await this.identities.findDuplicates(owner.accountId, plan.added, transaction)
      : new Map();
    const others = plan.added.filter(({ id }) => !duplicates.has(id));
    const wanted = options.skipDuplicates
      ? await this.identities.assignNames(owner.accountId, others, transaction)
      : others;
    const { inserted, refused, replaced } = await this.insertWithinQuota(
      owner,
      { ...plan, added: wanted },
      options.refused,
      transaction,
    );
    const refreshed =
      plan.refreshed.length === 0
        ? new Set<string>()
        : await this.repository.refresh(owner.accountId, plan.refreshed, transaction);
    const kept = plan.added.filter(({ id }) => inserted.has(id)).map(({ storageKey }) => storageKey);
    await files.keep(kept, transaction);
    await this.fileDeletions.enqueue(filesOf(owner, replaced), transaction);
    const again = toRecognised(plan.added, duplicates);
    await this.envelopes.add(owner.accountId, [...plan.duplicates, ...again], transaction);
    const names = new Map(wanted.filter(({ id }) => inserted.has(id)).map(({ id, name }) => [id, name]));
    return { inserted: names, refreshed, duplicates: again, refused };
  }

  private async insertWithinQuota(
    owner: ArchiveOwner,
    plan: BatchPlan,
    refusedBefore: boolean,
    transaction: Transaction,
  ): Promise<{ inserted: Set<string>; refused: string[]; replaced: Located[] }> {
    if (plan.added.length === 0 && !refusedBefore) return { inserted: new Set(), refused: [], replaced: [] };
    const usage = await this.quotas.lock(owner.userId, transaction);
    const earlierIds = [...plan.replaced.values()].map(({ id }) => id);
    const replaceable =
      earlierIds.length === 0
        ? new Map<string, ReplaceableMail>()
        : await this.repository.lockReplaceable(owner.accountId, earlierIds, transaction);
    const replacedBy = ({ mail }: NewArchivedMail): ReplaceableMail | undefined =>
      replaceable.get(plan.replaced.get(mail.messageId)?.id ?? '');
    const growths = plan.added.map((entry) => growthOf(entry.mail, replacedBy(entry)?.sizeBytes));
    const room = countFitting(growths, usage.quotaBytes - usage.usedBytes);
    const fitting = plan.added.slice(0, room).map((entry) => keepEnvelope(entry, replacedBy(entry)));
    const refused = plan.added.slice(room).map(({ mail }) => mail.messageId);

    const replaced = fitting
      .map(({ mail }) => plan.replaced.get(mail.messageId))
      .filter((earlier) => earlier !== undefined && replaceable.has(earlier.id)) as Located[];
    if (replaced.length > 0) {
      const ids = replaced.map(({ id }) => id);
      await this.repository.deleteForReplacement(owner.accountId, ids, transaction);
    }
    const inserted =
      fitting.length === 0 ? new Set<string>() : await this.repository.insert(owner, fitting, transaction);
    const freed = replaced.reduce((sum, { id }) => sum + (replaceable.get(id)?.sizeBytes ?? 0), 0);
    const written = fitting.filter(({ id }) => inserted.has(id));
    const growth = written.reduce((sum, { mail }) => sum + mail.raw.length, -freed);
    const change = { growth, refused: refusedBefore || refused.length > 0 };
    await this.quotas.recordGrowth(usage, change, transaction);
    return { inserted, refused, replaced };
  }
}

/** A mail that takes the place of copied mail keeps its envelope. */
function keepEnvelope(entry: NewArchivedMail, replaced: ReplaceableMail | undefined): NewArchivedMail {
  const earlier = replaced?.envelope;
  if (!earlier) return entry;
  const envelope = entry.mail.envelope ? mergeEnvelopes(earlier, entry.mail.envelope) : earlier;
  return { ...entry, mail: { ...entry.mail, envelope } };
}

type Located = Pick<NewArchivedMail, 'id' | 'storage' | 'storageKey'>;

export function filesOf(owner: ArchiveOwner, mails: readonly Located[]): FileToDelete[] {
  return mails.map(({ storage, storageKey }) => ({ ...owner, storage, storageKey }));
}
