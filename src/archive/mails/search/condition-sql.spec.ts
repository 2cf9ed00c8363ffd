import { conditionSql, testsRows } from './condition-sql';
import type { MailCondition } from './mail-condition';

const COPPER: MailCondition = { words: { word: `'copper'` } };
const LARGE: MailCondition = { row: { test: 'larger', bytes: 1_000 } };
const ENCRYPTED: MailCondition = { row: { test: 'encrypted' } };
const ATTACHED: MailCondition = { row: { test: 'attachment' } };

function sqlOf(condition: MailCondition): string {
  const parameters: unknown[] = [];
  return conditionSql(condition, (value) => `$${parameters.push(value) + 1}`, 'w.mail_id');
}
const statementsIn = (sql: string): number => sql.match(/FROM archived_mails m/g)?.length ?? 0;

describe('conditionSql', () => {
  it('should look up words without the rows of the mails', () => {
    const sql = sqlOf({ some: [COPPER, { words: { word: `'tin'` } }] });
    expect(sql).toMatch(/^w\.mail_id IN \(/);
    expect(statementsIn(sql)).toBe(0);
  });

  it('should look up alternatives that an index serves one by one', () => {
    const sql = sqlOf({ some: [COPPER, LARGE, { row: { test: 'until', date: new Date(0) } }] });
    expect(statementsIn(sql)).toBe(2);
  });

  it('should read the mails once for alternatives without an index', () => {
    const sql = sqlOf({ some: [COPPER, ENCRYPTED, ATTACHED] });
    expect(statementsIn(sql)).toBe(1);
    expect(sql).toContain('(m.is_encrypted OR m.has_attachments)');
  });

  it('should exclude by an anti-join', () => {
    const sql = sqlOf({ some: [{ every: [LARGE, { no: COPPER }] }, ATTACHED] });
    expect(sql).toMatch(
      /NOT EXISTS \(SELECT FROM \(.* AS excluded WHERE excluded\.mail_id = m\.id\) AND m\.size_bytes > /s,
    );
    expect(sql).not.toContain('NOT IN');
  });

  it('should test the row where no words are asked for', () => {
    const rows: MailCondition = { some: [LARGE, { no: ENCRYPTED }] };
    expect(sqlOf(rows)).toBe('(m.size_bytes > $2 OR NOT (m.is_encrypted))');
    expect([rows, COPPER, { some: [LARGE, COPPER] }].map(testsRows)).toEqual([true, false, false]);
  });
});
