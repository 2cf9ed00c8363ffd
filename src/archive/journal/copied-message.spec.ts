import { exchangeReport, letter } from '../../../test/support/journal/journal-fixture';
import { readCopiedMessage, type SmtpFacts } from './copied-message';
import { MessageRefused } from './refusal';
import { unwrapReport } from './report/journal-report';

const FACTS: SmtpFacts = { sender: 'bounces@example.com', arrivedAt: new Date('2026-03-01T08:00:00Z') };
const unwrap = (raw: Buffer) => Promise.resolve(unwrapReport(raw));

describe('readCopiedMessage', () => {
  it('should take a message as it came, with the recipients that its header names', async () => {
    const raw = Buffer.concat([Buffer.from('X-Original-To: bob@example.com\r\n'), letter('Plain')]);
    const { imported, identity } = await readCopiedMessage(raw, FACTS, unwrap);
    expect(imported).toMatchObject({ raw, internalDate: FACTS.arrivedAt, threadId: null });
    expect(imported.envelope).toEqual({
      ...{ kind: 'message', sender: 'bounces@example.com', to: [], cc: [], bcc: [] },
      recipients: ['bob@example.com'],
    });
    expect(identity).toBe('<Plain@example.com>');
  });

  it('should take the message out of a report, and its identity', async () => {
    const raw = exchangeReport(letter('Inner'), ['Sender: alice@example.com']);
    const { imported, identity } = await readCopiedMessage(raw, FACTS, unwrap);
    expect(imported.raw).toEqual(letter('Inner'));
    expect(imported.envelope).toMatchObject({ kind: 'report', sender: 'alice@example.com' });
    expect(identity).toBe('<Inner@example.com>');
  });

  it('should take what looks like a report whole, where none is expected', async () => {
    const raw = exchangeReport(letter('Inner'), ['Sender: alice@example.com']);
    const { imported, identity } = await readCopiedMessage(raw, FACTS, null);
    expect(imported.raw).toBe(raw);
    expect(imported.envelope).toMatchObject({ kind: 'message', sender: 'bounces@example.com' });
    expect(identity).toBe('<report-1@journal.report.generator>');
  });

  it('should tell messages without a Message-ID apart by their bytes', async () => {
    const [one, two] = await Promise.all(
      ['a', 'b'].map((body) => readCopiedMessage(Buffer.from(`Subject: x\r\n\r\n${body}`), FACTS, unwrap)),
    );
    expect(one!.identity).not.toBe(two!.identity);
  });

  it.each([
    [50, false],
    [51, true],
  ])('should take %s hops for a loop: %s', async (hops, isLoop) => {
    const raw = Buffer.concat([Buffer.from('Received: x\r\n'.repeat(hops)), letter('Loop')]);
    const reading = readCopiedMessage(raw, FACTS, unwrap);
    if (isLoop) await expect(reading).rejects.toThrow(MessageRefused);
    else expect((await reading).imported.raw).toBe(raw);
  });
});
