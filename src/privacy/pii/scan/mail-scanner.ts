import { Injectable, Logger } from '@nestjs/common';
import { SharedBudget } from '../../../archive/shared-budget';
import { WorkClock } from '../../../common/workers/work-clock';
import { WorkerPool, WorkerPoolStopped } from '../../../common/workers/worker-pool';
import type { ScanMailsTask, ScannedMail } from './scan-mails.task';
import { MailReader, SMALL_MAIL, type Unreadable } from './mail-reader';
import { type MailToScan, MailsToScanRepository } from './mails-to-scan.repository';

const SCANNER = { module: require.resolve('./scan-mails.task'), name: 'scanMails' };
/** The scan is linear; mails it works on this long have found a fault in it. */
const SCAN_TIMEOUT_MS = 60_000;
/** Mails of one task: the way to a thread and back costs as much as scanning one. */
const GROUP = { mails: 32, bytes: 1024 * 1024 };
/** What all scans of this process hold of messages, before their text: a mail larger than that is scanned alone. */
const MEMORY = 32 * 1024 * 1024;

/** What became of one mail. */
export type ScanOutcome =
  | { readonly mail: MailToScan; readonly scanned: ScannedMail }
  | { readonly mail: MailToScan; readonly problem: Unreadable | 'scan-failed' };

/** Brings archived mails through the scan, on worker threads, within a budget of memory. */
@Injectable()
export class MailScanner {
  private readonly logger = new Logger(MailScanner.name);
  private readonly memory = new SharedBudget(MEMORY);

  constructor(
    private readonly reader: MailReader,
    private readonly mails: MailsToScanRepository,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Reads and scans mails that belong together, see `groupsOf`. Encrypted ones are told by their row.
   * @throws what a store that is away throws, WorkerPoolStopped, and the signal's reason
   */
  async scan(group: readonly MailToScan[], signal: AbortSignal): Promise<ScanOutcome[]> {
    const bytes = group.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // Read, and once more as it is handed over.
    const share = await this.memory.reserve(2 * bytes, signal);
    try {
      const outcomes = await this.readAndScan(group, signal);
      return await Promise.all(outcomes.map((outcome) => this.again(outcome, signal)));
    } finally {
      share.release();
    }
  }

  private async readAndScan(group: readonly MailToScan[], signal: AbortSignal): Promise<ScanOutcome[]> {
    const contents = await this.reader.readAll(group, signal);
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

  /** A mail that was replaced while it was read has another row by now. */
  private async again(outcome: ScanOutcome, signal: AbortSignal): Promise<ScanOutcome> {
    if ('problem' in outcome ? outcome.problem !== 'archived-file-altered' : !outcome.scanned.isAltered)
      return outcome;
    const { mail } = outcome;
    const altered: ScanOutcome = { mail, problem: 'archived-file-altered' };
    const current = await this.mails.find(mail.accountId, mail.id);
    if (!current || current.sha256 === mail.sha256) return altered;
    if (current.isEncrypted) return { mail, problem: 'encrypted' };
    const [second] = await this.readAndScan([current], signal);
    return !second || ('scanned' in second && second.scanned.isAltered) ? altered : second;
  }

  private async scanRead(
    read: readonly { mail: MailToScan; content: Buffer }[],
  ): Promise<Map<string, ScanOutcome>> {
    if (read.length === 0) return new Map();
    try {
      const scanned = await this.scanInWorker(read);
      return new Map(read.map(({ mail }, index) => [mail.id, { mail, scanned: scanned[index]! }]));
    } catch (error) {
      if (error instanceof WorkerPoolStopped) throw error;
      const [only] = read;
      if (only && read.length === 1) {
        // Not the error itself: nobody knows what of the mail its message quotes.
        this.logger.error(`Mail ${only.mail.id} could not be scanned: ${(error as Error).name}`);
        return new Map([[only.mail.id, { mail: only.mail, problem: 'scan-failed' }]]);
      }
      // Which of them it was, each alone will show.
      const outcomes = new Map<string, ScanOutcome>();
      for (const one of read)
        for (const [id, outcome] of await this.scanRead([one])) outcomes.set(id, outcome);
      return outcomes;
    }
  }

  private async scanInWorker(read: readonly { mail: MailToScan; content: Buffer }[]): Promise<ScannedMail[]> {
    const bytes = joined(read.map(({ content }) => content));
    const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const clock = new WorkClock(startedAt, SCAN_TIMEOUT_MS);
    try {
      return await this.workers.run<ScanMailsTask, ScannedMail[]>(
        SCANNER,
        {
          bytes,
          lengths: read.map(({ content }) => content.length),
          sha256: read.map(({ mail }) => mail.sha256),
          startedAt,
        },
        { transfer: [bytes], signal: clock.signal },
      );
    } finally {
      clock.dispose();
    }
  }
}

/** Mails of one store that are read and scanned together, in their order; a large one is alone. */
export function groupsOf(mails: readonly MailToScan[]): MailToScan[][] {
  const groups: MailToScan[][] = [];
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

/** A copy to hand over: a view would hand over everything else in the same allocation. */
function joined(contents: readonly Buffer[]): ArrayBuffer {
  const bytes = Buffer.allocUnsafeSlow(contents.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const content of contents) end += content.copy(bytes, end);
  return bytes.buffer;
}
