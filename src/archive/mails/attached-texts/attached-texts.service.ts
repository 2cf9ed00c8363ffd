import { Injectable, Logger } from '@nestjs/common';
import { BackgroundPace, waitForBackgroundTurn } from '../../../platform/concurrency/background-pace';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
  ObjectMissing,
} from '../../files/archive-store.errors';
import { ArchiveStores } from '../../files/archive-store.port';
import { isDataRefused } from '../writing/archive-writer';
import { AppConfig } from '../../../platform/config/app-config';
import { withoutText } from './attached-text-indexer';
import { AttachmentTextReader, DocumentsUnreadable, MAX_ATTEMPTS } from './attachment-text-reader';
import { AttachedTextRecorder } from './attached-text-recorder';
import {
  AttachedTextsRepository,
  type AttachedText,
  type WaitingAttachment,
  type WaitingKind,
} from './attached-texts.repository';
import { PictureRecognizer } from './picture-recognizer';
import { PictureTextReader, RecognitionUnfinished } from './picture-text-reader';
import { countAttachedText } from './attached-text-metrics';
import { DocumentReader } from './document-reader';

/**
 * Time after which a step ends, in milliseconds; the next step does the rest. A page may take 40 seconds after that, and the
 * step of an account is interrupted after a minute.
 */
const STEP_MS: Readonly<Record<WaitingKind, number>> = { documents: 20_000, pictures: 10_000 };
const BATCH = 100;
/** Attachments with pictures that are made to wait at once, when recognition has been turned on. */
const ALIGNED = 10_000;
/** Name of the task that reads attachments. */
export const READ_ATTACHMENTS_CHORE = 'read_attachments';
/** Most attachments with lost files that wait again at once. */
const RETRIED = 1_000;

/** The account whose attachments are read. */
export interface ReadAccount {
  readonly id: string;
  readonly userId: string;
}

/** State of the attachments of an account after a step. `unreadable`: documents cannot be read on this machine. */
export type ReadingProgress = 'done' | 'more' | 'left-over' | 'unreadable';

/** A step of an account. */
interface Step {
  readonly kind: WaitingKind;
  readonly account: ReadAccount;
  readonly signal: AbortSignal;
  readonly until: number;
  /** Stores that cannot be reached. */
  readonly unavailable: Set<string>;
  /** Stores that had a file. */
  readonly proved: Set<string>;
  /** Attachments whose files were not there. */
  readonly missing: WaitingAttachment[];
  read: number;
  failed: number;
  left: number;
  problem: unknown;
}

/**
 * Reads the text of archived attachments in the background, those of the newest mails first. The rows say what is left, so that it
 * can be interrupted at any point; a reading is counted before it begins, so that a file that ends the service is given up.
 */
@Injectable()
export class AttachedTextsService {
  private readonly logger = new Logger(AttachedTextsService.name);

  constructor(
    private readonly texts: AttachedTextsRepository,
    private readonly reader: AttachmentTextReader,
    private readonly documents: DocumentReader,
    private readonly pictureReader: PictureTextReader,
    private readonly recognizer: PictureRecognizer,
    private readonly config: AppConfig,
    private readonly recorder: AttachedTextRecorder,
    private readonly stores: ArchiveStores,
    private readonly pace: BackgroundPace,
  ) {}

  /** Reads attachments of an account for some seconds. Those whose store cannot be reached at the moment are left for later. */
  readSome(account: ReadAccount, signal: AbortSignal): Promise<ReadingProgress> {
    return this.pace.run(async () => {
      await this.texts.alignPictures(account.id, this.config.jobs.ocrLanguages !== null, ALIGNED);
      return this.readBatches('documents', account, signal);
    });
  }

  /** Reads pictures in attachments of an account for some seconds. */
  recognizeSome(account: ReadAccount, signal: AbortSignal): Promise<ReadingProgress> {
    return this.pace.run(() => this.readBatches('pictures', account, signal));
  }

  private async readBatches(
    kind: WaitingKind,
    account: ReadAccount,
    signal: AbortSignal,
  ): Promise<ReadingProgress> {
    const step: Step = {
      kind,
      account,
      signal,
      until: Date.now() + STEP_MS[kind],
      unavailable: new Set(),
      proved: new Set(),
      missing: [],
      read: 0,
      failed: 0,
      left: 0,
      problem: null,
    };
    try {
      return await this.readWaiting(step);
    } catch (error) {
      if (!(error instanceof DocumentsUnreadable)) throw error;
      step.problem = error;
      return 'unreadable';
    } finally {
      await this.report(step);
    }
  }

  private async readWaiting(step: Step): Promise<ReadingProgress> {
    let after: WaitingAttachment | null = null;
    for (;;) {
      const batch: WaitingAttachment[] = await this.texts.findWaiting(
        step.account.id,
        step.kind,
        after,
        [...step.unavailable],
        BATCH,
      );
      if (batch.length === 0) {
        await this.recordMissing(step);
        return step.left > 0 ? 'left-over' : 'done';
      }
      const encrypted = batch.filter(({ mail }) => mail.isEncrypted).map(({ id }) => id);
      if (encrypted.length > 0) await this.texts.markEncrypted(step.account.id, encrypted);
      for (const attachment of batch) {
        after = attachment;
        step.signal.throwIfAborted();
        await waitForBackgroundTurn();
        if (attachment.mail.isEncrypted || step.unavailable.has(attachment.mail.storage)) continue;
        const turns = step.kind === 'documents' ? this.documents : this.recognizer;
        const isInTime = await turns.takeTurn(
          step.account.userId,
          async () => {
            // It may have waited for the documents of others.
            if (Date.now() > step.until) return false;
            return this.readOne(step, attachment);
          },
          step.signal,
        );
        if (!isInTime) return 'more';
      }
    }
  }

