import { parseMessage } from '../../../platform/mime/parse-message';
import { type Excerpt, excerptOf } from './excerpt';
import type { SoughtTerm } from './sought-terms';

export interface ExcerptTask {
  readonly raws: readonly Uint8Array[];
  readonly terms: readonly SoughtTerm[];
}

export interface PageExcerptTask {
  readonly texts: readonly string[];
  readonly terms: readonly SoughtTerm[];
}

/** Worker-thread entry: the part of each page of a file that matches; null for a page whose text does not. */
export const findPageExcerpts = ({ texts, terms }: PageExcerptTask): (Excerpt | null)[] =>
  texts.map((text) => excerptOf(text, terms, 'file'));

/** Worker-thread entry: the part of each message's text that matches; null for a message whose text does not. */
export function findTextExcerpts({ raws, terms }: ExcerptTask): (Excerpt | null)[] {
  return raws.map((raw) => {
    const { text, attachedText } = parseMessage(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
    return excerptOf(text, terms, 'text') ?? excerptOf(attachedText, terms, 'text');
  });
}
