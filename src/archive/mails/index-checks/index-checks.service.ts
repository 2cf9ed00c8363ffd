import { Injectable, Logger } from '@nestjs/common';
import { BackgroundPace, waitForBackgroundTurn } from '../../../platform/concurrency/background-pace';
import { AppConfig } from '../../../platform/config/app-config';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
} from '../../files/archive-store.errors';
import { countChecked } from './index-check-metrics';
import type { IndexCheckEntity } from './index-check.entity';
import { IndexChecksRepository } from './index-checks.repository';
import { IndexProbesRepository } from './index-probes.repository';
import { MailIndexChecker } from './mail-index-checker';

const MIB = 1024 * 1024;
/** Time after which a step ends, in milliseconds; the next step does the rest. */
const STEP_MS = 15_000;
/** Largest mail that is read. */
const MAX_BYTES = 16 * MIB;

/** The account whose index is checked. */
export interface CheckedAccount {
  readonly id: string;
  readonly userId: string;
}

/** State of a check after a step. `unavailable`: a store could not be reached. */
export type CheckProgress = 'done' | 'more' | 'unavailable';

/**
 * Proves a sample of an account's mails against the search index: the files of some mails are read, and the index is searched for their words.
 * What it does not find is read again. The row of the check says what is left, so that it can be interrupted at any point. See ADR 125.
 */
@Injectable()
export class IndexChecksService {
  private readonly logger = new Logger(IndexChecksService.name);

  constructor(
    private readonly checks: IndexChecksRepository,
    private readonly probes: IndexProbesRepository,
    private readonly checker: MailIndexChecker,
    private readonly pace: BackgroundPace,
    private readonly config: AppConfig,
  ) {}

  /** The latest check of an account; null: there was none. */
  findLatest(accountId: string): Promise<IndexCheckEntity | null> {
    return this.checks.find(accountId);
  }

  /** Checks mails of an account for some seconds. */
  checkSome(account: CheckedAccount, signal: AbortSignal): Promise<CheckProgress> {
    return this.pace.run(() => this.checkSample(account, signal));
  }

  private async checkSample(account: CheckedAccount, signal: AbortSignal): Promise<CheckProgress> {
    const until = Date.now() + STEP_MS;
    const owner = { userId: account.userId, accountId: account.id };
    const remaining = await this.checks.open(account.id, this.config.jobs.indexCheckMails);
    const sample = await this.probes.sample(account.id, remaining, MAX_BYTES);
    for (const sampled of sample) {
      signal.throwIfAborted();
      if (Date.now() > until) return 'more';
      await waitForBackgroundTurn();
      try {
        const counts = await this.checker.check(owner, sampled, signal);
        await this.checks.add(account.id, counts);
        countChecked(counts);
        if (counts.mismatches > 0)
          this.logger.warn(
            `The index did not have archived mail ${sampled.mail.id} as it is; it is put right`,
          );
      } catch (error) {
        if (!isOfStore(error)) throw error;
        this.logger.warn(`The index of account ${account.id} is checked later: ${String(error)}`);
        return 'unavailable';
      }
    }
    await this.checks.end(account.id);
    await this.report(account.id);
    return 'done';
  }

  private async report(accountId: string): Promise<void> {
    const latest = await this.checks.find(accountId);
    if (!latest) return;
    const { mails, attachments, mismatches, unreadable } = latest;
    const text = `Checked the index of account ${accountId}: ${mails} mails and ${attachments} attachments, ${mismatches} mismatches, ${unreadable} unreadable`;
    if (mismatches > 0) this.logger.warn(text);
    else if (mails + unreadable > 0) this.logger.log(text);
  }
}

const isOfStore = (error: unknown): boolean =>
  error instanceof ArchiveStoreUnavailable ||
  error instanceof ArchiveStoreRefused ||
  error instanceof ArchiveStoreUnknown;
