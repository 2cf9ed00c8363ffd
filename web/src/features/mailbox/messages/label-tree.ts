import type { Schemas } from '@mailroom/sdk';
import { quoteValue } from '../../../ui/query-terms';

type Label = Schemas['LabelResponse'];

/** A folder or label with those below it. */
export interface LabelNode {
  /** Empty for a name that only groups others: it is no label itself. */
  readonly id: string;
  /** Last part of the name. */
  readonly name: string;
  /** Search that finds its messages. */
  readonly term: string;
  readonly unread: number;
  readonly children: readonly LabelNode[];
}

/** Folders that every mailbox has, in this order, by the term that finds them. */
const FOLDERS: Readonly<Record<string, string>> = {
  INBOX: 'in:inbox',
  STARRED: 'is:starred',
  SENT: 'in:sent',
  DRAFT: 'in:drafts',
  SPAM: 'in:spam',
  TRASH: 'in:trash',
};

/** The folders that every mailbox has. */
export function foldersOf(labels: readonly Label[]): LabelNode[] {
  return Object.entries(FOLDERS).flatMap(([id, term]) => {
    const label = labels.find((each) => each.id === id);
    // Unread messages count where they are waited for.
    return label
      ? [
          {
            id,
            name: label.name,
            term,
            unread: id === 'INBOX' ? (label.messagesUnread ?? 0) : 0,
            children: [],
          },
        ]
      : [];
  });
}

/** The user's labels as a tree: `Work/Invoices` is below `Work`, as Gmail and most IMAP servers have it. */
export function treeOf(labels: readonly Label[]): LabelNode[] {
  const own = labels
    .filter(({ type }) => type === 'user')
    .map((label) => ({ label, path: label.name.split('/') }))
    .toSorted((one, other) => one.label.name.localeCompare(other.label.name));
  return nodesOf(own);
}

interface Placed {
  readonly label: Label;
  /** Names from here on; the last is its own. */
  readonly path: readonly string[];
}

function nodesOf(placed: readonly Placed[]): LabelNode[] {
  const byName = new Map<string, Placed[]>();
  for (const each of placed) {
    const name = each.path[0]!;
    byName.set(name, [...(byName.get(name) ?? []), each]);
  }
  return [...byName].map(([name, group]) => {
    const self = group.find(({ path }) => path.length === 1)?.label;
    const below = group
      .filter(({ path }) => path.length > 1)
      .map(({ label, path }) => ({ label, path: path.slice(1) }));
    return {
      id: self?.id ?? '',
      name,
      term: self ? `label:${quoteValue(self.name)}` : '',
      unread: self?.messagesUnread ?? 0,
      children: nodesOf(below),
    };
  });
}
