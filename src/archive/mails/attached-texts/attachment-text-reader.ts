import { Injectable } from '@nestjs/common';
import type { DocumentReading } from '../../../platform/documents/document-text';
import { WorkerPool } from '../../../platform/workers/worker-pool';
import { AttachmentContents } from './attachment-content';
import type { AttachedText, WaitingAttachment } from './attached-texts.repository';
import { DocumentReader } from './document-reader';
import type { AttachedTextTask, AttachedWords } from './index-attached-text.task';
import { NO_WORDS } from '../search/search-vector';

const INDEXER = { module: require.resolve('./index-attached-text.task'), name: 'indexAttachedText' };
/** Readings after which an attachment is given up. */
export const MAX_ATTEMPTS = 3;

/** Documents cannot be read on this machine. */
export class DocumentsUnreadable extends Error {}

/** The document has ended its process, and is read again. */
export class DocumentCrashed extends Error {}

const NO_ATTACHED_WORDS: AttachedWords = { pages: [], ofMail: NO_WORDS };

/** An attachment without text. */
export const withoutText = (
  state: AttachedText['state'],
  reason: string | null,
  sha256: Buffer | null = null,
): AttachedText => ({ state, reason, sha256, pages: [], words: NO_ATTACHED_WORDS });

/** Reads the text of attachments and makes their words. */
@Injectable()
export class AttachmentTextReader {
  constructor(
    private readonly contents: AttachmentContents,
    private readonly documents: DocumentReader,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Reads an attachment within a turn of `DocumentReader`.
   * @param attempts readings that have begun, with this one
   * @throws DocumentsUnreadable; DocumentCrashed, unless it was the last attempt; the errors of `AttachmentContents.read`
   */
  async read(
    userId: string,
    attachment: WaitingAttachment,
    attempts: number,
    signal: AbortSignal,
  ): Promise<AttachedText> {
    const { sha256, length, bytes } = await this.contents.read(userId, attachment, signal);
    if (length !== attachment.sizeBytes) return withoutText('failed', 'altered');
    if (bytes === null) return withoutText('too-large', 'size-limit', sha256);
    if (bytes.length === 0) return withoutText('nothing', null, sha256);
    const outcome = await this.documents.read(attachment, bytes, signal);
    if (outcome.kind === 'missing') throw new DocumentsUnreadable(outcome.reason);
    if (outcome.kind === 'read') return this.index(sha256, outcome.reading);
    if (attempts < MAX_ATTEMPTS) throw new DocumentCrashed(outcome.reason);
    return withoutText('failed', 'crashed', sha256);
  }

  private async index(sha256: Buffer, { pages, problem }: DocumentReading): Promise<AttachedText> {
    if (pages.length === 0 && problem === null) return withoutText('nothing', null, sha256);
    if (pages.length === 0) return withoutText(problem!.state, problem!.reason, sha256);
    const words = await this.workers.run<AttachedTextTask, AttachedWords>(INDEXER, {
      texts: pages.map(({ text }) => text),
    });
    const found = { sha256, pages, words };
    if (problem) return { ...found, state: problem.state, reason: problem.reason };
    if (words.ofMail.isCut) return { ...found, state: 'too-large', reason: 'text-limit' };
    return { ...found, state: 'indexed', reason: null };
  }
}
