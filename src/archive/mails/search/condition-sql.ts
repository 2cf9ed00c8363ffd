import {
  hasWords,
  type MailCondition,
  matchesNoWords,
  oppositeOf,
  type RowTest,
  wordsOnly,
} from './mail-condition';
import { type AddParameter, mailsWithAccountIn, mailsWithFiles, rowTestSql } from './row-test-sql';
import { mailsWith, type WordQuery } from './word-query';

/**
 * A condition on the mail of id `mailId` of account `$1` as SQL. What an index finds is looked up as a set of ids: testing mail by mail
 * would read every mail of the account, and its words.
 * @param mailId column of the statement; conditions without words test the row `m` instead, see `testsRows`
 */
export function conditionSql(condition: MailCondition, add: AddParameter, mailId: string): string {
  if (testsRows(condition)) return testSql(condition, add);
  if ('no' in condition) return without(mailId, setOf(condition.no, add));
  return `${mailId} IN (${setOf(condition, add)})`;
}

/** Whether the SQL of a condition reads the row `m` of the mail. */
export const testsRows = (condition: MailCondition): boolean => !hasWords(condition);

function testSql(condition: MailCondition, add: AddParameter): string {
  if ('row' in condition) return rowTestSql(condition.row, add);
  if ('no' in condition) return `NOT (${testSql(condition.no, add)})`;
  if ('words' in condition) throw new Error('Words are no test of a row');
  const isEvery = 'every' in condition;
  const parts = isEvery ? condition.every : condition.some;
  return `(${parts.map((part) => testSql(part, add)).join(isEvery ? ' AND ' : ' OR ')})`;
}

/** The ids of the mails that a condition finds, as SQL with a column `mail_id`. */
function setOf(condition: MailCondition, add: AddParameter): string {
  const words = wordsOnly(condition);
  if (words !== null && !matchesNoWords(words)) return mailsWith(words, add);
  if ('row' in condition && condition.row.test === 'inFiles') return mailsWithFiles(condition.row, add);
  if ('row' in condition && condition.row.test === 'fieldMe') return mailsWithAccountIn(condition.row.field);
  if ('some' in condition) return unionOf(condition.some, add);
  return mailsWhere('every' in condition ? condition.every : [condition], add);
}

/** The mails of which one of the parts holds. Tests that an index serves are statements of their own; the others share one. */
function unionOf(parts: readonly MailCondition[], add: AddParameter): string {
  const others = joinWords(parts, 'any');
  const isRead = (part: MailCondition): boolean => testsRows(part) && !hasIndex(part);
  const read = others.filter(isRead);
  const sets = others.filter((part) => !isRead(part)).map((part) => `(${setOf(part, add)})`);
  if (read.length > 0) sets.push(`(${mailsWhere([{ some: read }], add)})`);
  return sets.join(' UNION ');
}

function mailsWhere(parts: readonly MailCondition[], add: AddParameter): string {
  const clauses = joinWords(parts, 'all').map((part) => {
    const words = wordsOnly(part);
    if (words === null) return conditionSql(part, add, 'm.id');
    return matchesNoWords(words)
      ? without('m.id', mailsWith(oppositeOf(words), add))
      : `m.id IN (${mailsWith(words, add)})`;
  });
  return `SELECT m.id AS mail_id FROM archived_mails m WHERE m.account_id = $1 AND ${clauses.join(' AND ')}`;
}

/** An anti-join, which `NOT IN` never becomes. */
const without = (mailId: string, set: string): string =>
  `NOT EXISTS (SELECT FROM (${set}) AS excluded WHERE excluded.mail_id = ${mailId})`;

const INDEXED: ReadonlySet<RowTest['test']> = new Set([
  'since', 'until', 'larger', 'smaller', 'anyLabel', 'label', 'messageId', 'fileHash', 'fromMe',
]); // prettier-ignore

const hasIndex = (condition: MailCondition): boolean => 'row' in condition && INDEXED.has(condition.row.test);

/** Puts the parts that are about words into one query. */
function joinWords(parts: readonly MailCondition[], by: 'all' | 'any'): MailCondition[] {
  const words = parts.map(wordsOnly).filter((query) => query !== null);
  const others = parts.filter((part) => wordsOnly(part) === null);
  if (words.length === 0) return others;
  const joined: WordQuery = by === 'all' ? { all: words } : { any: words };
  return [{ words: joined }, ...others];
}
