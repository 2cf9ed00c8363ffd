import { createRequire } from 'node:module';
import { quoteMailboxName } from './mailbox-answers';

/** The client's own parser. */
const { parser } = createRequire(__filename)('imapflow/lib/handler/imap-handler') as {
  parser(line: string): Promise<{ attributes: { value: string }[] }>;
};
const nameIn = async (line: string, index: number): Promise<string | undefined> =>
  (await parser(quoteMailboxName(line))).attributes[index]?.value;

describe('quoteMailboxName', () => {
  it.each([
    ['* LIST (\\HasNoChildren) "/" ]bracket', ']bracket'],
    ['* LIST (\\HasNoChildren) "." INBOX.a]b', 'INBOX.a]b'],
    ['* LIST () "/" 2024:Q1', '2024:Q1'],
    ['* LIST () "/" 12,x', '12,x'],
    ['* LIST () "/" NIL', 'NIL'],
    ['* LIST () "/" ~peter', '~peter'],
    ['* LIST () NIL INBOX', 'INBOX'],
    ['* LIST () "\\\\" A\\B', 'A\\B'],
    ['* LIST () "/" Two words', 'Two words'],
    ['* LIST () "/" ]x ("CHILDINFO" ("SUBSCRIBED"))', ']x'],
    ['* LIST () "/" "Already \\"quoted\\""', 'Already "quoted"'],
    ['* LSUB () "/" ]bracket', ']bracket'],
  ])('should keep the name in %s', async (line, name) => {
    expect(await nameIn(line, 2)).toBe(name);
  });

  it.each([
    ['* STATUS ]bracket (MESSAGES 2 UIDNEXT 3 UIDVALIDITY 7)', ']bracket'],
    ['* STATUS Gr&APYA3w-e &- Ma&AN8-e (MESSAGES 2)', 'Gr&APYA3w-e &- Ma&AN8-e'],
    ['* STATUS Notes (old) (MESSAGES 2 HIGHESTMODSEQ 4)', 'Notes (old)'],
    ['* STATUS "Two words" (MESSAGES 2)', 'Two words'],
    ['* STATUS INBOX ()', 'INBOX'],
  ])('should keep the name in %s', async (line, name) => {
    expect(await nameIn(line, 0)).toBe(name);
  });

  it('should not change other lines and literals', () => {
    for (const line of ['* LIST (\\X "/" a', '* STATUS {3}\r\na b (MESSAGES 2)', '* LIST () "/" {3}\r\na b'])
      expect(quoteMailboxName(line)).toBe(line);
  });
});
