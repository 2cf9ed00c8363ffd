import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { MessageBudget } from '../../archive/mails/archiving/message-budget';
import { MailContentReader } from '../../archive/mails/mail-content-reader';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { counter } from '../../platform/logging/metrics';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import type { JobContext } from '../../platform/jobs/job-definition';
import { LabelNames } from '../../mailbox/labels/label-names';
import { Destinations } from './destinations/destinations';
import { MailRestorer } from './mail-restorer';
import type { MailboxDestination } from './mailbox-destination.port';
import { type ItemResult, type OpenItem, RestoreItemsRepository } from './restore-items.repository';
import { COUNT_OF, type OutcomeCounts, outcomeCounts } from './restore-counts';
import type { RestoreOutcome } from './restore.entity';
import { RestoreTimings } from './restore-timings';
import { type Restore, type RestoreOwner, RestoresRepository } from './restores.repository';

/**
 * Mails that are begun together, per mail that the destination takes at a time. After a kill it is not known whether these
 * mails were added, and none of them counts as done.
 */
const BATCH = 5;

interface ItemFailure {
  readonly code: string;
  readonly text: string;
}

/** Mails that are not in the destination now. */
const REASONS: Readonly<Partial<Record<RestoreOutcome, ItemFailure>>> = {
  'same-id-differs': {
    code: 'same-id-differs',
    text: 'Another message with the same Message-ID is there.',
  },
  'too-large': { code: 'mail-larger-than-mailbox', text: 'The mail is larger than the mailbox takes.' },
  encrypted: { code: 'mail-encrypted', text: 'The mail is encrypted, and there was no passphrase.' },
  damaged: { code: 'copy-damaged', text: 'The archived copy is missing or altered.' },
  failed: { code: 'mail-refused', text: 'The mailbox did not take the mail.' },
};

const MAILBOX_FULL: ItemFailure = {
  code: 'mailbox-full',
  text: 'The mailbox is full: it takes no more mail.',
};

interface SavedBatch {
  /** Positions of mails that were begun and whose outcomes may not have been counted. */
  readonly begun: readonly number[];
}

/** Puts the mails of a restore into its destination, oldest first. The mails' rows store the progress. */
@Injectable()
export class RestoreRunner {
  private readonly outcomes = counter({
    name: 'mailroom_restore_messages_total',
    help: 'Mails that were put back into a mailbox, or not, by outcome',
    labelNames: ['outcome'],
  });

  constructor(
    private readonly restores: RestoresRepository,
    private readonly items: RestoreItemsRepository,
    private readonly destinations: Destinations,
    private readonly contents: MailContentReader,
    private readonly passphrases: PassphrasesService,
    private readonly names: LabelNames,
    private readonly budget: MessageBudget,
    private readonly timings: RestoreTimings,
  ) {}

  /**
   * @param passphrase of encrypted mails; null when there was none
   * @throws ResourceNotFound, the errors of the destination, PassphraseInvalid
   */
  async run(
    owner: RestoreOwner,
    restoreId: string,
    passphrase: string | null,
    job: JobContext,
  ): Promise<OutcomeCounts> {
    const restore = await this.restores.findOwned(owner, restoreId);
    if (!restore) throw new ResourceNotFound('restore');
    // Every call and every wait for memory adds a listener.
    setMaxListeners(0, job.signal);
    const destination = await this.destinations.open(restore, job.signal);
    const room = this.budget.open(restore.userId, job.signal);
    try {
      let unlocked: Promise<MailKeys> | null = null;
      const keys = (): Promise<MailKeys | null> =>
        passphrase === null
          ? Promise.resolve(null)
          : (unlocked ??= this.passphrases.unlock(restore.userId, passphrase));
      const restorer = new MailRestorer(restore, {
        items: this.items,
        contents: this.contents,
        destination,
        names: await this.names.namesOf(restore.accountId),
        keys,
        settleMs: this.timings.settleMs,
        job,
      });
      const work = async (item: OpenItem): Promise<ItemResult> => {
        await room.reserve(item.mailId, item.mail?.sizeBytes ?? 0);
        try {
          return await restorer.restoreItem(item);
        } finally {
          room.release(item.mailId);
        }
      };
      return await this.walk(restore, destination, work, job);
    } finally {
      room.close();
      await destination.close();
    }
  }

  private async walk(
    restore: Restore,
    destination: MailboxDestination,
    work: (item: OpenItem) => Promise<ItemResult>,
    job: JobContext,
  ): Promise<OutcomeCounts> {
    const counts = await this.countsBefore(restore.id, job);
    for (;;) {
      job.throwIfCancelled();
      const open = await this.items.listOpen(restore.accountId, restore.id, BATCH * destination.atOnce);
      if (open.length === 0) break;
      const pending = open.flatMap(({ state, position }) => (state === 'pending' ? [position] : []));
      const cursor = pending.length > 0 ? await destination.readCursor() : null;
      const positions = open.map(({ position }) => position);
      await job.checkpoint({ begun: positions } satisfies SavedBatch);
      if (pending.length > 0) await this.items.markBegun(restore.id, pending, cursor, job.lease);
      const items = open.map((item) => (item.state === 'pending' ? { ...item, cursor } : item));
      await forEachConcurrently(conversationsOf(items), destination.atOnce, async (conversation) => {
        for (const item of conversation) {
          job.throwIfCancelled();
          const { outcome, reason } = await work(item);
          counts[COUNT_OF[outcome]] += 1;
          this.outcomes.inc({ outcome });
          count(job, item.mailId, outcome, reason);
        }
      });
      job.report({ ...counts });
      await job.checkpoint({ begun: [] } satisfies SavedBatch);
    }
    await this.restores.setStatus(restore.id, 'done');
    return counts;
  }

  /** Counts of earlier jobs and attempts. Those of this job are included unless its process ended in between. */
  private async countsBefore(restoreId: string, job: JobContext): Promise<OutcomeCounts> {
    const found = await this.items.countOutcomes(restoreId);
    const total = [...found.values()].reduce((sum, mails) => sum + mails, 0);
    job.setTotal(total);
    const counts = outcomeCounts(found);
    const saved = job.savedCheckpoint<SavedBatch>();
    if (saved) {
      for (const { mailId, outcome, reason } of await this.items.outcomesOf(restoreId, saved.begun))
        count(job, mailId, outcome, reason);
    } else job.progress({ processed: total - (found.get(null) ?? 0) });
    job.report({ ...counts });
    return counts;
  }
}

function count(job: JobContext, mailId: string, outcome: RestoreOutcome, reason: string | null): void {
  const failure = reason === MAILBOX_FULL.code ? MAILBOX_FULL : REASONS[outcome];
  if (failure === undefined) job.progress({ processed: 1 });
  else job.fail(mailId, failure.code, failure.text);
}

/** Groups mails by conversation, to be restored in order: the first one makes the conversation that the others join. */
function conversationsOf(items: readonly OpenItem[]): OpenItem[][] {
  const conversations = new Map<string, OpenItem[]>();
  for (const item of items) {
    const conversation = conversations.get(item.sourceThread);
    if (conversation) conversation.push(item);
    else conversations.set(item.sourceThread, [item]);
  }
  return [...conversations.values()];
}
