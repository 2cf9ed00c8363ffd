import { Injectable } from '@nestjs/common';
import { LOCAL_STORAGE } from '../../archive/files/archive-store.port';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { JobInterrupted } from '../../platform/jobs/jobs.errors';
import type { AccountWalk, IntegrityProgress, Problem } from './integrity-progress';
import { ArchiveDirectoryEmpty, StoreFailure } from './integrity.errors';
import { IntegrityTimings } from './integrity-timings';
import { ArchiveFolders } from './archive-folders';
import { FileVerifier } from './file-verifier';
import { IntegrityDaysRepository } from './integrity-days.repository';
import { IntegrityFindingsService } from './integrity-findings.service';
import { nightlyShare, nightsBetween } from './rotation';
import { IntegrityStatesRepository } from './integrity-states.repository';
import { StoredMail, StoredMails } from '../../archive/mails/stored-mails';
import type { AccountWithMail } from '../../archive/mails/archive-totals';
import { delay } from '../../platform/concurrency/timers';

/** A batch ends at the first of these limits: after a crash one batch is repeated. */
const BATCH_MAILS = 200;
const BATCH_BYTES = 64 * 1024 * 1024;
/** Files read at a time: enough to keep a disk busy, few enough to leave it to others. */
const FILES_AT_A_TIME = 4;
/** Rechecks of a mail that keeps changing before it is left to the next round. */
const MAX_RECHECKS = 3;

/** The part of an account to check. */
export type CheckScope = { readonly night: string; readonly everything: boolean };

interface CheckedMail {
  readonly mail: StoredMail;
  readonly problem: Problem | null;
  readonly bytes: number;
}

/** Re-hashes the files of one account. */
@Injectable()
export class AccountCheck {
  constructor(
    private readonly mails: StoredMails,
    private readonly rotation: IntegrityStatesRepository,
    private readonly days: IntegrityDaysRepository,
    private readonly files: FileVerifier,
    private readonly findings: IntegrityFindingsService,
    private readonly folders: ArchiveFolders,
    private readonly timings: IntegrityTimings,
  ) {}

  /** The number of the account's mails to check tonight. */
  async countDue(account: AccountWithMail, { night, everything }: CheckScope): Promise<number> {
    if (everything) return account.mails;
    const state = await this.rotation.find(account.accountId);
    const left = state?.cursor ? await this.mails.countAfter(account.accountId, state.cursor) : account.mails;
    const nightsGone = state?.cursor ? nightsBetween(state.roundStartedOn, night) : 0;
    return nightlyShare({ mails: account.mails, left, nightsGone });
  }

  /**
   * Checks the account's share in batches. The owner is notified of findings at the end, however the check ends; the
   * rotation continues from the last batch.
   * @throws StoreFailure, JobInterrupted
   */
  async check(account: AccountWithMail, scope: CheckScope, progress: IntegrityProgress): Promise<void> {
    const walk = progress.findInterruptedWalk(account.accountId) ?? (await this.begin(account, scope));
    try {
      await this.walk(account, walk, scope, progress);
    } catch (error) {
      // Otherwise another process continues the check, and notifies.
      if (error instanceof StoreFailure || isCancellation(error))
        await this.findings.notify(account, walk.checked);
      throw error;
    }
    await this.findings.notify(account, walk.checked);
  }

  private async begin(account: AccountWithMail, scope: CheckScope): Promise<AccountWalk> {
    const { accountId } = account;
    const fresh = { accountId, cursor: null, wrapped: false, roundStartedOn: scope.night, checked: 0 };
    if (scope.everything) return { ...fresh, left: null };
    const left = await this.countDue(account, scope);
    const state = await this.rotation.find(accountId);
    return state?.cursor ? { ...fresh, ...state, left } : { ...fresh, left };
  }

  private async walk(
    account: AccountWithMail,
    walk: AccountWalk,
    scope: CheckScope,
    progress: IntegrityProgress,
  ): Promise<void> {
    const rest = scope.everything ? this.timings.requestedRest : this.timings.nightlyRest;
    while (walk.left === null || walk.left > 0) {
      progress.job.throwIfCancelled();
      const startedAt = performance.now();
      const batch = await this.nextBatch(walk);
      if (batch.length === 0) {
        if (walk.left === null || walk.wrapped) break;
        Object.assign(walk, { cursor: null, wrapped: true, roundStartedOn: scope.night });
        await this.save(walk, 0, scope, progress);
        continue;
      }
      const checked = await this.checkBatch(account, batch, progress);
      const last = batch[batch.length - 1] as StoredMail;
      walk.cursor = last.position;
      if (walk.left !== null) walk.left -= batch.length;
      walk.checked += checked;
      progress.job.progress({ processed: batch.length });
      await this.save(walk, checked, scope, progress);
      await delay((performance.now() - startedAt) * rest, undefined, { signal: progress.job.signal }).catch(
        () => progress.job.throwIfCancelled(),
      );
    }
  }

