import { Injectable } from '@nestjs/common';
import { AttachedTextIndexer, withoutText } from './attached-text-indexer';
import { AttachmentContents } from './attachment-content';
import type { AttachedText, WaitingAttachment } from './attached-texts.repository';
import { DocumentReader } from './document-reader';

/** Readings after which an attachment is given up. */
export const MAX_ATTEMPTS = 3;

/** Documents cannot be read on this machine. */
export class DocumentsUnreadable extends Error {}

/** The document has ended its process, and is read again. */
export class DocumentCrashed extends Error {}

/** Reads the text of attachments and makes their words. */
@Injectable()
export class AttachmentTextReader {
  constructor(
    private readonly contents: AttachmentContents,
    private readonly documents: DocumentReader,
    private readonly indexer: AttachedTextIndexer,
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
    if (outcome.kind === 'read') return this.indexer.index(sha256, outcome.reading);
    if (attempts < MAX_ATTEMPTS) throw new DocumentCrashed(outcome.reason);
    return withoutText('failed', 'crashed', sha256);
  }
}
