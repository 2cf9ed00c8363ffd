import { type MailCondition, matchesNoWords, oppositeOf, wordsOnly } from './mail-condition';
import { type AddParameter, rowTestSql } from './row-test-sql';
import { mailsWith, type WordQuery } from './word-query';

/**
 * A condition on the mail `m` of account `$1` as SQL. Words are looked up in their index once for the whole condition, and joined to
 * the mails: testing them mail by mail would read the words of each.
 */
export function conditionSql(condition: MailCondition, add: AddParameter): string {
  const joins: string[] = [];
  const join = (words: WordQuery): string => {
    const name = `words${joins.length + 1}`;
    joins.push(`LEFT JOIN (${mailsWith(words, add)}) AS ${name} ON ${name}.mail_id = m.id`);
    return `${name}.mail_id IS NOT NULL`;
  };
  const where = clauseOf(condition, add, join);
  if (joins.length === 0) return where;
  return `m.id IN (SELECT m.id FROM archived_mails m ${joins.join(' ')} WHERE m.account_id = $1 AND ${where})`;
}

function clauseOf(condition: MailCondition, add: AddParameter, join: (words: WordQuery) => string): string {
  const words = wordsOnly(condition);
  if (words !== null) return matchesNoWords(words) ? `NOT ${join(oppositeOf(words))}` : join(words);
  if ('row' in condition) return rowTestSql(condition.row, add);
  if ('no' in condition) return `NOT (${clauseOf(condition.no, add, join)})`;
  if ('words' in condition) return join(condition.words);
  const isEvery = 'every' in condition;
  const parts = joinWords(isEvery ? condition.every : condition.some, isEvery);
  return `(${parts.map((part) => clauseOf(part, add, join)).join(isEvery ? ' AND ' : ' OR ')})`;
}

/** Puts the parts that are about words into one query. */
function joinWords(parts: readonly MailCondition[], isEvery: boolean): MailCondition[] {
  const words = parts.map(wordsOnly).filter((query) => query !== null);
  const others = parts.filter((part) => wordsOnly(part) === null);
  if (words.length === 0) return others;
  return [{ words: isEvery ? { all: words } : { any: words } }, ...others];
}
