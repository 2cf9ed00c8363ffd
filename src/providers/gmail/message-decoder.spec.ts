import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import {
  decodeInternalDate,
  decodeMetadata,
  findPart,
  METADATA_FIELDS,
  unescapeHtml,
} from './message-decoder';

type Part = gmail_v1.Schema$MessagePart;

const part = (mimeType: string, headers: Record<string, string> = {}, more: Part = {}): Part => ({
  mimeType,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  body: { size: 10 },
  ...more,
});
const message = (...parts: Part[]): gmail_v1.Schema$Message => ({
  id: 'm',
  threadId: 't',
  payload: {
    ...part('multipart/mixed'),
    parts: parts.map((each, index) => ({ partId: String(index), ...each })),
  },
});

describe('hostile headers', () => {
  const words = '=?iso-2022-jp?B?YQ==?= '.repeat(40_000);
  const hostile = message(part('image/png', {}, { filename: words }));
  hostile.payload!.headers = ['Subject', 'From', 'To', 'Date', 'Message-ID', 'List-Unsubscribe'].map(
    (name) => ({
      name,
      value: words,
    }),
  );

  it('should be cut before they are decoded', () => {
    decodeMetadata(hostile);
    const since = performance.now();
    const decoded = decodeMetadata(hostile);
    // Uncut, it took half a second.
    expect(performance.now() - since).toBeLessThan(150);
    expect(decoded.subject).toMatch(/^a+$/);
    expect(decoded.subject.length).toBeLessThanOrEqual(998);
    for (const text of [decoded.from, decoded.to]) {
      expect(text).toMatch(/^a{100,}$/);
      expect(text.length).toBeLessThanOrEqual(10_000);
    }
    expect(decoded.parts[0]!.filename).toMatch(/^a+$/);
    expect(decoded.date.length).toBeLessThanOrEqual(998);
  });

  it('should be left out when cutting makes them meaningless', () => {
    const decoded = decodeMetadata(hostile);
    expect(decoded.messageIdHeader).toBeNull();
    expect(decoded.listUnsubscribe).toBeNull();
  });

  it('should be kept whole at usual lengths', () => {
    const to = Array.from({ length: 300 }, (_, index) => `p${index}@example.test`).join(', ');
    const whole = message();
    whole.payload!.headers = [{ name: 'To', value: to }];
    expect(decodeMetadata(whole).to).toBe(to);
  });
});

