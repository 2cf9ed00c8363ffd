import { findWords } from './find-words';
import type { SoughtTerm } from './sought-words';

/** A longer document is shown without marks: reading it again would hold up the page. */
const MOST_CHARACTERS = 2_000_000;
const NO_TEXT = new Set(['SCRIPT', 'STYLE', 'TITLE', 'TEXTAREA', 'TEMPLATE', 'NOSCRIPT']);

/** A document of the service, made safe, with the words marked that a search looks for. */
export function markDocument(html: string, terms: readonly SoughtTerm[]): string {
  if (terms.every(({ places }) => !places.includes('text')) || html.length > MOST_CHARACTERS) return html;
  const mail = new DOMParser().parseFromString(html, 'text/html');
  const walker = mail.createTreeWalker(mail.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!NO_TEXT.has(node.parentElement?.tagName ?? '')) texts.push(node);
  }
  let isMarked = false;
  for (const node of texts) {
    const places = findWords(node.data, terms, 'text');
    isMarked ||= places.length > 0;
    // From the end: what is before a place stays where it is.
    for (const { start, end } of places.toReversed()) {
      node.splitText(end);
      const marked = node.splitText(start);
      const mark = mail.createElement('mark');
      marked.replaceWith(mark);
      mark.append(marked);
    }
  }
  return isMarked ? `<!doctype html>${mail.documentElement.outerHTML}` : html;
}
