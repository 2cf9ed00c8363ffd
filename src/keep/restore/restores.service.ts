import { Injectable } from '@nestjs/common';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { MailSelectionsService } from '../../archive/mails/selections/mail-selections.service';
import { SecretBox } from '../../platform/crypto/secret-box';
import { deleteInBatches } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { EgressGuard, EgressRefused, HostUnknown } from '../../platform/egress/egress-guard';
import { ResourceNotFound, ValidationFailed } from '../../platform/http/domain-error';
import { MailsEncrypted } from '../../archive/passphrases/encryption.errors';
import { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import { normalizedHost } from '../../platform/validation/host-name';
import { JobsService, type StartedJob } from '../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { ImapTransfersService } from '../../providers/imap/forecast/imap-transfers.service';
import type { ImapTargetDto, PlanRestoreDto, RestoreTargetDto } from './dto/restore.dto';
import type { ImapTarget, RestoreOutcome } from './restore.entity';
import { type NoteCounts, noteCounts, type OutcomeCounts, outcomeCounts } from './restore-counts';
import { DryRunMissing, RestoreDone, RestoreRunning } from './restore.errors';
import { type ListedItem, RestoreItemsRepository } from './restore-items.repository';
import { RestoreMails, type RestoreMailsSecrets } from './restore-mails.job';
import { RestoreTimings } from './restore-timings';
import { type Restore, type RestoreOwner, RestoresRepository } from './restores.repository';

const SAMPLE = 20;
/** Mails of a report that are read at a time. */
const REPORT_PAGE = 1_000;

/** A restore with its progress. */
export interface DescribedRestore {
  readonly restore: Restore;
  readonly counts: OutcomeCounts;
  readonly waiting: number;
  readonly notes: NoteCounts;
  readonly sample: readonly ListedItem[];
  /** When the limit of a day lets the last mail be sent; null: within the day, or no limit is known. */
  readonly completesAt: Date | null;
}

/** A page of a list. */
export interface ItemsPage<T, P> {
  readonly items: readonly T[];
  /** `after` of the next page; null: there are no more. */
  readonly next: P | null;
}

interface ChosenTarget {
  readonly targetAccountId: string | null;
  readonly imap: ImapTarget | null;
  readonly password: string | null;
}

/**
 * Plans, starts and shows restores. It has eleven dependencies because a plan checks the mails, their passphrase, the destination
 * and its host before a job is started, and its limits are shown.
 */
@Injectable()
export class RestoresService {
  constructor(
    private readonly restores: RestoresRepository,
    private readonly items: RestoreItemsRepository,
    private readonly selections: MailSelectionsService,
    private readonly accounts: MailboxAccountsService,
    private readonly passphrases: PassphrasesService,
    private readonly egress: EgressGuard,
    private readonly secrets: SecretBox,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
    private readonly timings: RestoreTimings,
    private readonly transfers: ImapTransfersService,
  ) {}

  /**
   * Starts the dry run of a restore.
   * @param within the only accounts that the caller may use; null: all of the user's
   * @throws ValidationFailed, ResourceNotFound, AccountNotOwned, MailboxDisconnected, ReauthRequired
   */
  async plan(
    owner: RestoreOwner,
    request: PlanRestoreDto,
    within: readonly string[] | null,
  ): Promise<StartedJob & { restoreId: string }> {
    await this.selections.check(owner.accountId, request.select, 'select');
    const { password, ...target } = await this.targetOf(owner.userId, request.target, within);
    const repeated = await this.jobs.findRepeated(owner.userId);
    if (repeated) {
      const { restoreId } = repeated.payload as { restoreId: string };
      return { jobId: repeated.record.jobId, restoreId };
    }
    const id = newId();
    const restore = {
      id,
      ...owner,
      ...target,
      sealedPassword: password === null ? null : this.secrets.seal({ password }, id),
      selection: request.select,
      labels: request.labels ?? 'original',
      addLabel: request.addLabel?.trim() ?? null,
      onDifferent: request.onDifferent ?? 'skip',
      verify: request.verify ?? true,
    };
    return this.transactions.run(async (transaction) => {
      const payload = { restoreId: id, phase: 'plan' as const };
      const { jobId } = await this.jobs.start(RestoreMails, owner, payload, { transaction });
      await this.restores.insert(restore, jobId, this.timings.planValidMs, transaction);
      return { jobId, restoreId: id };
    });
  }

  /**
   * Starts a restore whose dry run is complete, or continues one that was stopped.
   * @throws ResourceNotFound, DryRunMissing, RestoreRunning, RestoreDone, MailsEncrypted, PassphraseInvalid,
   *   MailboxDisconnected, ReauthRequired
   */
  async start(owner: RestoreOwner, id: string, passphrase: string | null): Promise<StartedJob> {
    const repeated = await this.jobs.findRepeated(owner.userId);
    if (repeated) return { jobId: repeated.record.jobId };
    const { targetAccountId } = await this.requireOwned(owner, id);
    if (targetAccountId !== null) await this.accounts.requireUsable(owner.userId, targetAccountId);
    if (passphrase !== null) await this.passphrases.prove(owner.userId, passphrase);
    return this.transactions.run(async (transaction) => {
      const restore = await this.restores.findOwned(owner, id, transaction);
      if (!restore) throw new ResourceNotFound('restore');
      if (restore.status === 'done') throw new RestoreDone();
      if (restore.status === 'running') throw new RestoreRunning();
      if (restore.plannedAt === null || restore.isExpired) throw new DryRunMissing();
      const encrypted = await this.items.countEncrypted(owner.accountId, id, transaction);
      if (encrypted > 0 && passphrase === null) throw new MailsEncrypted();
      const secrets: RestoreMailsSecrets = { passphrase };
      const payload = { restoreId: id, phase: 'restore' as const };
      const options = { secrets, total: restore.mails, transaction };
      const started = await this.jobs.start(RestoreMails, owner, payload, options);
      await this.restores.markStarted(id, started.jobId, this.timings.runValidMs, transaction);
      return started;
    });
  }

  /** @throws ResourceNotFound */
  async describe(owner: RestoreOwner, id: string): Promise<DescribedRestore> {
    const restore = await this.requireOwned(owner, id);
    const outcomes = await this.items.countOutcomes(id);
    const notes = await this.items.countNotes(id);
    const waiting = outcomes.get(null) ?? 0;
    const page = { after: -1, limit: SAMPLE, outcome: null };
    return {
      restore,
      counts: outcomeCounts(outcomes),
      waiting,
      notes: noteCounts(notes),
      sample: await this.items.list(owner.accountId, id, page),
      completesAt: await this.forecast(owner.userId, restore, waiting),
    };
  }

  /** Restores of an archive, newest first. */
  async list(
    owner: RestoreOwner,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<ItemsPage<Restore, string>> {
    const found = await this.restores.list(owner, page.after ?? null, page.limit + 1);
    const items = found.slice(0, page.limit);
    return { items, next: found.length > page.limit ? items.at(-1)!.id : null };
  }

  /** @throws ResourceNotFound */
  async itemsOf(
    owner: RestoreOwner,
    id: string,
    page: { readonly after?: number; readonly limit: number; readonly outcome?: RestoreOutcome },
  ): Promise<ItemsPage<ListedItem, number>> {
    await this.requireOwned(owner, id);
    const { after = -1, limit, outcome = null } = page;
    const found = await this.items.list(owner.accountId, id, { after, limit: limit + 1, outcome });
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? items.at(-1)!.position : null };
  }

  /** All mails of a restore, a page at a time. @throws ResourceNotFound before the first page */
  async readItems(owner: RestoreOwner, id: string): Promise<AsyncIterable<readonly ListedItem[]>> {
    await this.requireOwned(owner, id);
    return this.readPages(owner.accountId, id);
  }

  /** Erases the passwords of restores that have expired, and old restores. @returns restores deleted */
  async deleteExpired(): Promise<number> {
    await this.restores.forgetPasswords();
    return deleteInBatches((limit) => this.restores.deleteOld(this.timings.keptMs, limit));
  }

  private async forecast(userId: string, restore: Restore, waiting: number): Promise<Date | null> {
    const { status, targetAccountId, imap, bytes, mails } = restore;
    if (status === 'done' || mails === 0) return null;
    const target = { accountId: targetAccountId, host: imap?.host ?? null };
    return this.transfers.forecastSending(userId, target, (bytes * waiting) / mails, new Date());
  }

  private async *readPages(accountId: string, id: string): AsyncGenerator<readonly ListedItem[]> {
    for (let after = -1; ;) {
      const items = await this.items.list(accountId, id, { after, limit: REPORT_PAGE, outcome: null });
      if (items.length > 0) yield items;
      if (items.length < REPORT_PAGE) return;
      after = items.at(-1)!.position;
    }
  }

  private async requireOwned(owner: RestoreOwner, id: string): Promise<Restore> {
    const restore = await this.restores.findOwned(owner, id);
    if (!restore) throw new ResourceNotFound('restore');
    return restore;
  }

  private async targetOf(
    userId: string,
    { accountId, imap }: RestoreTargetDto,
    within: readonly string[] | null,
  ): Promise<ChosenTarget> {
    if ((accountId != null) === (imap != null)) {
      throw new ValidationFailed([
        { field: 'target', message: 'target must have exactly one of accountId and imap' },
      ]);
    }
    if (imap) return this.checkImapTarget(userId, imap);
    const targetAccountId = accountId!.toLowerCase();
    if (within && !within.includes(targetAccountId)) throw new AccountNotOwned();
    await this.accounts.requireUsable(userId, targetAccountId);
    return { targetAccountId, imap: null, password: null };
  }

  /** Reports a host with a refused address at once; the job checks again before it connects, and reports unknown names. */
  private async checkImapTarget(userId: string, given: ImapTargetDto): Promise<ChosenTarget> {
    const host = normalizedHost(given.host) as string;
    try {
      await this.egress.resolve(host, userId);
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error;
      if (!(error instanceof HostUnknown)) {
        throw new ValidationFailed([
          {
            field: 'target.imap.host',
            message: 'host leads to an address this service does not connect to',
          },
        ]);
      }
    }
    const imap = {
      host,
      port: given.port ?? 993,
      secure: given.secure ?? true,
      user: given.user,
      root: given.root ?? null,
    };
    return { targetAccountId: null, imap, password: given.pass };
  }
}
