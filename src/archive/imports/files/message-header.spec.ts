import { countMessageFields, isMessage } from './message-header';

const headerOf = (...lines: string[]): Buffer =>
  Buffer.from(`${lines.join('\r\n')}\r\n\r\nFrom: not a field\r\n`);

describe('countMessageFields', () => {
  it('should count each field of messages once, in any case', () => {
    expect(countMessageFields(headerOf('Received: a', 'RECEIVED: b', 'Subject: c', 'X-Own: d'))).toBe(2);
  });

  it('should pass over unknown fields that are folded, also before the first known one', () => {
    const header = headerOf(
      'X-Apparently-To: a@b',
      'Received-SPF: pass',
      ' (c)',
      '\treceiver=d',
      'From: e',
      'Date: f',
    );
    expect(isMessage(header)).toBe(true);
  });

  it('should pass over lines that are no field while they are fewer than the fields', () => {
    expect(isMessage(headerOf('From: a', 'X-B: c', 'no field', 'Subject: d'))).toBe(true);
    expect(isMessage(headerOf('From: a', 'no field', 'no field either', 'Subject: d'))).toBe(false);
  });

  it.each(['\r\n', '\n', '\r'])('should read lines that end with %j', (end) => {
    expect(countMessageFields(Buffer.from(`From: a${end}Subject: b${end}${end}To: c`))).toBe(2);
  });

  it.each([
    ['text', 'Dear all,\nFrom: the beginning\nTo: the end\nSubject: none\n'],
    ['a list of settings', 'name: a\nversion: 1\nlicense: MIT\n'],
    ['a page of a browser', 'HTTP/1.1 200 OK\nDate: x\nContent-Type: text/html\n\n'],
    ['a calendar', 'BEGIN:VCALENDAR\nVERSION:2.0\n'],
    ['nothing', ''],
  ])('should not take %s for a message', (_what, text) => {
    expect(isMessage(Buffer.from(text))).toBe(false);
  });

  it('should not take a page that a browser has saved for a message', () => {
    expect(isMessage(headerOf('From: <Saved by Blink>', 'Subject: page', 'Date: now'))).toBe(false);
  });
});
