import { Injectable } from '@nestjs/common';
import { LOCAL_STORAGE } from '../../archive/files/archive-store.port';
import { StoreAllowance } from '../../archive/files/store-allowance';
import { StoredMail, StoredMails } from '../../archive/mails/stored-mails';
import type { ArchiveOwner } from '../../archive/mails/writing/mail-to-archive';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { ArchiveFolders } from './archive-folders';
import { FileVerifier } from './file-verifier';
import { IntegrityFindingsService } from './integrity-findings.service';
import type { Problem } from './integrity-progress';
import { IntegrityTimings } from './integrity-timings';
import { ArchiveDirectoryEmpty, StoreFailure } from './integrity.errors';
import { delay } from '../../platform/concurrency/timers';

const FILES_AT_A_TIME = 8;

/** The file of a mail, as it was read. */
export interface CheckedCopy {
  /** The row that the file was compared with. */
  readonly mail: StoredMail;
  readonly problem: Problem | null;
}

/** Reads the files of mails whose messages are about to leave their mailbox. */
@Injectable()
export class CopyCheck {
  constructor(
    private readonly mails: StoredMails,
    private readonly files: FileVerifier,
    private readonly findings: IntegrityFindingsService,
    private readonly folders: ArchiveFolders,
    private readonly timings: IntegrityTimings,
  ) {}

  /**
   * Hashes the files of mails and compares them with their rows. What seems damaged is read again after a pause, with its
   * row as it is then; what still is becomes a finding, of which the owner is notified.
   * @param ids of mails that are neither deleted nor replaced meanwhile
   * @returns by id; mails that are gone are left out
   * @throws StoreFailure when a store cannot be read, or the signal's reason
   */
  async check(
    owner: ArchiveOwner,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, CheckedCopy>> {
    const mails = await this.mails.findAll(owner.accountId, ids);
    const allowances = new Map<string, StoreAllowance>();
    const read = (mail: StoredMail): Promise<CheckedCopy> => this.read(mail, allowances, signal);
    const checked = new Map<string, CheckedCopy>();
    await forEachConcurrently(mails, FILES_AT_A_TIME, async (mail) => checked.set(mail.id, await read(mail)));
    const suspects = [...checked.values()].filter(({ problem }) => problem !== null);
    if (suspects.length > 0) {
      await delay(this.timings.recheckAfterMs, undefined, { signal });
      for (const { mail } of suspects) {
        const now = await this.mails.find(owner.accountId, mail.id);
        if (now) checked.set(mail.id, await read(now));
        else checked.delete(mail.id);
      }
    }
    await this.conclude(owner, [...checked.values()]);
    return checked;
  }

  private async read(
    mail: StoredMail,
    allowances: Map<string, StoreAllowance>,
    signal: AbortSignal,
  ): Promise<CheckedCopy> {
    let allowance: StoreAllowance | null = null;
    if (mail.storage !== LOCAL_STORAGE) {
      allowance = allowances.get(mail.storage) ?? new StoreAllowance(this.timings.store);
      allowances.set(mail.storage, allowance);
    }
    const { problem } = await this.files.read(mail, signal, { retries: true, allowance });
    return { mail, problem };
  }

  private async conclude(owner: ArchiveOwner, checked: readonly CheckedCopy[]): Promise<void> {
    const damaged = checked.flatMap(({ mail, problem }) => (problem ? [{ mail, problem }] : []));
    const whole = checked.flatMap(({ mail, problem }) => (problem ? [] : [mail]));
    await this.findings.resolve(owner, whole);
    if (damaged.length === 0) return;
    // A disk that is not mounted looks like an archive that lost all its files.
    const isLost = damaged.some(
      ({ mail, problem }) => problem === 'missing' && mail.storage === LOCAL_STORAGE,
    );
    if (isLost && !(await this.folders.hasAny()))
      throw new StoreFailure(LOCAL_STORAGE, new ArchiveDirectoryEmpty());
    await this.findings.record(owner, damaged);
    await this.findings.notify(owner, checked.length);
  }
}
