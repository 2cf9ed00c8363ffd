import { escapeHtml } from '../markup/escape';
import { DOCUMENT_TEXTS, type DocumentLanguage } from './document-texts';

/**
 * Policy by which the document can only be shown. The headers of the answer say the same and more; this is for a page that
 * puts the document into a `srcdoc`.
 */
export const DOCUMENT_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** Style by which content wider than the frame scrolls sideways, also when the message would hide it. */
const STYLE = `html{color-scheme:light}
body{margin:0;padding:12px;background:#fff;color:#1c1c1c;font:14px/1.5 system-ui,sans-serif;overflow-wrap:break-word}
img{max-width:100%}
body .mailroom-part [class*=mailroom-body-]{overflow:visible!important}
.mailroom-part+.mailroom-part{margin-top:24px;border-top:1px solid #ddd;padding-top:24px}
.mailroom-text{white-space:pre-wrap;overflow-wrap:anywhere}
.mailroom-text blockquote{margin:0;padding-left:12px;border-left:3px solid #ccc;color:#555}
.mailroom-heading{display:grid;grid-template-columns:max-content 1fr;gap:2px 12px;margin:0;color:#444}
.mailroom-heading dt{color:#666}
.mailroom-heading dd{margin:0;overflow-wrap:anywhere}
.mailroom-heading+.mailroom-part{border-top:0;padding-top:0;margin-top:12px}
.mailroom-image{display:inline-block;min-width:16px;min-height:16px;max-width:100%;padding:2px 6px;border:1px dashed #bbb;background:#f5f5f5;color:#666;font:12px/1.4 system-ui,sans-serif}
.mailroom-notice{color:#666;font-style:italic}`;

/** The pieces of a message's document. */
export interface DocumentParts {
  readonly subject: string;
  /** Safe CSS of the message. */
  readonly css: string;
  /** Safe markup of its parts. */
  readonly bodies: readonly string[];
  readonly truncated: boolean;
  readonly language: DocumentLanguage;
}

/** One HTML document, for a sandboxed frame. */
export function safeDocument({ subject, css, bodies, truncated, language }: DocumentParts): string {
  const texts = DOCUMENT_TEXTS[language];
  const shown = bodies.length > 0 ? bodies.join('\n') : notice(texts.empty);
  return [
    '<!DOCTYPE html>',
    '<html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${DOCUMENT_POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(subject)}</title>`,
    `<style>${STYLE}</style>${css === '' ? '' : `<style>${css}</style>`}`,
    `</head><body>${shown}${truncated ? notice(texts.truncated) : ''}</body></html>`,
    '',
  ].join('\n');
}

function notice(text: string): string {
  return `<p class="mailroom-notice">${text}</p>`;
}
