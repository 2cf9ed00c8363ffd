import type { CallOptions, MailboxProvider } from '../../../src/providers/port/mailbox-provider.port';

const interactive: CallOptions = { priority: 'interactive' };

/** Ids of all messages of a list, page by page. */
export async function listedIds(
  mailbox: MailboxProvider,
  query = '',
  labelIds: readonly string[] = [],
): Promise<string[]> {
  const found: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await mailbox.listMessages({ query, labelIds, pageToken, maxResults: 100 }, interactive);
    found.push(...page.messages.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

/** Subjects of all messages of a list. */
export async function listedSubjects(
  mailbox: MailboxProvider,
  query = '',
  labelIds: readonly string[] = [],
): Promise<string[]> {
  const found = await listedIds(mailbox, query, labelIds);
  const subjects = new Map<string, string>();
  for await (const batch of mailbox.fetchMetadata(found, interactive))
    for (const message of batch) subjects.set(message.id, message.subject);
  return found.map((id) => subjects.get(id) ?? '');
}

/** Labels of a message, sorted; undefined when it is not there. */
export async function labelsOf(mailbox: MailboxProvider, id: string): Promise<readonly string[] | undefined> {
  for await (const [message] of mailbox.fetchMetadata([id], interactive))
    return [...message!.labelIds].sort();
  return undefined;
}

/** The history since a cursor in short, e.g. `labels +INBOX -UNREAD`. */
export async function changesSince(mailbox: MailboxProvider, cursor: string): Promise<string[]> {
  const { changes } = await mailbox.listChanges(cursor, undefined, interactive);
  return changes.map(({ kind, labelsAdded = [], labelsRemoved = [] }) =>
    [kind, ...labelsAdded.map((label) => `+${label}`), ...labelsRemoved.map((label) => `-${label}`)].join(
      ' ',
    ),
  );
}
