import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config';
import type {
  DocumentPage,
  DocumentProblem,
  DocumentReading,
} from '../../../platform/documents/document-text';
import { WorkerPool } from '../../../platform/workers/worker-pool';
import { NO_WORDS } from '../search/search-vector';
import type { AttachedText } from './attached-texts.repository';
import type { AttachedTextTask, AttachedWords } from './index-attached-text.task';

const INDEXER = { module: require.resolve('./index-attached-text.task'), name: 'indexAttachedText' };
/** Reason of an attachment with pictures whose text has not been recognized. */
export const PICTURES = 'pictures';

const NO_ATTACHED_WORDS: AttachedWords = { pages: [], ofMail: NO_WORDS, ofPictures: NO_WORDS };

/** An attachment without text. */
export const withoutText = (
  state: AttachedText['state'],
  reason: string | null,
  sha256: Buffer | null = null,
): AttachedText => ({ state, reason, sha256, pages: [], words: NO_ATTACHED_WORDS });

/** The text of an attachment whose pictures have been read. */
export interface CompletedText {
  readonly pages: readonly DocumentPage[];
  readonly problem: DocumentProblem | { readonly state: 'failed'; readonly reason: 'crashed' } | null;
  /** Texts from pictures, which are in the pages too. */
  readonly recognized: readonly string[];
}

/** Makes the words of attachments, and says what is known of their texts. */
@Injectable()
export class AttachedTextIndexer {
  constructor(
    private readonly workers: WorkerPool,
    private readonly config: AppConfig,
  ) {}

  /** Indexes a document. Its pictures, if there are any, are still to be recognized, as far as that is turned on. */
  index(sha256: Buffer, { pages, problem, pictures }: DocumentReading): Promise<AttachedText> {
    const isComplete = pictures.length === 0 || problem !== null;
    return this.indexPages(sha256, { pages, problem, recognized: [] }, isComplete);
  }

  /** Indexes a document whose pictures have been recognized. */
  indexCompleted(sha256: Buffer, text: CompletedText): Promise<AttachedText> {
    return this.indexPages(sha256, text, true);
  }

  private async indexPages(
    sha256: Buffer,
    { pages, problem, recognized }: CompletedText,
    isComplete: boolean,
  ): Promise<AttachedText> {
    const words =
      pages.length === 0
        ? NO_ATTACHED_WORDS
        : await this.workers.run<AttachedTextTask, AttachedWords>(INDEXER, {
            texts: pages.map(({ text }) => text),
            recognized,
          });
    const found = { sha256, pages, words };
    if (problem) return { ...found, state: problem.state, reason: problem.reason };
    if (words.ofMail.isCut) return { ...found, state: 'too-large', reason: 'text-limit' };
    const state = pages.length === 0 ? 'nothing' : 'indexed';
    if (isComplete) return { ...found, state, reason: null };
    return { ...found, state: this.config.jobs.ocrLanguages === null ? state : 'waiting', reason: PICTURES };
  }
}
