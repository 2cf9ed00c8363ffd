import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser, type ParsedMail } from 'mailparser';
import { contentIdOf, leavesOf } from '../../../platform/mime/attachment-parts';
import { Defects } from '../../../platform/mime/defects';
import { readMimeTree } from '../../../platform/mime/mime-tree';
import { decodeBounded } from '../../../platform/mime/transfer-decoder';
import { type ShownPart, shownParts } from './shown-parts';

const CORPUS = join(__dirname, '../../../../../shared/data/eml');
const describeCorpus = existsSync(CORPUS) ? describe : describe.skip;

const MESSAGE = 'it does not show the message in the message';
const HEADER = 'it does not show the header that a report returns';
const LABEL = 'it believes a label that UTF-8 proves wrong';

/** Messages of which mailparser shows something else, and why; see ADR 39. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'mail-gem/attachment_emails/attachment_message_rfc822.eml': MESSAGE,
  'mail-gem/attachment_emails/attachment_pdf_non_ascii.eml': LABEL,
  'mail-gem/attachment_emails/attachment_pdf_non_ascii_lf.eml': LABEL,
  'mail-gem/error_emails/content_transfer_encoding_7-bit.eml': LABEL,
  'mail-gem/error_emails/content_transfer_encoding_empty.eml':
    'it reads valid UTF-8 as the Big5 of the label',
  'mail-gem/error_emails/multiple_invalid_content_dispositions.eml': 'it takes the HTML for an attachment',
  'mail-gem/mime_emails/raw_email_with_mimepart_without_content_type.eml': MESSAGE,
  'mail-gem/multi_charset/japanese_attachment_long_name.eml':
    'it does not show an attached text that is all there is',
  'mail-gem/multipart_report_emails/multi_address_bounce1.eml': MESSAGE,
  'mail-gem/multipart_report_emails/multi_address_bounce2.eml': MESSAGE,
  'mail-gem/multipart_report_emails/multipart_report_multiple_status.eml': MESSAGE,
  'mail-gem/multipart_report_emails/report_422.eml': HEADER,
  'mail-gem/multipart_report_emails/report_530.eml': HEADER,
  'mail-parser/legacy/033.eml': 'it reads Latin-1 as the UTF-8 of the label',
  'mail-parser/legacy/052.eml': 'it reads Latin-1 without a label as UTF-8',
  'mail-parser/rfc/000.eml': 'it does not show text/enriched',
  'mail-parser/rfc/002.eml': 'it counts the heading of an attached message as text',
  'mail-parser/rfc/003.eml': 'it does not show text/enriched',
  'mail-parser/rfc/004.eml': 'it counts the headings of a digest as text',
  'mail-parser/rfc/007.eml': 'it shows both alternatives, and parts out of their order',
  'mail-parser/rfc/009.eml': MESSAGE,
};

const files = (): string[] =>
  readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .sort();

const oracle = (raw: Buffer): Promise<ParsedMail> =>
  simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });

/** Without blanks, and without the line breaks that mailparser puts between parts. */
const characters = (text: string): string => text.replace(/\s+|<br\/>/g, '');

const textOf = (parts: readonly ShownPart[], kind: ShownPart['kind']): string =>
  characters(
    parts
      .filter((part) => part.kind === kind)
      .map(({ text }) => text)
      .join(''),
  );

/** HTML where there is any, else text: mailparser keeps the two apart, in one string each. */
function isSame(parts: readonly ShownPart[], theirs: ParsedMail): boolean {
  const html = textOf(parts, 'html');
  const theirHtml = characters(theirs.html || '');
  if (html === '') return theirHtml === '' && textOf(parts, 'text') === characters(theirs.text ?? '');
  return html === theirHtml && textOf(parts, 'text') === '';
}

const shown = (raw: Buffer): readonly ShownPart[] =>
  shownParts(readMimeTree(raw, new Defects())).parts.flatMap((part) =>
    part.kind === 'heading' ? [] : [part],
  );

describe(shownParts.name, () => {
  it.each([
    ['with its heading', ['Subject: inner', ''], [{ name: 'Subject', value: 'inner' }]],
    ['without a heading when it has none', ['X-Other: 1', ''], null],
  ])('should show a message in a message %s', (_, header, lines) => {
    const raw = Buffer.from(['Content-Type: message/rfc822', '', ...header, 'text'].join('\r\n'));
    const { parts } = shownParts(readMimeTree(raw, new Defects()));
    const text = expect.objectContaining({ kind: 'text', text: 'text' });
    expect(parts).toEqual(lines ? [{ kind: 'heading', lines }, text] : [text]);
  });

  it('should keep the order of HTML and text, such as the footer of a mailing list', () => {
    const raw = Buffer.from(
      [
        'Content-Type: multipart/mixed; boundary=a\r\n',
        '--a\r\nContent-Type: multipart/alternative; boundary=b\r\n',
        '--b\r\nContent-Type: text/plain\r\n\r\nhello',
        '--b\r\nContent-Type: text/html\r\n\r\n<p>hello</p>\r\n--b--',
        '--a\r\nContent-Type: text/plain\r\n\r\nlist footer\r\n--a--\r\n',
      ].join('\r\n'),
    );

    expect(shown(raw).map(({ kind, text }) => [kind, text])).toEqual([
      ['html', '<p>hello</p>'],
      ['text', 'list footer'],
    ]);
  });
});

describeCorpus('shown parts of real and unusual mail', () => {
  it('should match those of mailparser, except for the listed differences', async () => {
    const different: string[] = [];
    for (const name of files()) {
      const raw = readFileSync(join(CORPUS, name));
      if (!isSame(shown(raw), await oracle(raw))) different.push(name);
    }
    expect(different).toEqual(Object.keys(DIFFERENT));
  });

  it('should be shown with the same inline images', async () => {
    let images = 0;
    for (const name of files()) {
      const raw = readFileSync(join(CORPUS, name));
      const { attachments } = await oracle(raw);
      const theirs = new Map(attachments.map(({ cid, content }) => [cid, content]));
      for (const leaf of leavesOf(readMimeTree(raw, new Defects()))) {
        const id = contentIdOf(leaf);
        if (id === null) continue;
        const bytes = decodeBounded(raw.subarray(leaf.bodyStart, leaf.bodyEnd), leaf.encoding, raw.length);
        expect([name, id, theirs.get(id)?.equals(bytes)]).toEqual([name, id, true]);
        images++;
      }
    }
    expect(images).toBeGreaterThan(15);
  });
});
