import { Injectable, Logger } from '@nestjs/common';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import type { Share } from '../../platform/concurrency/semaphore';
import { runJoined } from '../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import type { ScannedMail } from './scan-mails.task';
import { PiiMailLoader, SMALL_MAIL, type Unreadable } from './pii-mail-loader';
import { type StoredMail, StoredMails } from '../../archive/mails/stored-mails';

const SCANNER = { module: require.resolve('./scan-mails.task'), name: 'scanMails' };
/** Time limit of a scan, in milliseconds. The scan is linear, so only a fault in it can take this long. */
const SCAN_TIMEOUT_MS = 60_000;
/** Limits of the mails of one task: handing one over to a thread costs as much as scanning it. */
const GROUP = { mails: 32, bytes: 1024 * 1024 };
/**
 * Bytes of messages that all scans of this process hold, without their text; half of it for those of one user. A larger
 * mail is scanned alone.
 */
const MEMORY = { capacity: 32 * 1024 * 1024, perKey: 16 * 1024 * 1024 };

/** Outcome for one mail. */
export type ScanOutcome =
  | { readonly mail: StoredMail; readonly scanned: ScannedMail }
  | { readonly mail: StoredMail; readonly problem: Unreadable | 'scan-failed' };

/** Scans archived mails on worker threads, within a budget of memory. */
@Injectable()
export class MailScanner {
  private readonly logger = new Logger(MailScanner.name);
  private readonly memory = new FairSemaphore(MEMORY);

  constructor(
    private readonly loader: PiiMailLoader,
    private readonly mails: StoredMails,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Reads and scans mails that belong together, see `groupsOf`. Their rows say which are encrypted.
   * @throws what an unavailable store throws, WorkerPoolStopped, and the signal's reason
   */
  async scan(group: readonly StoredMail[], signal: AbortSignal): Promise<ScanOutcome[]> {
    const bytes = group.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const { userId } = group[0]!;
    let share: Share | undefined;
    const room = async (): Promise<void> => {
      // The bytes are read, and copied once more for the worker.
      share ??= await this.memory.reserve(userId, 2 * bytes, signal);
    };
    try {
      const outcomes = await this.readAndScan(group, signal, room);
      return await Promise.all(outcomes.map((outcome) => this.rescanIfAltered(outcome, signal, room)));
    } finally {
      share?.release();
    }
  }

  private async readAndScan(
    group: readonly StoredMail[],
    signal: AbortSignal,
    room: () => Promise<void>,
  ): Promise<ScanOutcome[]> {
    const contents = await this.loader.loadAll(group, signal, room);
    const readable = group.flatMap((mail, index) => {
      const content = contents[index]!;
      return typeof content === 'string' ? [] : [{ mail, content }];
    });
    const scanned = await this.scanRead(readable);
    return group.map((mail, index) => {
      const content = contents[index]!;
      return typeof content === 'string' ? { mail, problem: content } : scanned.get(mail.id)!;
    });
  }

  /** Scans a mail again by its current row, in case it was replaced while it was read. */
  private async rescanIfAltered(
    outcome: ScanOutcome,
    signal: AbortSignal,
    room: () => Promise<void>,
  ): Promise<ScanOutcome> {
    if (!isAltered(outcome)) return outcome;
    const { mail } = outcome;
    const current = await this.mails.find(mail.accountId, mail.id);
    if (!current || current.sha256 === mail.sha256) return outcome;
    if (current.isEncrypted) return { mail, problem: 'encrypted' };
    const [second] = await this.readAndScan([current], signal, room);
    return second ?? outcome;
  }

  private async scanRead(
    read: readonly { mail: StoredMail; content: Buffer }[],
  ): Promise<Map<string, ScanOutcome>> {
    if (read.length === 0) return new Map();
    try {
      const contents = read.map(({ content }) => content);
      const scanned = await runJoined<ScannedMail>(this.workers, SCANNER, contents, SCAN_TIMEOUT_MS);
      return new Map(read.map(({ mail }, index) => [mail.id, outcomeOf(mail, scanned[index]!)]));
    } catch (error) {
      if (error instanceof WorkerPoolStopped) throw error;
      const [only] = read;
      if (only && read.length === 1) {
        // The error itself is not logged, because its message may quote the mail.
        this.logger.error(`Mail ${only.mail.id} could not be scanned: ${(error as Error).name}`);
        return new Map([[only.mail.id, { mail: only.mail, problem: 'scan-failed' }]]);
      }
      // Each mail is scanned alone, to find those that failed.
      const outcomes = new Map<string, ScanOutcome>();
      for (const one of read)
        for (const [id, outcome] of await this.scanRead([one])) outcomes.set(id, outcome);
      return outcomes;
    }
  }
}

/** The outcome of a scan: altered bytes are a problem, not a result. */
const outcomeOf = (mail: StoredMail, scanned: ScannedMail): ScanOutcome =>
  scanned.sha256 === mail.sha256 ? { mail, scanned } : { mail, problem: 'archived-file-altered' };

const isAltered = (outcome: ScanOutcome): boolean =>
  'problem' in outcome && outcome.problem === 'archived-file-altered';

/** Groups mails of one store that are read and scanned together, in their order; a large one is alone. */
export function groupsOf(mails: readonly StoredMail[]): StoredMail[][] {
  const groups: StoredMail[][] = [];
  let bytes = 0;
  let isOpen = false;
  for (const mail of mails) {
    const group = groups.at(-1);
    const isSmall = mail.sizeBytes <= SMALL_MAIL;
    const fits =
      isOpen &&
      group !== undefined &&
      isSmall &&
      group.length < GROUP.mails &&
      bytes + mail.sizeBytes <= GROUP.bytes &&
      group[0]!.storage === mail.storage;
    if (fits) group.push(mail);
    else groups.push([mail]);
    bytes = fits ? bytes + mail.sizeBytes : mail.sizeBytes;
    isOpen = isSmall;
  }
  return groups;
}
