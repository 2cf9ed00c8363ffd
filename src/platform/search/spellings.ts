import { isCompound, nameAfterO } from '../text/compounds';
import { isIban } from '../text/iban';
import { wholeNumber } from '../text/joined-numbers';
import { writtenForms } from '../text/written-forms';
import type { QueryNode, QueryTerm } from './query-parser';

/** Operators whose values are identifiers or no text. */
const AS_WRITTEN = new Set([
  'rfc822msgid', 'hash', 'account', 'label', 'in', 'is', 'has', 'category',
  'after', 'before', 'newer', 'older', 'newer_than', 'older_than', 'size', 'larger', 'smaller',
]); // prettier-ignore
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Most combinations of the forms of several words; of more, each word is taken in its first forms, then in its second. */
const MAX_COMBINED = 9;
const IBAN_GROUPS = /.{1,4}/g;

/**
 * The ways in which the value of a term is written, the given one first: `Müller` as `mueller`, `e-mail` as `email`, `OBrien` as
 * `O'Brien`, a number in groups without its separators, an IBAN in groups of four. The archive has them in its index; a mailbox has to be
 * asked for each. Quoted values, addresses and domains are as they are written.
 */
export function spellingsOf(term: QueryTerm): readonly QueryTerm[] {
  const { operator, value, quoted } = term;
  if (quoted || (operator !== undefined && AS_WRITTEN.has(operator))) return [term];
  const values = new Set([value]);
  if (!/[@.]/.test(value)) for (const form of wordForms(value)) values.add(form);
  const number = wholeNumber(value);
  if (number !== null) values.add(number);
  const spellings = [...values].map((each) => (each === value ? term : { ...term, value: each }));
  const iban = value.toUpperCase();
  if (isIban(iban)) spellings.push({ ...term, value: iban.match(IBAN_GROUPS)!.join(' '), quoted: true });
  return spellings;
}

function wordForms(value: string): readonly string[] {
  const words = value.match(WORD) ?? [];
  const forms = combinations(words.map(writtenForms)).map((chosen) => {
    let at = 0;
    return value.replace(WORD, () => chosen[at++]!);
  });
  if (isCompound(value, words.length)) forms.push(words.join('') + (value.endsWith('*') ? '*' : ''));
  const name = nameAfterO(value.toLowerCase().replace(/\*$/, ''));
  if (name !== null) forms.push(value.replace(WORD, `o'${name}`));
  return forms;
}

function combinations(words: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const count = words.reduce((product, forms) => product * forms.length, 1);
  if (count > MAX_COMBINED) {
    const most = Math.max(...words.map(({ length }) => length));
    return Array.from({ length: most }, (_, at) => words.map((forms) => forms[at] ?? forms[0]!));
  }
  return words.reduce<readonly (readonly string[])[]>(
    (chosen, forms) => chosen.flatMap((before) => forms.map((form) => [...before, form])),
    [[]],
  );
}

/** Most groups of a number: an IBAN has nine. */
const MAX_GROUPS = 9;

/**
 * Lets the groups of a number that stand one after the other also be found as one word: `DE89 3704 0044 0532 0130 00`. Excluded
 * groups stay as they are, as in the archive.
 */
export function joinNumbers(node: QueryNode, isNegated = false): QueryNode {
  if (node.kind === 'term') return node;
  if (node.kind === 'not') return { kind: 'not', child: joinNumbers(node.child, !isNegated) };
  const children: QueryNode[] = [];
  for (let at = 0; at < node.children.length;) {
    const joined = node.kind === 'and' && !isNegated ? numberFrom(node.children, at) : null;
    children.push(joined?.node ?? joinNumbers(node.children[at]!, isNegated));
    at += joined?.count ?? 1;
  }
  return children.length === 1 ? children[0]! : { kind: node.kind, children };
}

/** The longest number in groups that begins with a node. */
function numberFrom(
  nodes: readonly QueryNode[],
  start: number,
): { readonly node: QueryNode; readonly count: number } | null {
  const groups: QueryTerm[] = [];
  for (const node of nodes.slice(start, start + MAX_GROUPS)) {
    if (node.kind !== 'term' || node.operator !== undefined || node.quoted) break;
    groups.push(node);
  }
  for (let count = groups.length; count > 1; count--) {
    const children = groups.slice(0, count);
    const value = wholeNumber(children.map((group) => group.value).join(' '));
    if (value === null) continue;
    const [first, last] = [children[0]!, children.at(-1)!];
    const length = last.offset + last.length - first.offset;
    const joined: QueryTerm = { ...first, value, quoted: true, length };
    return { node: { kind: 'or', children: [{ kind: 'and', children }, joined] }, count };
  }
  return null;
}