  /** @returns whether the step may go on with another one */
  private async readOne(step: Step, attachment: WaitingAttachment): Promise<boolean> {
    const { account, signal } = step;
    if (step.kind === 'pictures') await this.recognizer.requirePrograms(signal);
    const attempts = await this.texts.beginAttempt(account.id, attachment.id);
    if (attempts === null) return true;
    // The service has ended in the middle of these readings.
    if (attempts > MAX_ATTEMPTS) {
      await this.record(step, attachment, withoutText('failed', 'crashed'));
      return true;
    }
    let text: AttachedText;
    try {
      text = await this.readText(step, attachment, attempts);
      step.proved.add(attachment.mail.storage);
    } catch (error) {
      if (error instanceof RecognitionUnfinished) {
        await this.texts.takeAttemptBack(account.id, attachment.id);
        return false;
      }
      await this.handleFailure(step, attachment, attempts, error);
      return true;
    }
    await this.record(step, attachment, text);
    return true;
  }

  private readText(
    { kind, account: { userId }, until, signal }: Step,
    attachment: WaitingAttachment,
    attempts: number,
  ): Promise<AttachedText> {
    return kind === 'documents'
      ? this.reader.read(userId, attachment, attempts, signal)
      : this.pictureReader.read(userId, attachment, attempts, until, signal);
  }

  private async handleFailure(
    step: Step,
    attachment: WaitingAttachment,
    attempts: number,
    error: unknown,
  ): Promise<void> {
    const { account, signal } = step;
    const { storage } = attachment.mail;
    if (signal.aborted || error instanceof DocumentsUnreadable) {
      await this.texts.takeAttemptBack(account.id, attachment.id);
      signal.throwIfAborted();
      throw error;
    }
    if (error instanceof ObjectMissing) {
      step.missing.push(attachment);
      return this.texts.takeAttemptBack(account.id, attachment.id);
    }
    step.left += 1;
    step.problem ??= error;
    if (isOfStore(error)) {
      step.unavailable.add(storage);
      return this.texts.takeAttemptBack(account.id, attachment.id);
    }
    if (attempts >= MAX_ATTEMPTS) await this.record(step, attachment, withoutText('failed', 'unreadable'));
  }

  /**
   * A missing file counts as lost only in a store that has another one: the disk of the archive may not be there at all. It is
   * looked for again every day.
   */
  private async recordMissing(step: Step): Promise<void> {
    for (const attachment of step.missing) {
      if (await this.hasFiles(step, attachment.mail.storage))
        await this.record(step, attachment, withoutText('failed', 'missing'));
      else {
        step.left += 1;
        step.problem ??= new ObjectMissing();
      }
    }
  }

  private async hasFiles({ proved, unavailable, signal }: Step, storage: string): Promise<boolean> {
    if (proved.has(storage) || unavailable.has(storage)) return proved.has(storage);
    try {
      const store = await this.stores.find(storage);
      const files = store.list('', { signal })[Symbol.asyncIterator]();
      const { done } = await files.next();
      await files.return?.();
      if (done !== true) proved.add(storage);
    } catch (error) {
      if (!isOfStore(error)) throw error;
      unavailable.add(storage);
    }
    return proved.has(storage);
  }

  /** Makes attachments wait again whose files were lost: they may have been brought back. */
  retryLost(account: ReadAccount): Promise<number> {
    return this.texts.makeLostWait(account.id, RETRIED);
  }

  private async record(step: Step, attachment: WaitingAttachment, text: AttachedText): Promise<void> {
    try {
      await this.recordOnce(step, attachment, text);
    } catch (error) {
      if (!isDataRefused(error)) throw error;
      await this.recordOnce(step, attachment, withoutText('failed', 'refused', text.sha256));
    }
  }

  private async recordOnce(step: Step, attachment: WaitingAttachment, text: AttachedText): Promise<void> {
    const { id: accountId, userId } = step.account;
    const outcome = await this.recorder.record({ userId, accountId }, attachment, text);
    // It was encrypted or moved meanwhile, or is gone.
    if (outcome === 'unchanged') return this.texts.takeAttemptBack(accountId, attachment.id);
    if (text.state === 'failed') step.failed += 1;
    else step.read += 1;
    // Its pictures are still to be read, and it is counted after that.
    if (text.state !== 'waiting') countAttachedText(text.state);
  }

  private async report({ account, read, failed, left, problem }: Step): Promise<void> {
    if (read + failed > 0) {
      const remaining = await this.texts.countWaiting(account.id);
      this.logger.log(
        `Read the text of ${read} attachments of account ${account.id}, ${failed} could not be read; ${remaining} are left`,
      );
    }
    if (left > 0 || problem !== null)
      this.logger.warn(`${left} attachments are read again later: ${String(problem)}`);
  }
}

const isOfStore = (error: unknown): boolean =>
  error instanceof ArchiveStoreUnavailable ||
  error instanceof ArchiveStoreRefused ||
  error instanceof ArchiveStoreUnknown;
