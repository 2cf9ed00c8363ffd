import type { DocumentLanguage } from './rendering/document-texts';
import { renderMail, type SafeMail } from './rendering/render-mail';

export interface SafeHtmlTask {
  /** The raw message. */
  readonly raw: ArrayBuffer;
  readonly subject: string;
  /** Remote images to show, by their addresses. */
  readonly fetched?: ReadonlyMap<string, Uint8Array>;
  readonly language: DocumentLanguage;
  /** A BigInt64 that is set to the time the work begins, in milliseconds since 1970: waiting for a thread is not work. */
  readonly startedAt: SharedArrayBuffer;
}

/** Worker-thread entry: renders a message as safe HTML; see `renderMail`. */
export function renderSafeHtml({ raw, subject, fetched, language, startedAt }: SafeHtmlTask): SafeMail {
  Atomics.store(new BigInt64Array(startedAt), 0, BigInt(Date.now()));
  return renderMail(Buffer.from(raw), subject, { fetched, language });
}