  private async nextBatch({ accountId, cursor, left }: AccountWalk): Promise<StoredMail[]> {
    const mails = await this.mails.findNext(accountId, {
      after: cursor,
      limit: Math.min(BATCH_MAILS, left ?? BATCH_MAILS),
    });
    let bytes = 0;
    const end = mails.findIndex(({ sizeBytes }) => (bytes += sizeBytes) >= BATCH_BYTES);
    return end < 0 ? mails : mails.slice(0, end + 1);
  }

  /** Saves the checkpoint first, so that nothing is counted twice; a rotation that is one batch behind is harmless. */
  private async save(
    walk: AccountWalk,
    checked: number,
    scope: CheckScope,
    progress: IntegrityProgress,
  ): Promise<void> {
    await progress.savePosition(walk);
    if (!scope.everything) await this.rotation.save(walk.accountId, walk, checked);
    await this.days.add(walk.accountId, checked);
  }

  /** @returns files hashed */
  private async checkBatch(
    account: AccountWithMail,
    batch: readonly StoredMail[],
    progress: IntegrityProgress,
  ): Promise<number> {
    const read = await this.readAll(batch, progress);
    const suspects = read.filter(({ problem }) => problem !== null);
    const checked = read.filter(({ problem }) => problem === null);
    if (suspects.length > 0) checked.push(...(await this.recheck(account, suspects, progress)));
    const damaged = checked.flatMap(({ mail, problem }) => (problem ? [{ mail, problem }] : []));
    const whole = checked.flatMap(({ mail, problem }) => (problem ? [] : [mail]));
    if (damaged.length > 0) {
      const recorded = await this.findings.record(account, damaged);
      for (const { mail, problem } of damaged) {
        if (recorded.has(mail.id)) progress.addProblem(mail.id, account.accountId, problem);
      }
    }
    const { report } = progress;
    report.resolved += await this.findings.resolve(account, whole);
    report.checked += checked.length;
    report.bytes += checked.reduce((sum, { bytes }) => sum + bytes, 0);
    return checked.length;
  }

  private async readAll(batch: readonly StoredMail[], progress: IntegrityProgress): Promise<CheckedMail[]> {
    const read: CheckedMail[] = [];
    await forEachConcurrently(batch, FILES_AT_A_TIME, async (mail) =>
      read.push(await this.read(mail, progress)),
    );
    return read;
  }

  private async read(mail: StoredMail, progress: IntegrityProgress): Promise<CheckedMail> {
    const { storage } = mail;
    const retries = !progress.isAway(storage);
    const allowance = storage === LOCAL_STORAGE ? null : progress.allowanceOf(storage, this.timings.store);
    return { mail, ...(await this.files.read(mail, progress.job.signal, { retries, allowance })) };
  }

  /**
   * Checks suspects again after a pause, with their current rows: mail that was replaced, encrypted or deleted while it
   * was read is not damaged. Mails that are gone, or keep changing, are left out.
   */
  private async recheck(
    account: AccountWithMail,
    suspects: readonly CheckedMail[],
    progress: IntegrityProgress,
  ): Promise<CheckedMail[]> {
    await delay(this.timings.recheckAfterMs, undefined, { signal: progress.job.signal }).catch(() =>
      progress.job.throwIfCancelled(),
    );
    const confirmed: CheckedMail[] = [];
    for (const suspect of suspects) {
      progress.job.throwIfCancelled();
      const result = await this.confirm(account, suspect.mail, progress);
      if (result) confirmed.push(result);
    }
    await this.assertDiskIsThere(confirmed);
    return confirmed;
  }

  private async confirm(
    account: AccountWithMail,
    suspect: StoredMail,
    progress: IntegrityProgress,
  ): Promise<CheckedMail | null> {
    let earlier = suspect;
    for (let rechecks = 0; rechecks < MAX_RECHECKS; rechecks += 1) {
      const now = await this.mails.find(account.accountId, suspect.id);
      if (!now) return null;
      const result = await this.read(now, progress);
      if (result.problem === null || isSameFile(now, earlier)) return result;
      earlier = now;
    }
    return null;
  }

  /**
   * Throws when the local archive looks unmounted: it then appears to have lost all its files. @throws ArchiveDirectoryEmpty
   */
  private async assertDiskIsThere(confirmed: readonly CheckedMail[]): Promise<void> {
    const isLost = ({ mail, problem }: CheckedMail): boolean =>
      problem === 'missing' && mail.storage === LOCAL_STORAGE;
    if (!confirmed.some(isLost) || (await this.folders.hasAny())) return;
    throw new StoreFailure(LOCAL_STORAGE, new ArchiveDirectoryEmpty());
  }
}

const isCancellation = (error: unknown): boolean =>
  error instanceof JobInterrupted && error.interruption === 'cancelled';

const isSameFile = (one: StoredMail, other: StoredMail): boolean =>
  one.storage === other.storage && one.storageKey === other.storageKey && one.sha256 === other.sha256;
