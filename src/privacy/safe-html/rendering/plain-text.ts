import { parseUrl } from '../../../platform/egress/parse-url';
import { escapeHtml } from '../markup/escape';
import { linkNote } from '../markup/link-text';
import { safeLink } from '../markup/links';
import type { DocumentTexts } from './document-texts';
import type { RenderFindings } from './render-findings';
import type { ShownPart } from './shown-parts';

const MAX_QUOTES = 20;
const ADDRESS = /\b(?:https?:\/\/|mailto:|www\.)[^\s<>"'`]{1,2000}/gi;
const SIGNATURE = '-- ';
/** Least length that counts for a line. */
const LEAST_LINE = 8;

interface Line {
  readonly depth: number;
  readonly text: string;
}

/**
 * Plain text as HTML: line breaks and spaces as they are, quoted lines (`>`) as quotations, addresses as links,
 * flowed paragraphs (RFC 3676) put together again. Linear in the text.
 */
export function plainTextHtml(part: ShownPart, findings: RenderFindings, texts: DocumentTexts): string {
  const lines = part.text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const read = part.flowed ? flowedLines(lines, part.delSp) : lines.map(fixedLine);
  let html = '';
  let depth = 0;
  for (const [place, line] of read.entries()) {
    const written =
      (line.depth === depth && place > 0 ? '\n' : '') +
      '<blockquote>'.repeat(Math.max(0, line.depth - depth)) +
      '</blockquote>'.repeat(Math.max(0, depth - line.depth)) +
      linkText(line.text, findings, texts);
    if (!findings.hasRoom(Math.max(written.length, LEAST_LINE))) break;
    html += written;
    depth = line.depth;
  }
  return html + '</blockquote>'.repeat(depth);
}

/** Reads a line of a fixed text: people leave spaces between the marks, and one after them. */
function fixedLine(line: string): Line {
  const marks = /^(?:> ?){0,20}/.exec(line)?.[0] ?? '';
  return { depth: countMarks(marks), text: line.slice(marks.length) };
}

/** Reads flowed lines (RFC 3676 §4): marks stand without spaces, and a space before the text may be stuffing. */
function flowedLines(lines: readonly string[], delSp: boolean): Line[] {
  const paragraphs: { depth: number; pieces: string[] }[] = [];
  let flows = false;
  for (const line of lines) {
    const marks = /^>*/.exec(line)?.[0] ?? '';
    const depth = Math.min(marks.length, MAX_QUOTES);
    const text = line.slice(marks.length).replace(/^ /, '');
    const isFlowing = text.endsWith(' ') && text !== SIGNATURE;
    const shown = isFlowing && delSp ? text.slice(0, -1) : text;
    const last = paragraphs.at(-1);
    if (flows && last?.depth === depth && text !== SIGNATURE) last.pieces.push(shown);
    else paragraphs.push({ depth, pieces: [shown] });
    flows = isFlowing;
  }
  return paragraphs.map(({ depth, pieces }) => ({ depth, text: pieces.join('') }));
}

function countMarks(marks: string): number {
  return marks.replaceAll(' ', '').length;
}

function linkText(text: string, findings: RenderFindings, texts: DocumentTexts): string {
  let html = '';
  let end = 0;
  for (const found of text.matchAll(ADDRESS)) {
    const shown = trimPunctuation(found[0]);
    const target = safeLink(/^www\./i.test(shown) ? `http://${shown}` : shown, '', findings);
    if (target === null) continue;
    html += escapeHtml(text.slice(end, found.index));
    html += `<a href="${escapeHtml(target)}" rel="noopener noreferrer nofollow" target="_blank">${escapeHtml(shown)}</a>`;
    const leadsTo = parseUrl(target);
    if (leadsTo) html += linkNote(shown, leadsTo, texts);
    end = found.index + shown.length;
  }
  return html + escapeHtml(text.slice(end));
}

/** The address without the punctuation that ends its sentence, or a bracket that was opened before it. */
function trimPunctuation(address: string): string {
  let unopened = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1] as string;
    if (last === ')' && unopened <= 0) break;
    if (last === ')') unopened--;
    else if (!/[.,;:!?\]}*_~]/.test(last)) break;
  }
  return address.slice(0, end);
}
