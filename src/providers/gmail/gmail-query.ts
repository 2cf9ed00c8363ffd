import { decideTerms } from '../../platform/search/decide-terms';
import { formatQuery, formatTerm } from '../../platform/search/format-query';
import {
  readQuery,
  TEXT_OPERATORS,
  type QueryNode,
  type QueryTerm,
} from '../../platform/search/query-parser';
import { isAccount } from '../../platform/search/search-values';
import { joinNumbers, spellingsOf } from '../../platform/search/spellings';
import { SearchTermNotSupported } from '../port/mail-provider.errors';

/** A longer text is sent without other spellings: Gmail refuses addresses of requests that are too long. */
const MAX_LENGTH = 4_000;

/**
 * Writes a readable query as Gmail understands it: `account:` is decided here, and a word with other spellings becomes alternatives,
 * `{müller mueller muller}`. A query with neither is sent as it was typed.
 * @returns null when no message of the account can match
 * @throws SearchTermNotSupported
 */
export function toGmailQuery(
  query: string,
  account: { readonly id: string; readonly email: string },
): string | null {
  const { tree, tokens } = readQuery(query);
  const accounts = termsWith('account', tree);
  // Gmail knows the distance of `a AROUND 5 b`, and reads `from: ada` as one term; the tree does neither.
  const isOnlyText = tokens.some(
    (token) => token.kind === 'around' || (token.kind === 'term' && isOperatorAlone(token)),
  );
  if (isOnlyText) {
    if (accounts[0]) throw new SearchTermNotSupported(formatTerm(accounts[0]), accounts[0]);
    return query;
  }
  const decided = decideTerms(tree, ({ operator, value }) =>
    operator === 'account' ? isAccount(value, account) : undefined,
  );
  if (typeof decided === 'boolean') return decided ? '' : null;
  const spelled = withSpellings(joinNumbers(decided));
  const text = formatQuery(spelled);
  if (text.length > MAX_LENGTH) return accounts.length === 0 ? query : formatQuery(decided);
  return accounts.length === 0 && text === formatQuery(tree) ? query : text;
}

const isOperatorAlone = ({ text, quoted }: { readonly text: string; readonly quoted: boolean }): boolean =>
  !quoted && text.endsWith(':') && TEXT_OPERATORS.has(text.slice(0, -1).toLowerCase());

function termsWith(operator: string, node: QueryNode): readonly QueryTerm[] {
  if (node.kind === 'term') return node.operator === operator ? [node] : [];
  return (node.kind === 'not' ? [node.child] : node.children).flatMap((child) => termsWith(operator, child));
}

function withSpellings(node: QueryNode): QueryNode {
  if (node.kind === 'not') return { kind: 'not', child: withSpellings(node.child) };
  if (node.kind !== 'term') return { kind: node.kind, children: node.children.map(withSpellings) };
  // Quotes keep a value of several words, as `o'brien` is, together.
  const spellings = spellingsOf(node).map((term) =>
    term === node ? term : { ...term, quoted: term.quoted || /[^\p{L}\p{M}\p{N}]/u.test(term.value) },
  );
  return spellings.length === 1 ? node : { kind: 'or', children: spellings };
}
