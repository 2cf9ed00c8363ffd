import { exchangeReport, letter } from '../../../../test/support/journal/journal-fixture';
import { unwrapReport } from './journal-report';

const MESSAGE = letter('Report', 'a body', '.', '');
const FIELDS = ['Sender: alice@example.com', 'Subject: Report', 'Message-Id: <Report@example.com>'];

describe('unwrapReport', () => {
  it('should return the bytes of the message and the envelope', () => {
    const report = exchangeReport(MESSAGE, [
      ...FIELDS,
      'To: bob@example.com',
      'To: "Dan" <dan@example.com>, Forwarded: erin@example.com',
      'Cc: team@example.com, Expanded: all@example.com',
      'Bcc: carol@example.com',
      'Bcc: CAROL@example.com',
      'Recipient: frank@example.com',
      'Label: something of later versions',
    ]);
    const unwrapped = unwrapReport(report)!;
    expect(unwrapped.message).toEqual(MESSAGE);
    expect(unwrapped.envelope).toEqual({
      kind: 'report',
      sender: 'alice@example.com',
      to: ['bob@example.com', 'dan@example.com'],
      cc: ['team@example.com'],
      bcc: ['carol@example.com'],
      recipients: ['frank@example.com'],
    });
  });

  it('should undo an encoding of the text and of the message', () => {
    const encoded = Buffer.from(
      exchangeReport(Buffer.from(`${MESSAGE.toString('base64')}\r\n`), [
        Buffer.from([...FIELDS, 'Bcc: carol@example.com'].join('\r\n')).toString('base64'),
      ])
        .toString('latin1')
        .replace('Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: base64')
        .replace(
          'Content-Type: message/rfc822',
          'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64',
        ),
      'latin1',
    );
    const unwrapped = unwrapReport(encoded)!;
    expect(unwrapped.message).toEqual(MESSAGE);
    expect(unwrapped.envelope.bcc).toEqual(['carol@example.com']);
  });

  it('should read the fields after a subject of several lines', () => {
    const fields = ['Sender: alice@example.com', 'Subject: a long', ' subject', 'Bcc: carol@example.com'];
    expect(unwrapReport(exchangeReport(MESSAGE, fields))?.envelope.bcc).toEqual(['carol@example.com']);
  });

  it.each<[string, Buffer]>([
    ['an ordinary message', MESSAGE],
    ['text that is no list of fields', exchangeReport(MESSAGE, [...FIELDS, 'Please read this first.'])],
    ['no sender', exchangeReport(MESSAGE, ['Subject: Report'])],
    [
      'the Message-ID of another message',
      exchangeReport(MESSAGE, ['Sender: a@example.com', 'Message-Id: <b@c>']),
    ],
    ['an empty message', exchangeReport(Buffer.alloc(0), FIELDS)],
    [
      'a third part',
      Buffer.from(
        exchangeReport(MESSAGE, FIELDS)
          .toString('latin1')
          .replace(
            '\r\n--_report_--',
            '\r\n--_report_\r\nContent-Type: text/plain\r\n\r\nmore\r\n--_report_--',
          ),
        'latin1',
      ),
    ],
    ['no report at all', Buffer.alloc(0)],
  ])('should leave %s as it is', (_name, raw) => {
    expect(unwrapReport(raw)).toBeNull();
  });
});
