import { LabelLookup, NamedLabel } from '../../rules/query/label-lookup';

/** A label as archived mails hold it. */
export interface ArchivedLabel {
  readonly value: string;
  /** It stands on mail archived from the mailbox, whose labels are ids; imported mail carries names. */
  readonly isId: boolean;
}

/**
 * Short names of categories, for mailboxes that have no label of that name themselves. `personal` is none: it is too
 * good a name for a label of one's own, and once that label is deleted it would stand for half the archive.
 */
const CATEGORIES = ['PROMOTIONS', 'SOCIAL', 'UPDATES', 'FORUMS'];

/** Any case, any Unicode form; IMAP writes system labels with a backslash. */
const folded = (name: string): string => name.trim().replace(/^\\/, '').normalize('NFC').toLowerCase();

/** As exports of the provider name system labels, beside their ids. */
function exportedNames({ id }: NamedLabel): string[] {
  if (id === 'DRAFT') return ['drafts'];
  return id.startsWith('CATEGORY_') ? [`category ${folded(id.slice('CATEGORY_'.length))}`] : [];
}

/** Whether only the mailbox itself can say what the label of a policy stands for. */
export function isForMailboxToSay(label: string, archived: readonly ArchivedLabel[]): boolean {
  if (LabelLookup.SYSTEM.find(label)) return false;
  return !archived.some(({ value, isId }) => isId && value === label);
}

/**
 * Which labels of archived mails the label of a policy stands for: an id exactly, else a name in any case. An id comes
 * before a name, a system label before one of the user, a label of the user before the short name of a category.
 * @param mailbox the labels of the mailbox; null: it was not asked, or cannot be: names are those of imported mail then
 * @returns none when the label means nothing: no mail is meant
 */
export function labelsMeant(
  label: string,
  archived: readonly ArchivedLabel[],
  mailbox: readonly NamedLabel[] | null,
): string[] {
  const system = LabelLookup.SYSTEM.find(label);
  if (system) return held(archived, [system.id], [system.id, ...exportedNames(system)]);
  const isKnownId = archived.some(({ value, isId }) => isId && value === label);
  if (isKnownId || mailbox?.some(({ id }) => id === label)) return held(archived, [label], []);
  const own = (mailbox ?? []).filter(({ name }) => folded(name) === folded(label)).map(({ id }) => id);
  const category = CATEGORIES.find((name) => folded(name) === folded(label));
  if (mailbox && own.length === 0 && category) return labelsMeant(`CATEGORY_${category}`, archived, null);
  return held(archived, own, [label]);
}

function held(
  archived: readonly ArchivedLabel[],
  ids: readonly string[],
  names: readonly string[],
): string[] {
  const wanted = new Set(names.map(folded));
  return archived
    .filter(({ value, isId }) => ids.includes(value) || (!isId && wanted.has(folded(value))))
    .map(({ value }) => value);
}
