import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_STORAGE } from '../archive-storage/archive-stores.service';
import { mapConcurrently } from '../common/concurrency/map-concurrently';
import { JobInterrupted } from '../jobs/jobs.errors';
import type { AccountWalk, IntegrityRun } from './integrity-run';
import { ArchiveDirectoryEmpty, StoreFailure } from './integrity.errors';
import { IntegrityTimings } from './integrity-run';
import { ArchiveFolders } from './archive-folders';
import { FileVerifier } from './file-verifier';
import type { DamagedMail } from './integrity-findings.repository';
import { IntegrityFindingsService } from './integrity-findings.service';
import { nightlyShare, nightsBetween } from './rotation';
import { IntegrityStatesRepository } from './integrity-states.repository';
import { StoredMail, StoredMailsRepository } from '../archive/stored-mails.repository';
import type { AccountWithMail } from '../archive/archive-totals.repository';

/** A batch ends at the first of these: so much is done again after a crash. */
const BATCH_MAILS = 200;
const BATCH_BYTES = 64 * 1024 * 1024;
/** Files read at a time: enough to keep a disk busy, few enough to leave it to others. */
const FILES_AT_A_TIME = 4;
/** How often a mail that changes between two looks at it is followed before it is left to the next round. */
const MAX_LOOKS = 3;

/** Which part of an account is checked. */
export type CheckScope = { readonly night: string; readonly everything: boolean };

interface Looked {
  readonly mail: StoredMail;
  readonly problem: DamagedMail['problem'] | null;
  readonly bytes: number;
}

/** Re-hashes the files of one account. */
@Injectable()
export class AccountCheck {
  constructor(
    private readonly mails: StoredMailsRepository,
    private readonly rotation: IntegrityStatesRepository,
    private readonly files: FileVerifier,
    private readonly findings: IntegrityFindingsService,
    private readonly folders: ArchiveFolders,
    private readonly timings: IntegrityTimings,
  ) {}

  /** Mails tonight's share of the account has. */
  async share(account: AccountWithMail, { night, everything }: CheckScope): Promise<number> {
    if (everything) return account.mails;
    const state = await this.rotation.find(account.accountId);
    const left = state?.cursor ? await this.mails.countAfter(account.accountId, state.cursor) : account.mails;
    const nightsGone = state?.cursor ? nightsBetween(state.roundStartedOn, night) : 0;
    return nightlyShare({ mails: account.mails, left, nightsGone });
  }

  /**
   * Checks the account's share in batches. What was found is told of at the end, whatever the end is; the rotation goes
   * on from the last batch.
   * @throws StoreFailure, JobInterrupted
   */
  async check(account: AccountWithMail, scope: CheckScope, run: IntegrityRun): Promise<void> {
    const walk = run.interruptedWalk(account.accountId) ?? (await this.begin(account, scope));
    try {
      await this.walk(account, walk, scope, run);
    } catch (error) {
      // Another process goes on from here otherwise, and tells.
      if (error instanceof StoreFailure || isCancellation(error))
        await this.findings.tell(account, walk.checked);
      throw error;
    }
    await this.findings.tell(account, walk.checked);
  }

  private async begin(account: AccountWithMail, scope: CheckScope): Promise<AccountWalk> {
    const { accountId } = account;
    const fresh = { accountId, cursor: null, wrapped: false, roundStartedOn: scope.night, checked: 0 };
    if (scope.everything) return { ...fresh, left: null };
    const left = await this.share(account, scope);
    const state = await this.rotation.find(accountId);
    return state?.cursor ? { ...fresh, ...state, left } : { ...fresh, left };
  }

  private async walk(
    account: AccountWithMail,
    walk: AccountWalk,
    scope: CheckScope,
    run: IntegrityRun,
  ): Promise<void> {
    const rest = scope.everything ? this.timings.requestedRest : this.timings.nightlyRest;
    while (walk.left === null || walk.left > 0) {
      run.job.throwIfCancelled();
      const startedAt = performance.now();
      const batch = await this.nextBatch(walk);
      if (batch.length === 0) {
        if (walk.left === null || walk.wrapped) break;
        Object.assign(walk, { cursor: null, wrapped: true, roundStartedOn: scope.night });
        await this.save(walk, 0, scope, run);
        continue;
      }
      const checked = await this.checkBatch(account, batch, run);
      const last = batch[batch.length - 1] as StoredMail;
      walk.cursor = last.position;
      if (walk.left !== null) walk.left -= batch.length;
      walk.checked += checked;
      run.job.progress({ processed: batch.length });
      await this.save(walk, checked, scope, run);
      await delay((performance.now() - startedAt) * rest, undefined, { signal: run.job.signal }).catch(() =>
        run.job.throwIfCancelled(),
      );
    }
  }

