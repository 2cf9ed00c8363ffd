import { readMessageDates } from './message-dates';
import { parseMessage } from './parse-message';

const received = 'Received: from a by b; Mon, 5 Jul 2010 10:00:00 +0200';
const RECEIVED_AT = new Date('2010-07-05T08:00:00.000Z');
const of = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\ntext\r\n`);

describe('parseMessage', () => {
  it.each([
    ['of the last hop', [received, 'Received: from c by a; Sun, 4 Jul 2010 09:00:00 +0000']],
    ['that stands behind the Date header', ['Date: Thu, 01 Jan 1970 00:00:00 +0000', received]],
    [
      'that is folded',
      ['Received: from a\r\n\tby b (x; y) id 1;\r\n\tMon, 5 Jul 2010 10:00:00 +0200 (CEST)'],
    ],
    ['of qmail', ['Received: (qmail 1 invoked by uid 5); 5 Jul 2010 08:00:00 -0000']],
    [
      'of the first hop with a date',
      ['Received: from a by b with HTTP', 'Received: by c; sometime', received],
    ],
  ])('should read the arrival from the Received header %s', (_name, lines) => {
    expect(parseMessage(of(...lines)).receivedAt).toEqual(RECEIVED_AT);
  });

  it('should know no arrival without a Received header that tells', () => {
    expect(parseMessage(of('Date: Mon, 5 Jul 2010 10:00:00 +0200', 'Received: by c')).receivedAt).toBeNull();
  });

  it('should take no offence at hundreds of Received headers', () => {
    const { receivedAt, defects } = parseMessage(of(received, ...Array<string>(300).fill('Received: by c')));
    expect({ receivedAt, defects }).toEqual({ receivedAt: RECEIVED_AT, defects: [] });
  });
});

describe('readMessageDates', () => {
  it.each([
    ['a usual header', of('Date: Tue, 3 Mar 2009 10:00:00 +0000', received)],
    ['no Date header', of(received)],
    ['a Date header that is none', of('Date: yesterday', received)],
    [
      'lines before the header',
      of('From nora@sender.example', 'Date: Tue, 3 Mar 2009 10:00:00 +0000', received),
    ],
    ['nothing', Buffer.alloc(0)],
  ])('should read the dates that the parser reads from %s', (_name, raw) => {
    const { date, receivedAt } = parseMessage(raw);
    expect(readMessageDates(raw, raw.length)).toEqual({ date, receivedAt });
  });

  it('should read the dates without the body', () => {
    const raw = of('Date: Tue, 3 Mar 2009 10:00:00 +0000');
    expect(readMessageDates(raw.subarray(0, raw.length - 3), 1_000_000)?.date).toEqual(
      new Date('2009-03-03T10:00:00.000Z'),
    );
  });

  it('should ask for more when the header may be longer', () => {
    const raw = of('Subject: a', 'Date: Tue, 3 Mar 2009 10:00:00 +0000');
    expect(readMessageDates(raw.subarray(0, 12), raw.length)).toBeNull();
  });
});
