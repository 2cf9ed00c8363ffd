import { parseMessage } from './parse-message';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));

const alternative = (plain: string, html: string): Buffer =>
  message(
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    plain,
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b--',
    '',
  );

const single = (type: string, body: string): ReturnType<typeof parseMessage> =>
  parseMessage(message(`Content-Type: ${type}`, '', body));

describe('the text of a message', () => {
  it('should be that of the HTML when the plain alternative only points to it', () => {
    const { text, snippet } = parseMessage(
      alternative(
        'To read this message use a program that shows HTML.',
        '<p>Your booking QZ7-4417 for Lisbon, seat quietcoach</p>',
      ),
    );
    expect(snippet).toMatch(/^Your booking QZ7-4417 for Lisbon/);
    expect(text).toContain('use a program that shows HTML');
  });

  it('should begin with the plain alternative otherwise, and end with the text that only the HTML contains', () => {
    const plain = 'Dear Tom,\r\nthe meeting is on Friday at noon, in the usual room.\r\nNora';
    const html =
      '<p>Dear Tom,</p><p>the meeting is on Friday at noon, in the usual room.</p><p>Nora</p><p>Order 71450</p>';
    expect(parseMessage(alternative(plain, html)).text).toBe(
      'Dear Tom,\nthe meeting is on Friday at noon, in the usual room.\nNora\n\nOrder 71450',
    );
  });

  it.each([
    ['text/html charset=utf-8', '<p>semicolonword visible</p>', 'semicolonword visible'],
    ['text/enriched; charset=us-ascii', '<bold>enrichedword</bold> hello <<x', 'enrichedword hello <x'],
    ['text/enriched', 'one\r\ntwo\r\n\r\n<color><param>red</param>three</color>', 'one two\nthree'],
    ['text/richtext', '<bold>bold</bold><nl>next', 'bold\nnext'],
    ['text/markdown; charset=utf-8', '# markdownword\r\n\r\n* item', '# markdownword\n\n* item'],
    ['text/x-patch', '--- a/file', '--- a/file'],
    ['text/pain', 'misspelt', 'misspelt'],
    ['application/xhtml+xml', '<html xmlns="x"><body><p>xhtmlword</p></body></html>', 'xhtmlword'],
    ['message/feedback-report', 'Feedback-Type: abuse', 'Feedback-Type: abuse'],
    [
      'text/plain',
      '<html><head><style>.cssword{}</style></head><body><p>realword</p></body></html>',
      'realword',
    ],
    ['text/plain', '<div>first</div><p>second</p>', 'first\nsecond'],
    ['text/plain', 'Use <p> for paragraphs.', 'Use <p> for paragraphs.'],
    ['text/plain', '<p> begins a paragraph', '<p> begins a paragraph'],
  ])('should be read from %s: %s', (type, body, expected) => {
    expect(single(type, body).text).toBe(expected);
    expect(single(type, body).attachments).toEqual([]);
  });

  it('should be that of an attachment that is the only part of the message', () => {
    const raw = message(
      'Content-Type: text/plain; charset=utf-8',
      'Content-Disposition: attachment',
      '',
      'rootattachword visible',
    );
    expect(parseMessage(raw).text).toBe('rootattachword visible');
    const inMultipart = message(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename=log.txt',
      '',
      'onlypart',
      '--b--',
    );
    const { text, attachments } = parseMessage(inMultipart);
    expect([text, attachments.map(({ filename }) => filename)]).toEqual(['onlypart', ['log.txt']]);
  });

  it('should not be that of an attachment beside other text, nor of a calendar', () => {
    const raw = message(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'hi',
      '--b',
      'Content-Type: text/plain; name=log.txt',
      'Content-Disposition: attachment',
      '',
      'attached',
      '--b',
      'Content-Type: text/calendar; method=REQUEST',
      '',
      'BEGIN:VCALENDAR',
      '--b--',
    );
    const { text, attachments } = parseMessage(raw);
    expect(text).toBe('hi');
    expect(attachments.map(({ mimeType }) => mimeType)).toEqual(['text/plain', 'text/calendar']);
  });

  it('should be decoded in spite of quotes around the encoding', () => {
    const raw = message(
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: "quoted-printable"',
      '',
      'gr=C3=BCn',
    );
    expect(parseMessage(raw).text).toBe('grün');
  });
});
