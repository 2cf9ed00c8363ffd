import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { type MemoryReservation, MessageBudget } from '../../../archive/mails/archiving/message-budget';
import { streamRawMessages } from '../../../archive/mails/archiving/raw-message-stream';
import {
  type FetchOutcome,
  RawMessageFetcher,
  sizeOfOutcome,
} from '../../../archive/mails/archiving/raw-message-fetcher';
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
    const reservation = this.budget.open(account.userId, request.signal);
    const pass = new OpenPass(account, parseExclusions(exclusions), request, reservation, due);
    try {
      await this.judgeByIndex(pass);
      await this.fetchAll(pass);
    } finally {
      reservation.close();
      await this.ledger.release(account.id, pass.listOpen(), null);
    }
    return pass.result;
  }

  /** Excludes messages by what the index knows of them, without fetching them. */
  private async judgeByIndex(pass: OpenPass): Promise<void> {
    const facts = pass.needsFacts
      ? await this.index.findFacts(pass.account.id, pass.listOpen())
      : new Map<string, never>();
    const now = new Date();
    const excluded = pass.listOpen().flatMap((messageId) => {
      const known = facts.get(messageId);
      const { labelIds, sizeBytes } = pass.dueMessage(messageId);
      const verdict = pass.judge(
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
    await this.exclude(pass, excluded);
  }

  private async fetchAll(pass: OpenPass): Promise<void> {
    const { account, reservation } = pass;
    const { signal, priority } = pass.request;
    const provider = this.providers.forAccount(account);
    const sizes = await this.index.findSizes(account.id, pass.listOpen());
    const fetch = (messageId: string): Promise<FetchOutcome> => {
      const expectedBytes = sizes.get(messageId);
      return this.fetcher.fetch(provider, messageId, { signal, expectedBytes, reservation, priority });
    };
    const batches = streamRawMessages(pass.listWanted(), fetch, {
      concurrency: provider.rawsAtOnce,
      outage: OUTAGE,
      sizeOf: sizeOfOutcome,
    });
    let unavailable: Extract<FetchOutcome, { kind: 'later' }>[] = [];
    for await (const batch of batches) {
      await this.recordOutcomes(pass, batch);
      unavailable = [...unavailable, ...batch.filter((outcome) => outcome.kind === 'later')];
      if (pass.result.isFull) return;
    }
    // Nothing could be fetched at all: an outage, not a list of failed messages.
    if (unavailable[0] && pass.result.copied + pass.result.recovered === 0) throw unavailable[0].error;
    await this.fail(
      pass,
      unavailable.map(({ messageId, error }) => ({ messageId, reason: error.code })),
    );
  }

  private async recordOutcomes(pass: OpenPass, batch: readonly FetchOutcome[]): Promise<void> {
    const failures = batch.flatMap((outcome) =>
      outcome.kind === 'failed' ? [{ messageId: outcome.messageId, reason: outcome.reason }] : [],
    );
    await this.fail(pass, failures);
    const mails = batch.flatMap((outcome) => (outcome.kind === 'mail' ? [outcome.mail] : []));
    const now = new Date();
    const excluded = mails.flatMap((mail) => excludedBy(mail.messageId, pass.judge(factsOf(mail), now)));
    await this.exclude(pass, excluded);
    const out = new Set(excluded.map(({ messageId }) => messageId));
    const kept = mails.filter(({ messageId }) => !out.has(messageId));
    // A copy that the integrity check found damaged is written anew.
    const damaged = kept.filter(({ messageId }) => pass.dueMessage(messageId).mailId !== null);
    const missing = kept.filter(({ messageId }) => pass.dueMessage(messageId).mailId === null);
    await this.write(pass, await this.takeRecovered(pass, missing), false);
    if (!pass.result.isFull) await this.write(pass, damaged, true);
    for (const { messageId } of mails) pass.reservation.release(messageId);
  }

  /** Takes over copies that the account already has. @returns the mails that have to be written */
  private async takeRecovered(
    pass: OpenPass,
    mails: readonly MailToArchive[],
  ): Promise<readonly MailToArchive[]> {
    if (mails.length === 0) return mails;
    const taken = await this.recovered.take(pass.owner, mails);
    pass.close([...taken], { recovered: taken.size });
    return mails.filter(({ messageId }) => !taken.has(messageId));
  }

  private async write(pass: OpenPass, mails: readonly MailToArchive[], replace: boolean): Promise<void> {
    if (mails.length === 0) return;
    const { signal } = pass.request;
    const written = await this.writer.write(pass.owner, mails, { replace, signal });
    if (replace) {
      // A copy that was not replaced because it has these bytes is what the mailbox has, whatever was found before.
      const proved = written.archived.map((messageId) => ({
        messageId,
        id: pass.dueMessage(messageId).mailId!,
      }));
      await this.findings.withdraw(pass.owner, proved);
    }
    pass.close(written.archived, { copied: written.archived.length, bytes: written.bytes });
    // Another writer was faster, and the trigger of the archive has updated the ledger.
    const kept = await this.ledger.markArchived(pass.account.id, written.kept);
    pass.close(kept, {});
    if (written.refused.length > 0) pass.markFull();
  }

  private async exclude(pass: OpenPass, excluded: readonly ExcludedMessage[]): Promise<void> {
    if (excluded.length === 0) return;
    await this.ledger.exclude(pass.account.id, excluded);
    pass.close(
      excluded.map(({ messageId }) => messageId),
      { excluded: excluded.length },
    );
  }

  private async fail(pass: OpenPass, failures: readonly Failure[]): Promise<void> {
    if (failures.length === 0) return;
    await this.ledger.fail(pass.account.id, failures);
    pass.close(
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
class OpenPass {
  result: CopyPass;
  private readonly open: Map<string, DueMessage>;
  private readonly all: ReadonlyMap<string, DueMessage>;

  constructor(
    readonly account: ProviderAccount,
    private readonly exclusions: readonly Exclusion[],
    readonly request: CopyRequest,
    readonly reservation: MemoryReservation,
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
