import type { RawMessage } from '../../mailbox-provider.port';
import type { Base64Fields } from './base64-field-reader';
import { decodeInternalDate, unescapeHtml } from './message-decoder';

/** The key of the bytes in an answer to a `format=raw` get. */
export const RAW_FIELD = 'raw';

interface RawFields {
  readonly id?: string;
  readonly threadId?: string;
  readonly labelIds?: string[];
  readonly snippet?: string;
  readonly internalDate?: string;
}

/**
 * Makes a message of the answer to a `format=raw` get.
 * @throws SyntaxError when it is not such an answer
 */
export function decodeRawAnswer(answer: Base64Fields): RawMessage {
  const fields = answer.fields as RawFields | null;
  if (typeof fields?.id !== 'string' || !answer.bytes) {
    throw new SyntaxError('The answer is not a raw message');
  }
  return {
    id: fields.id,
    threadId: fields.threadId ?? '',
    internalDate: decodeInternalDate(fields.internalDate),
    labelIds: fields.labelIds ?? [],
    snippet: unescapeHtml(fields.snippet ?? ''),
    bytes: answer.bytes,
  };
}
