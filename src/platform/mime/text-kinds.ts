import { htmlToText } from './html-text';
import type { MimeEntity } from './mime-tree';

/** The markup of a part that is text. */
export type TextKind = 'plain' | 'html' | 'enriched';

/** Text that is a file for a program rather than something to read, and reports in text (RFC 3464, RFC 8098, RFC 5965). */
const FILES =
  /^text\/(?:calendar|x-vcalendar|vcard|x-vcard|directory|csv|tab-separated-values|rtf|css|xml|(?:java|ecma)script|x-amp-html)$/;
const REPORTS = /^message\/(?:delivery-status|disposition-notification|feedback-report)$/;
const HTML = /^(?:text\/(?:x-)?x?html?\d?|application\/(?:x-)?xhtml\+xml|html\/text)$/;
const ENRICHED = /^text\/(?:enriched|richtext)$/;
/** Types that programs write for text/plain. */
const MISSPELT = /^(?:plain\/text|te?xt\/plain|test\/plain|text)$/;

/** The start of a document, or of markup that ends as such, where text/plain was promised. */
const HTML_DOCUMENT =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/is;
const MARKUP_START = /^\s*<(?:div|p|table|span|style|meta|font|center|br)\b[^<>]{0,2000}>/i;
const MARKUP_END = /<\/(?:div|p|table|span|font|center|a)\s*>\s*$/i;

/**
 * The kind of text in a part; null for parts that are not text. An unknown text type is read as text/plain
 * (RFC 2046 §4.1.4).
 */
export function textKindOf({ mediaType }: Pick<MimeEntity, 'mediaType'>): TextKind | null {
  if (HTML.test(mediaType)) return 'html';
  if (ENRICHED.test(mediaType)) return 'enriched';
  if (REPORTS.test(mediaType) || MISSPELT.test(mediaType)) return 'plain';
  return mediaType.startsWith('text/') && !FILES.test(mediaType) ? 'plain' : null;
}

/** Whether a text that is labelled text/plain is HTML: a document, or markup from the first to the last character. */
export function looksLikeHtml(text: string): boolean {
  if (HTML_DOCUMENT.test(text.slice(0, 2_000))) return true;
  return MARKUP_START.test(text.slice(0, 4_000)) && MARKUP_END.test(text.slice(-200));
}

/**
 * Converts text/enriched (RFC 1896) and text/richtext (RFC 1341 §7.1.3) to plain text. In enriched text, a line end alone is a
 * space.
 */
export function enrichedToText(text: string, limit: number): string {
  // The elements of both are inline for HTML, but for those that hold parameters.
  const marked = text
    .slice(0, limit)
    .replace(/\r\n?/g, '\n')
    .replace(/<param>[^<]{0,1000}<\/param>/gi, '')
    .replace(/\n+/g, (ends) => (ends.length === 1 ? ' ' : '<br>'.repeat(ends.length - 1)))
    .replace(/<nl>/gi, '<br>')
    .replaceAll('<<', '&lt;')
    .replace(/<\/?(?:bold|italic|underline|fixed|smaller|bigger|fontfamily|color|excerpt|lang)>/gi, '');
  return htmlToText(marked, limit);
}
