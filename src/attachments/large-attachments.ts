import type { MessageWithParts } from '../mailbox/message-index/reads/indexed-messages';

/** Attachments above this are worth a look. */
export const LARGE_BYTES = 100 * 1024;

export interface LargeAttachment {
  readonly message: MessageWithParts;
  readonly partId: string;
  readonly filename: string;
  readonly mimeType: string;
  /** Decoded. */
  readonly sizeBytes: number;
}

/**
 * Files above 100 KiB, largest first; images shown inside the text are no files.
 * @param messages newest first, which is the order of files of one size
 */
export function largeAttachments(messages: readonly MessageWithParts[]): LargeAttachment[] {
  return messages
    .flatMap((message) =>
      message.parts
        .filter(
          ({ filename, isInline, sizeBytes }) => filename !== '' && !isInline && sizeBytes > LARGE_BYTES,
        )
        .map(({ partId, filename, mimeType, sizeBytes }) => ({
          message,
          partId,
          filename,
          mimeType,
          sizeBytes,
        })),
    )
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
}
