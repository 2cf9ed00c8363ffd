import { describe, expect, it } from 'vitest';
import { findWords } from './find-words';
import { markDocument } from './mark-document';
import { soughtWords, type SoughtPlace } from './sought-words';

const show = (q: string, text: string, place: SoughtPlace = 'text'): string => {
  let shown = '';
  let done = 0;
  for (const { start, end } of findWords(text, soughtWords(q), place)) {
    shown += `${text.slice(done, start)}[${text.slice(start, end)}]`;
    done = end;
  }
  return shown + text.slice(done);
};

describe('the words of a message that a search looks for', () => {
  it.each([
    ['copper', 'The copper pipe', 'The [copper] pipe'],
    ['COPPER in:anywhere', 'Copper, coppersmith', '[Copper], coppersmith'],
    ['copper', 'Copper, coppersmith', '[Copper], [coppersmith]'],
    ['"copper pipe" x', 'copper; pipe, pipe copper', '[copper; pipe], pipe copper'],
    ['*rechnung x', 'Abrechnung', '[Abrechnung]'],
    ['inv* x', 'invoices', '[invoices]'],
    ['reunion x', 'La réunion', 'La [réunion]'],
    ['Mueller x', 'Müller Muller', '[Müller] [Muller]'],
    ['Müller x', 'Mueller', '[Mueller]'],
    ['strasse x', 'Straße', '[Straße]'],
    ['DE89370400440532013000', 'IBAN DE89 3704 0044 0532 0130 00.', 'IBAN [DE89 3704 0044 0532 0130 00].'],
    ['"71450/36214"', 'No 7145036214', 'No [7145036214]'],
    ['roof -copper', 'copper roof', 'copper [roof]'],
    ['roof -(copper pipe)', 'copper pipe roof', 'copper pipe [roof]'],
    ['{roof copper} OR x', 'copper or roof', '[copper] or [roof]'],
    ['body:copper subject:pipe', 'copper pipe', '[copper] pipe'],
    ['is:unread label:copper larger:5M', 'copper unread 5M', 'copper unread 5M'],
    ['re: copper x', 're copper', '[re] [copper]'],
    ['"open phrase', 'an open phrase', 'an [open phrase]'],
    ['🔧 pipe', '🔧 pipe', '🔧 [pipe]'],
    ['', 'copper', 'copper'],
    ['- " (', 'copper', 'copper'],
  ])('should be for %s those of %s', (q, text, shown) => {
    expect(show(q, text)).toBe(shown);
  });

  it('should be looked for in the part of the message that the term names', () => {
    expect(show('from:ada', 'Ada', 'text')).toBe('Ada');
    expect(show('from:ada', 'Ada', 'people')).toBe('[Ada]');
    expect(show('file:plan', 'plan.pdf', 'filename')).toBe('[plan].pdf');
    expect(show('subject:(copper pipe) x', 'copper pipe', 'subject')).toBe('[copper] [pipe]');
  });
});

describe('a marked document', () => {
  const mark = (q: string, body: string): string =>
    new DOMParser().parseFromString(
      markDocument(`<html><body>${body}</body></html>`, soughtWords(q)),
      'text/html',
    ).body.innerHTML;

  it('should have marks in its texts, and nothing else changed', () => {
    expect(mark('copper', '<p title="copper">A copper <b>Copper</b> pipe</p>')).toBe(
      '<p title="copper">A <mark>copper</mark> <b><mark>Copper</mark></b> pipe</p>',
    );
    expect(mark('copper x', '<style>copper { }</style>copper &lt;b&gt; copper')).toBe(
      '<style>copper { }</style><mark>copper</mark> &lt;b&gt; <mark>copper</mark>',
    );
  });

  it('should be the same text when nothing is looked for in it', () => {
    const html = '<p>copper';
    for (const q of ['', 'from:copper', 'nothing']) expect(markDocument(html, soughtWords(q))).toBe(html);
  });

  it('should take a long message in a moment', () => {
    const html = `<p>${'copper wire '.repeat(100_000)}</p>`;
    expect(markDocument(html, soughtWords('copper'))).toContain('<mark>');
  });
});
