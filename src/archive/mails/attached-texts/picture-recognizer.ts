import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore';
import { AppConfig } from '../../../platform/config/app-config';
import {
  type PageToRecognize,
  type RecognitionOutcome,
  TextRecognition,
} from '../../../platform/documents/pictures/text-recognition';
import { DocumentsUnreadable } from './attachment-text-reader';

/** Recognizes the text of pictures, one at a time in each process of the service. */
@Injectable()
export class PictureRecognizer implements OnApplicationBootstrap {
  private readonly logger = new Logger(PictureRecognizer.name);
  private readonly turns = new FairSemaphore({ capacity: 1, perKey: 1 });
  private readonly recognition: TextRecognition | null;
  private isComplete = false;

  constructor(private readonly config: AppConfig) {
    const { ocrLanguages } = config.jobs;
    this.recognition = ocrLanguages === null ? null : new TextRecognition(ocrLanguages);
  }

  /** Says in the log what is missing: mail is archived without it, so the service starts. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.recognition || !this.config.runsJobs || !this.config.jobs.readAttachments) return;
    const missing = await this.recognition.findMissing(new AbortController().signal);
    if (missing === null)
      this.logger.log(`Text of pictures is recognized in ${this.config.jobs.ocrLanguages}`);
    else this.logger.error(`OCR_LANGUAGES is set, but pictures cannot be read: missing ${missing}`);
  }

  /** @throws DocumentsUnreadable when a program or language is missing */
  async requirePrograms(signal: AbortSignal): Promise<void> {
    if (this.isComplete) return;
    const missing = await this.recognition?.findMissing(signal);
    if (missing) throw new DocumentsUnreadable(`missing ${missing}`);
    this.isComplete = true;
  }

  /** Runs work that recognizes pictures; users take turns. @throws the signal's reason while it waits */
  async takeTurn<T>(userId: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = await this.turns.reserve(userId, 1, signal);
    try {
      return await work();
    } finally {
      turn.release();
    }
  }

  /** Recognizes a page within a turn. @throws DocumentsUnreadable; the signal's reason */
  async recognize(page: PageToRecognize, signal: AbortSignal): Promise<RecognitionOutcome> {
    if (!this.recognition) throw new DocumentsUnreadable('recognition is turned off');
    const outcome = await this.recognition.recognize(page, signal);
    if (outcome.kind !== 'missing') return outcome;
    this.isComplete = false;
    throw new DocumentsUnreadable(outcome.reason);
  }
}
