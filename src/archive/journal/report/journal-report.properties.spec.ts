import fc from 'fast-check';
import { exchangeReport } from '../../../../test/support/journal/journal-fixture';
import { allowForExamples } from '../../../../test/support/properties';
import { readCopiedHeader } from '../copied-header';
import { unwrapReport } from './journal-report';

allowForExamples();

const line = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    'Sender: a@b',
    'To: b@c',
    'Bcc: <x@y>',
    'Subject: s',
    '--_report_',
    '--_report_--',
    'Content-Type: text/plain',
    '',
  ),
);

describe('unwrapReport', () => {
  it('should return bytes that the report has, or nothing, and never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(line, { maxLength: 12 }), (body, fields) => {
        const message = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.from(body)]);
        const report = exchangeReport(message, fields);
        const unwrapped = unwrapReport(report);
        if (unwrapped) expect(report.includes(unwrapped.message)).toBe(true);
      }),
    );
  });

  it('should return every byte of the message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (body) => {
        const message = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.from(body)]);
        fc.pre(!message.includes('--_report_'));
        expect(unwrapReport(exchangeReport(message, ['Sender: a@b']))?.message).toEqual(message);
      }),
    );
  });

  it('should not throw on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        unwrapReport(Buffer.from(bytes));
        readCopiedHeader(Buffer.from(bytes));
      }),
    );
  });
});
