import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { type MemoryReservation, MessageBudget } from '../../../archive/mails/archiving/message-budget';
import { sizeOfOutcome } from '../../../archive/mails/archiving/archive-run';
import { streamRawMessages } from '../../../archive/mails/archiving/raw-message-stream';
import { type FetchOutcome, RawMessageFetcher } from '../../../archive/mails/archiving/raw-message-fetcher';
import { ArchiveWriter } from '../../../archive/mails/writing/archive-writer';
import type { MailToArchive } from '../../../archive/mails/writing/mail-to-archive';
import { RecoveredCopies } from '../../../archive/mails/writing/recovered-copies';
import { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import type { DueMessage, ExcludedMessage, Failure } from '../ledger/ledger';
import { LedgerService } from '../ledger/ledger.service';
import {
  type CallPriority,
  MailboxProviders,
  type ProviderAccount,
} from '../../../providers/port/mailbox-provider.port';
import { senderOf } from '../../../mailbox/index/message-columns';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import {
  type Exclusion,
  judge,
  ledgerName,
  type MessageFacts,
  parseExclusions,
  type ExclusionVerdict,
} from '../settings/exclusion';

/** This many consecutive unavailable messages mean that the provider is down. */
const OUTAGE = 10;

export interface CopyRequest {
  /** Messages taken from the ledger at a time. */
  readonly limit: number;
  /** No further message is fetched after it, epoch milliseconds. */
  readonly until?: number;
  readonly priority: CallPriority;
  readonly signal: AbortSignal;
  /** Called after each step, also when the pass fails later. */
  readonly onProgress?: (counts: CopyCounts) => void;
}

/** Counts of messages by their outcome. */
export interface CopyCounts {
  readonly copied: number;
  readonly bytes: number;
  /** Messages whose bytes the account had already, as imported mail or as mail whose message was gone. */
  readonly recovered: number;
  readonly excluded: number;
  readonly failed: number;
}

/** The result of one pass over the messages it took. */
export interface CopyPass extends CopyCounts {
  readonly taken: number;
  /** Whether the storage quota has no room: the remaining messages wait. */
  readonly isFull: boolean;
}

/** Copies messages that the ledger says are due. Messages that a pass does not finish are released, and are due again. */
@Injectable()
export class MessageCopier {
  constructor(
    private readonly ledger: LedgerService,
    private readonly index: MessageIndexService,
    private readonly providers: MailboxProviders,
    private readonly fetcher: RawMessageFetcher,
    private readonly recovered: RecoveredCopies,
    private readonly writer: ArchiveWriter,
    private readonly budget: MessageBudget,
    private readonly findings: IntegrityFindingsService,
  ) {}

  /**
   * Makes one pass over at most `limit` messages.
   * @param exclusions the account's exclusions
   * @throws the errors of the provider that concern the whole account, and those of the archive store
   */
  async copy(
    account: ProviderAccount,
    exclusions: readonly string[],
    request: CopyRequest,
  ): Promise<CopyPass> {
    const due = await this.ledger.leaseDue(account.id, request.limit);
    if (due.length === 0) return NOTHING;
    // Each fetch listens to it, several times on its way through the gateway.
    setMaxListeners(0, request.signal);
    const held = this.budget.open(account.userId, request.signal);
    const run = new CopyRun(account, parseExclusions(exclusions), request, held, due);
    try {
      await this.judgeByIndex(run);
      await this.fetchAll(run);
    } finally {
      held.close();
      await this.ledger.release(account.id, run.listOpen(), null);
    }
    return run.result;
  }

  /** Excludes messages by what the index knows of them, without fetching them. */
  private async judgeByIndex(run: CopyRun): Promise<void> {
    const facts = run.needsFacts
      ? await this.index.findFacts(run.account.id, run.listOpen())
      : new Map<string, never>();
    const now = new Date();
    const excluded = run.listOpen().flatMap((messageId) => {
      const known = facts.get(messageId);
      const { labelIds, sizeBytes } = run.dueMessage(messageId);
      const verdict = run.judge(
        {
          labelIds,
          sender: known?.sender ?? null,
          sizeBytes: known?.sizeBytes ?? sizeBytes,
          date: known?.date ?? null,
        },
        now,
      );
      return excludedBy(messageId, verdict);
    });
    await this.exclude(run, excluded);
  }

  private async fetchAll(run: CopyRun): Promise<void> {
    const { account, held } = run;
    const { signal, priority } = run.request;
    const provider = this.providers.forAccount(account);
    const sizes = await this.index.findSizes(account.id, run.listOpen());
    const fetch = (messageId: string): Promise<FetchOutcome> => {
      const expectedBytes = sizes.get(messageId);
      return this.fetcher.fetch(provider, messageId, { signal, expectedBytes, held, priority });
    };
    const batches = streamRawMessages(run.listWanted(), fetch, {
      concurrency: provider.rawsAtOnce,
      outage: OUTAGE,
      sizeOf: sizeOfOutcome,
    });
    let unavailable: Extract<FetchOutcome, { kind: 'later' }>[] = [];
    for await (const batch of batches) {
      await this.recordOutcomes(run, batch);
      unavailable = [...unavailable, ...batch.filter((outcome) => outcome.kind === 'later')];
      if (run.result.isFull) return;
    }
    // Nothing could be fetched at all: an outage, not a list of failed messages.
    if (unavailable[0] && run.result.copied + run.result.recovered === 0) throw unavailable[0].error;
    await this.fail(
      run,
      unavailable.map(({ messageId, error }) => ({ messageId, reason: error.code })),
    );
  }

  private async recordOutcomes(run: CopyRun, batch: readonly FetchOutcome[]): Promise<void> {
    const failures = batch.flatMap((outcome) =>
      outcome.kind === 'failed' ? [{ messageId: outcome.messageId, reason: outcome.reason }] : [],
    );
    await this.fail(run, failures);
    const mails = batch.flatMap((outcome) => (outcome.kind === 'mail' ? [outcome.mail] : []));
    const now = new Date();
    const excluded = mails.flatMap((mail) => excludedBy(mail.messageId, run.judge(factsOf(mail), now)));
    await this.exclude(run, excluded);
    const out = new Set(excluded.map(({ messageId }) => messageId));
    const kept = mails.filter(({ messageId }) => !out.has(messageId));
    // A copy that the integrity check found damaged is written anew.
    const damaged = kept.filter(({ messageId }) => run.dueMessage(messageId).mailId !== null);
    const missing = kept.filter(({ messageId }) => run.dueMessage(messageId).mailId === null);
    await this.write(run, await this.takeRecovered(run, missing), false);
    if (!run.result.isFull) await this.write(run, damaged, true);
    for (const { messageId } of mails) run.held.release(messageId);
  }

  /** Takes over copies that the account already has. @returns the mails that have to be written */
  private async takeRecovered(
    run: CopyRun,
    mails: readonly MailToArchive[],
  ): Promise<readonly MailToArchive[]> {
    if (mails.length === 0) return mails;
    const taken = await this.recovered.take(run.owner, mails);
    run.close([...taken], { recovered: taken.size });
    return mails.filter(({ messageId }) => !taken.has(messageId));
  }

  private async write(run: CopyRun, mails: readonly MailToArchive[], replace: boolean): Promise<void> {
    if (mails.length === 0) return;
    const { signal } = run.request;
    const written = await this.writer.write(run.owner, mails, { replace, signal });
    if (replace) {
      // A copy that was not replaced because it has these bytes is what the mailbox has, whatever was found before.
      const proved = written.archived.map((messageId) => ({
        messageId,
        id: run.dueMessage(messageId).mailId!,
      }));
      await this.findings.withdraw(run.owner, proved);
    }
    run.close(written.archived, { copied: written.archived.length, bytes: written.bytes });
    // Another writer was faster, and the trigger of the archive has updated the ledger.
    const kept = await this.ledger.markArchived(run.account.id, written.kept);
    run.close(kept, {});
    if (written.refused.length > 0) run.markFull();
  }

  private async exclude(run: CopyRun, excluded: readonly ExcludedMessage[]): Promise<void> {
    if (excluded.length === 0) return;
    await this.ledger.exclude(run.account.id, excluded);
    run.close(
      excluded.map(({ messageId }) => messageId),
      { excluded: excluded.length },
    );
  }

  private async fail(run: CopyRun, failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    await this.ledger.fail(run.account.id, failures);
    run.close(
      failures.map(({ messageId }) => messageId),
      { failed: failures.length },
    );
  }
}

export const NO_COUNTS: CopyCounts = { copied: 0, bytes: 0, recovered: 0, excluded: 0, failed: 0 };
const NOTHING: CopyPass = { ...NO_COUNTS, taken: 0, isFull: false };

export const addCounts = (a: CopyCounts, b: CopyCounts): CopyCounts => ({
  copied: a.copied + b.copied,
  bytes: a.bytes + b.bytes,
  recovered: a.recovered + b.recovered,
  excluded: a.excluded + b.excluded,
  failed: a.failed + b.failed,
});

/** The messages of one pass, and their outcomes so far. */
class CopyRun {
  result: CopyPass;
  private readonly open: Map<string, DueMessage>;
  private readonly all: ReadonlyMap<string, DueMessage>;

  constructor(
    readonly account: ProviderAccount,
    private readonly exclusions: readonly Exclusion[],
    readonly request: CopyRequest,
    readonly held: MemoryReservation,
    due: readonly DueMessage[],
  ) {
    this.result = { ...NOTHING, taken: due.length };
    this.all = new Map(due.map((message) => [message.messageId, message]));
    this.open = new Map(this.all);
  }

  get owner(): { userId: string; accountId: string } {
    return { userId: this.account.userId, accountId: this.account.id };
  }

  /** Whether labels alone do not decide. */
  get needsFacts(): boolean {
    return this.exclusions.some(({ kind }) => kind !== 'label');
  }

  dueMessage(messageId: string): DueMessage {
    return this.all.get(messageId)!;
  }

  judge(facts: MessageFacts, now: Date): ExclusionVerdict {
    return judge(this.exclusions, facts, now);
  }

  listOpen(): string[] {
    return [...this.open.keys()];
  }

  /** Lists the messages that are to be fetched, until the time is over. */
  *listWanted(): Generator<string> {
    for (const messageId of this.listOpen()) {
      if (this.result.isFull || Date.now() > (this.request.until ?? Infinity)) return;
      this.request.signal.throwIfAborted();
      yield messageId;
    }
  }

  close(ids: readonly string[], counts: Partial<CopyCounts>): void {
    for (const id of ids) this.open.delete(id);
    const step = { ...NO_COUNTS, ...counts };
    this.result = { ...this.result, ...addCounts(this.result, step) };
    this.request.onProgress?.(step);
  }

  markFull(): void {
    this.result = { ...this.result, isFull: true };
  }
}

const excludedBy = (messageId: string, verdict: ExclusionVerdict): ExcludedMessage[] =>
  verdict.kind === 'exclude'
    ? [
        {
          messageId,
          exclusion: ledgerName(verdict.exclusion),
          ...(verdict.until && { until: verdict.until }),
        },
      ]
    : [];

const factsOf = ({ labelIds, parsed, raw, date }: MailToArchive): MessageFacts => ({
  labelIds,
  sender: senderOf(parsed.sender).email,
  sizeBytes: raw.length,
  date,
});