  private async nextBatch({ accountId, cursor, left }: AccountWalk): Promise<StoredMail[]> {
    const mails = await this.mails.next(accountId, {
      after: cursor,
      limit: Math.min(BATCH_MAILS, left ?? BATCH_MAILS),
    });
    let bytes = 0;
    const end = mails.findIndex(({ sizeBytes }) => (bytes += sizeBytes) >= BATCH_BYTES);
    return end < 0 ? mails : mails.slice(0, end + 1);
  }

  /** The checkpoint first: what it counts is not counted again, and a rotation one batch behind harms nobody. */
  private async save(
    walk: AccountWalk,
    checked: number,
    scope: CheckScope,
    run: IntegrityRun,
  ): Promise<void> {
    await run.at(walk);
    if (!scope.everything) await this.rotation.save(walk.accountId, walk, checked);
  }

  /** @returns files hashed */
  private async checkBatch(
    account: AccountWithMail,
    batch: readonly StoredMail[],
    run: IntegrityRun,
  ): Promise<number> {
    const looked = await this.lookAtAll(batch, run);
    const suspects = looked.filter(({ problem }) => problem !== null);
    const seen = looked.filter(({ problem }) => problem === null);
    if (suspects.length > 0) seen.push(...(await this.lookAgain(account, suspects, run)));
    const damaged = seen.flatMap(({ mail, problem }) => (problem ? [{ mail, problem }] : []));
    const whole = seen.flatMap(({ mail, problem }) => (problem ? [] : [mail.id]));
    if (damaged.length > 0) {
      const recorded = await this.findings.record(account, damaged);
      for (const { mail, problem } of damaged) {
        if (recorded.has(mail.id)) run.found(mail.id, account.accountId, problem);
      }
    }
    const { report } = run;
    report.resolved += await this.findings.resolve(account, whole);
    report.checked += seen.length;
    report.bytes += seen.reduce((sum, { bytes }) => sum + bytes, 0);
    return seen.length;
  }

  private async lookAtAll(batch: readonly StoredMail[], run: IntegrityRun): Promise<Looked[]> {
    const looked: Looked[] = [];
    const reads = mapConcurrently(batch, (mail) => this.look(mail, run), {
      concurrency: FILES_AT_A_TIME,
      maxWaiting: batch.length,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    for await (const result of reads) looked.push(result);
    return looked;
  }

  private async look(mail: StoredMail, run: IntegrityRun): Promise<Looked> {
    const patient = !run.isAway(mail.storage);
    return { mail, ...(await this.files.read(mail, run.job.signal, { patient })) };
  }

  /**
   * A second look at what seemed wrong, after a while and with the rows as they are then: mail that was replaced,
   * encrypted or removed while it was read is not damaged. Mails that are gone or never rest are left out.
   */
  private async lookAgain(
    account: AccountWithMail,
    suspects: readonly Looked[],
    run: IntegrityRun,
  ): Promise<Looked[]> {
    await delay(this.timings.secondLookMs, undefined, { signal: run.job.signal }).catch(() =>
      run.job.throwIfCancelled(),
    );
    const confirmed: Looked[] = [];
    for (const suspect of suspects) {
      run.job.throwIfCancelled();
      const result = await this.confirm(account, suspect.mail, run);
      if (result) confirmed.push(result);
    }
    await this.assertDiskIsThere(confirmed);
    return confirmed;
  }

  private async confirm(
    account: AccountWithMail,
    suspect: StoredMail,
    run: IntegrityRun,
  ): Promise<Looked | null> {
    let earlier = suspect;
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const now = await this.mails.find(account.accountId, suspect.id);
      if (!now) return null;
      const result = await this.look(now, run);
      if (result.problem === null || isSameFile(now, earlier)) return result;
      earlier = now;
    }
    return null;
  }

  /** A disk that is not mounted looks like an archive that lost every file. */
  private async assertDiskIsThere(confirmed: readonly Looked[]): Promise<void> {
    const isLost = ({ mail, problem }: Looked): boolean =>
      problem === 'missing' && mail.storage === LOCAL_STORAGE;
    if (!confirmed.some(isLost) || (await this.folders.any())) return;
    throw new StoreFailure(LOCAL_STORAGE, new ArchiveDirectoryEmpty());
  }
}

const isCancellation = (error: unknown): boolean =>
  error instanceof JobInterrupted && error.interruption === 'cancelled';

const isSameFile = (one: StoredMail, other: StoredMail): boolean =>
  one.storage === other.storage && one.storageKey === other.storageKey && one.sha256 === other.sha256;
