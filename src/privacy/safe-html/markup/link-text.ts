import type { DocumentTexts } from '../rendering/document-texts';
import { escapeHtml } from './escape';
import { MAX_LINK_TEXT, otherHost } from './named-hosts';

/**
 * Look of the note behind a link. Written at the element and important, as no rule of a message is stronger then; `all` leaves out the
 * direction of the text.
 */
const NOTE_STYLE = [
  'all:initial',
  'direction:ltr',
  'unicode-bidi:isolate',
  'display:inline-block',
  'margin:0 4px',
  'padding:0 6px',
  'border:1px solid #b8860b',
  'border-radius:3px',
  'background:#fff8e1',
  'color:#5f3b00',
  'font:12px/1.5 system-ui,sans-serif',
]
  .map((declaration) => `${declaration}!important`)
  .join(';');

/** The note behind a link whose text names another site than it leads to; empty for others. */
export function linkNote(text: string, target: URL, texts: DocumentTexts): string {
  const host = otherHost(text, target);
  if (host === null) return '';
  return ` <span class="mailroom-leads" style="${NOTE_STYLE}">${escapeHtml(texts.leadsTo(host))}</span>`;
}

/** The text of a link while it is written. */
export class LinkText {
  private text = '';

  constructor(private readonly target: URL) {}

  add(text: string): void {
    if (this.text.length < MAX_LINK_TEXT) this.text += text;
  }

  note(texts: DocumentTexts): string {
    return linkNote(this.text, this.target, texts);
  }
}
