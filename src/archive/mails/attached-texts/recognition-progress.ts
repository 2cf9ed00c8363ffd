/** UTF-16 units of text that are kept for attachments with unread pictures, some thousand pages. */
const MAX_KEPT = 16 * 1024 * 1024;

/** The pictures of an attachment as far as they have been read, in their order. */
export interface RecognizedPictures {
  readonly sha256: string;
  readonly texts: string[];
  /** Why the text of one of them is not known. */
  problem: 'picture-damaged' | 'crashed' | null;
}

/**
 * Keeps the texts of attachments whose pictures take longer than one step, so that the next step goes on. They are lost with the process, and
 * those that were used least recently go first: such an attachment is read from its beginning.
 */
export class RecognitionProgress {
  private readonly known = new Map<string, RecognizedPictures>();

  /** Progress of an attachment with this content. */
  of(attachmentId: string, sha256: string): RecognizedPictures {
    const known = this.known.get(attachmentId);
    const progress = known?.sha256 === sha256 ? known : { sha256, texts: [], problem: null };
    this.known.delete(attachmentId);
    this.known.set(attachmentId, progress);
    this.limit();
    return progress;
  }

  end(attachmentId: string): void {
    this.known.delete(attachmentId);
  }

  private limit(): void {
    let kept = 0;
    for (const [id, { texts }] of [...this.known].reverse()) {
      kept += texts.reduce((sum, text) => sum + text.length + 1, 0);
      if (kept > MAX_KEPT) this.known.delete(id);
    }
  }
}
