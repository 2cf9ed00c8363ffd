import { allLeavesOf } from './attachment-parts';
import { Defects } from './defects';
import { readMimeTree } from './mime-tree';
import { parseMessage } from './parse-message';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));

const INNER = [
  'From: Ida Inner <ida@inner.example>',
  'Subject: innersubject',
  'Content-Type: multipart/mixed; boundary=i',
  '',
  'preamble',
  '--i',
  '',
  'innerbody',
  '--i',
  'Content-Type: application/pdf; name=inner.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjQK',
  '--i--',
  'epilogue',
];

const forwarded = (...inner: string[]): Buffer =>
  message(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'FYI',
    '--b',
    'Content-Type: message/rfc822',
    '',
    ...inner,
    '--b',
    'Content-Type: text/plain; name=last.txt',
    'Content-Disposition: attachment',
    '',
    'last',
    '--b--',
    '',
  );

const partsOf = (raw: Buffer): Record<string, string> => {
  const leaves = allLeavesOf(readMimeTree(raw, new Defects()));
  return Object.fromEntries(
    leaves.map(({ partId, bodyStart, bodyEnd }) => [partId, raw.toString('latin1', bodyStart, bodyEnd)]),
  );
};

describe('a message in a part', () => {
  it('should be read with its parts, which are numbered below it as in IMAP', () => {
    expect(partsOf(forwarded(...INNER))).toEqual({
      1: 'FYI',
      2: INNER.join('\r\n'),
      2.1: 'innerbody',
      2.2: 'JVBERi0xLjQK',
      3: 'last',
    });
    expect(partsOf(forwarded('Subject: x', '', 'text'))).toMatchObject({
      2: 'Subject: x\r\n\r\ntext',
      2.1: 'text',
    });
  });

  it('should be shown with its heading, and its attachments listed behind it', () => {
    const { text, snippet, attachments, hasAttachments, defects } = parseMessage(forwarded(...INNER));
    expect(text).toBe('FYI\n\ninnersubject\nFrom: Ida Inner <ida@inner.example>\n\ninnerbody');
    expect(snippet).toMatch(/^FYI innersubject/);
    expect(attachments.map(({ partId, filename, sizeBytes }) => [partId, filename, sizeBytes])).toEqual([
      ['2', 'message.eml', INNER.join('\r\n').length],
      ['2.2', 'inner.pdf', 9],
      ['3', 'last.txt', 4],
    ]);
    expect([hasAttachments, defects]).toEqual([true, []]);
  });

  it('should be the message itself when the root is one', () => {
    const raw = message('Subject: outer', 'Content-Type: message/rfc822', '', ...INNER);
    expect(parseMessage(raw).text).toContain('innerbody');
    expect(Object.keys(partsOf(raw))).toEqual(['1', '1.1', '1.2']);
  });

  it('should be found for each one of a digest', () => {
    const raw = message(
      'Content-Type: multipart/digest; boundary=d',
      '',
      '--d',
      '',
      'Subject: one',
      '',
      'first text',
      '--d',
      '',
      'Subject: two',
      '',
      'second text',
      '--d--',
    );
    expect(parseMessage(raw).text).toBe('one\n\nfirst text\n\ntwo\n\nsecond text');
    expect(Object.keys(partsOf(raw)).toSorted()).toEqual(['1', '1.1', '2', '2.1']);
  });

  it('should end where the outer message continues, whatever it leaves open', () => {
    const open = INNER.slice(0, -2);
    expect(partsOf(forwarded(...open))).toMatchObject({
      2: open.join('\r\n'),
      2.2: 'JVBERi0xLjQK',
      3: 'last',
    });
    // The boundary of the message around it stays that of the message around it.
    const same = INNER.map((line) => line.replace('boundary=i', 'boundary=b').replace(/^--i/, '--b'));
    expect(partsOf(forwarded(...same))['1']).toBe('FYI');
  });

  it('should count for the content as its bytes only', () => {
    const plain = parseMessage(forwarded(...INNER));
    const changed = parseMessage(forwarded(...INNER.map((line) => line.replace('epilogue', 'epilogues'))));
    expect(plain.contentSha256).not.toBe(changed.contentSha256);
  });

  it('should be left closed below ten others', () => {
    const nested = Array.from({ length: 20 }, () => ['Content-Type: message/rfc822', '']).flat();
    const leaves = allLeavesOf(readMimeTree(message(...nested, 'Subject: x', '', 'deep'), new Defects()));
    expect(leaves).toHaveLength(11);
  });

  it('should have as many parts as a message may, and cut nothing else off', () => {
    const many = Array.from({ length: 1_500 }, () => ['--i', '', 'x']).flat();
    const raw = forwarded('Content-Type: multipart/mixed; boundary=i', '', ...many, '--i--');
    const parsed = parseMessage(raw);
    expect(parsed.attachments.at(-1)?.filename).toBe('last.txt');
    expect([parsed.defects, parsed.contentSha256 === parsed.sha256]).toEqual([[], false]);
  });
});
