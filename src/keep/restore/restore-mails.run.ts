import { setMaxListeners } from 'node:events';
import type { MessageBudget } from '../../archive/mails/archiving/message-budget';
import type { MailContentReader } from '../../archive/mails/mail-content-reader';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { counter } from '../../platform/logging/metrics';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import type { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { LabelNames } from '../../mailbox/labels/label-names';
import type { Destinations } from './destinations/destinations';
import { MailRestorer } from './mail-restorer';
import type { MailboxDestination } from './mailbox-destination.port';
import type { ItemResult, OpenItem, RestoreItemsRepository } from './restore-items.repository';
import { COUNT_OF, type OutcomeCounts, outcomeCounts } from './restore-counts';
import type { RestoreOutcome } from './restore.entity';
import type { RestoreTimings } from './restore-timings';
import type { Restore, RestoresRepository } from './restores.repository';

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

export interface RestoreMailsServices {
  readonly restores: RestoresRepository;
  readonly items: RestoreItemsRepository;
  readonly destinations: Destinations;
  readonly contents: MailContentReader;
  readonly passphrases: PassphrasesService;
  readonly names: LabelNames;
  readonly budget: MessageBudget;
  readonly timings: RestoreTimings;
}

/** Puts the mails of a restore into its destination, oldest first. The mails' rows store the progress. */
export class RestoreMailsRun {
  private readonly outcomes = counter({
    name: 'mailroom_restore_messages_total',
    help: 'Mails that were put back into a mailbox, or not, by outcome',
    labelNames: ['outcome'],
  });

  /** @param passphrase of encrypted mails; null when there was none */
  constructor(
    private readonly restore: Restore,
    private readonly passphrase: string | null,
    private readonly job: JobContext,
    private readonly services: RestoreMailsServices,
  ) {}

  /** @throws the errors of the destination, PassphraseInvalid */
  async run(): Promise<OutcomeCounts> {
    const { restore, job } = this;
    const { destinations, budget } = this.services;
    // Every call and every wait for memory adds a listener.
    setMaxListeners(0, job.signal);
    const destination = await destinations.open(restore, job.signal);
    const room = budget.open(restore.userId, job.signal);
    try {
      const restorer = await this.newRestorer(destination);
      const work = async (item: OpenItem): Promise<ItemResult> => {
        await room.reserve(item.mailId, item.mail?.sizeBytes ?? 0);
        try {
          return await restorer.restoreItem(item);
        } finally {
          room.release(item.mailId);
        }
      };
      return await this.walk(destination, work);
    } finally {
      room.close();
      await destination.close();
    }
  }

  private async newRestorer(destination: MailboxDestination): Promise<MailRestorer> {
    const { restore, passphrase, job } = this;
    const { items, contents, passphrases, names, timings } = this.services;
    let unlocked: Promise<MailKeys> | null = null;
    const keys = (): Promise<MailKeys | null> =>
      passphrase === null
        ? Promise.resolve(null)
        : (unlocked ??= passphrases.unlock(restore.userId, passphrase));
    return new MailRestorer(restore, {
      items,
      contents,
      destination,
      names: await names.namesOf(restore.accountId),
      keys,
      settleMs: timings.settleMs,
      job,
    });
  }

  private async walk(
    destination: MailboxDestination,
    work: (item: OpenItem) => Promise<ItemResult>,
  ): Promise<OutcomeCounts> {
    const { restore, job } = this;
    const { restores, items: rows } = this.services;
    const counts = await this.countsBefore();
    for (;;) {
      job.throwIfCancelled();
      const open = await rows.listOpen(restore.accountId, restore.id, BATCH * destination.atOnce);
      if (open.length === 0) break;
      const pending = open.flatMap(({ state, position }) => (state === 'pending' ? [position] : []));
      const cursor = pending.length > 0 ? await destination.readCursor() : null;
      const positions = open.map(({ position }) => position);
      await job.checkpoint({ begun: positions } satisfies SavedBatch);
      if (pending.length > 0) await rows.markBegun(restore.id, pending, cursor, job.lease);
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
    await restores.setStatus(restore.id, 'done');
    return counts;
  }

  /** Counts of earlier jobs and attempts. Those of this job are included unless its process ended in between. */
  private async countsBefore(): Promise<OutcomeCounts> {
    const { job } = this;
    const { items } = this.services;
    const found = await items.countOutcomes(this.restore.id);
    const total = [...found.values()].reduce((sum, mails) => sum + mails, 0);
    job.setTotal(total);
    const counts = outcomeCounts(found);
    const saved = job.savedCheckpoint<SavedBatch>();
    if (saved) {
      for (const { mailId, outcome, reason } of await items.outcomesOf(this.restore.id, saved.begun))
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