describe('decodeMetadata', () => {
  it('should read headers case-insensitively, decoded, the first of a name', () => {
    const headers = {
      subject: '=?utf-8?B?UmXDp3U=?= =?utf-8?Q?_no=2E_1?=\r\n\tcontinued',
      FROM: '"=?iso-8859-1?Q?Andr=E9?=" <a@b.test>',
      To: 'x@y.test',
      Date: 'Mon, 1 Jan 2024 10:00:00 +0100',
      'Message-Id': '<1@b.test>',
      'List-Unsubscribe': '<mailto:u@b.test>, <https://b.test/u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const decoded = decodeMetadata({
      id: 'm',
      threadId: 't',
      internalDate: '1704099600000',
      sizeEstimate: 5,
      snippet: 'a &lt; b &#39;c&#x27;',
      labelIds: ['INBOX', 'UNREAD'],
      payload: part('text/plain', headers),
    });
    expect(decoded).toEqual({
      id: 'm',
      threadId: 't',
      internalDate: new Date('2024-01-01T09:00:00Z'),
      date: headers.Date,
      subject: 'Reçu no. 1 continued',
      from: '"André" <a@b.test>',
      to: 'x@y.test',
      sizeEstimate: 5,
      snippet: "a < b 'c'",
      labelIds: ['INBOX', 'UNREAD'],
      hasAttachments: false,
      parts: [],
      listUnsubscribe: headers['List-Unsubscribe'],
      listUnsubscribePost: headers['List-Unsubscribe-Post'],
      messageIdHeader: '<1@b.test>',
    });
  });

  it('should join several List-Unsubscribe fields', () => {
    const payload = part('text/plain', {});
    payload.headers = ['<mailto:u@b.test>', ' <https://b.test/u>'].map((value) => ({
      name: 'List-Unsubscribe',
      value,
    }));
    expect(decodeMetadata({ id: 'm', payload }).listUnsubscribe).toBe(
      '<mailto:u@b.test>, <https://b.test/u>',
    );
  });

  it('should survive an empty message', () => {
    expect(decodeMetadata({ id: 'm' })).toMatchObject({
      subject: '',
      from: '',
      labelIds: [],
      listUnsubscribe: null,
      messageIdHeader: null,
      internalDate: new Date(0),
    });
  });

  it.each<[string, Part, boolean, { isInline: boolean } | null]>([
    ['a named file', part('application/pdf', {}, { filename: 'a.pdf' }), true, { isInline: false }],
    [
      'an image referred to',
      part('image/png', { 'Content-ID': '<x>' }, { filename: 'a.png' }),
      false,
      { isInline: true },
    ],
    [
      'such an image declared an attachment',
      part(
        'image/png',
        { 'Content-ID': '<x>', 'Content-Disposition': 'Attachment; filename=a.png' },
        { filename: 'a.png' },
      ),
      true,
      { isInline: false },
    ],
    [
      'an inline image without a Content-ID',
      part('image/png', { 'Content-Disposition': 'inline; filename=a.png' }, { filename: 'a.png' }),
      true,
      { isInline: false },
    ],
    [
      'a pdf with a Content-ID',
      part('application/pdf', { 'Content-ID': '<x>' }, { filename: 'a.pdf' }),
      true,
      { isInline: false },
    ],
    [
      'a nameless attachment',
      part('application/octet-stream', { 'Content-Disposition': 'attachment' }, { filename: '' }),
      false,
      { isInline: false },
    ],
    ['a body part', part('text/html'), false, null],
  ])('%s', (_name, each, hasAttachments, listed) => {
    const decoded = decodeMetadata(message(part('text/plain'), each));
    expect(decoded.hasAttachments).toBe(hasAttachments);
    expect(decoded.parts).toEqual(
      listed ? [expect.objectContaining({ partId: '1', sizeBytes: 10, ...listed })] : [],
    );
  });

  it('should find parts at any depth', () => {
    const deep = part(
      'multipart/mixed',
      {},
      {
        parts: [
          part(
            'multipart/related',
            {},
            { parts: [part('text/csv', {}, { partId: '0.0.0', filename: '=?utf-8?Q?=C3=A9?=.csv' })] },
          ),
        ],
      },
    );
    const decoded = decodeMetadata(message(deep));
    expect(decoded.parts).toEqual([
      { partId: '0.0.0', filename: 'é.csv', mimeType: 'text/csv', sizeBytes: 10, isInline: false },
    ]);
  });

  it('should address a message that is only a file', () => {
    const payload = part('application/pdf', {}, { partId: '', filename: 'scan.pdf' });
    const [only] = decodeMetadata({ id: 'm', payload }).parts;
    expect(only!.partId).toBe('0');
    expect(findPart(payload, '0')).toBe(payload);
    expect(findPart(payload, '1')).toBeUndefined();
    expect(findPart(undefined, '0')).toBeUndefined();
  });

  it('should never request the content of parts', () => {
    expect(METADATA_FIELDS).toContain('parts(partId');
    expect(METADATA_FIELDS).not.toMatch(/data|raw/);
  });
});

describe('unescapeHtml', () => {
  it.each([
    ['&amp;lt;', '&lt;'],
    ['&#128512;', '\u{1f600}'],
    ['&unknown; &', '&unknown; &'],
    ['&#0; &#x110000;', '&#0; &#x110000;'],
    ['&QUOT;&nbsp;', '"\u00a0'],
  ])('%s', (escaped, text) => {
    expect(unescapeHtml(escaped)).toBe(text);
  });
});

describe('decodeInternalDate', () => {
  it.each([
    ['1700000000123', 1_700_000_000_123],
    [undefined, 0],
    ['tomorrow', 0],
  ])('%s', (value, ms) => {
    expect(decodeInternalDate(value).getTime()).toBe(ms);
  });
});
