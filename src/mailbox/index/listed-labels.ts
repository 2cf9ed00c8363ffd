import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import type { CallOptions, MailboxLabel, MailboxProvider } from '../../providers/port/mailbox-provider.port';
import { ProviderRejected } from '../../providers/port/mail-provider.errors';
import { isHidden } from './folded-changes';
import type { ListedLabels } from './message-index.repository';

const PAGE = 500;
const CONCURRENCY = 4;
/** Ids at the end of a page by which it is decided whether further wanted messages may follow. */
const TAIL = 3;

/** Lists the labels whose messages count in figures. */
export async function listCountedLabels(
  provider: MailboxProvider,
  options: CallOptions,
): Promise<MailboxLabel[]> {
  const labels = await provider.listLabels(options);
  return labels.filter(({ id }) => !isHidden([id]));
}

/** Whether the provider no longer knows the label or page token. */
export const isInvalidArgument = (error: unknown): boolean =>
  error instanceof ProviderRejected && error.reason === 'invalidArgument';

/**
 * Finds the labels of the newest messages by listing the messages of each label, which takes few calls for any number
 * of messages.
 * @param newest ids of the newest messages of the mailbox, without gaps
 * @param wanted ids of those whose labels are needed
 */
export async function listLabelsOf(
  provider: MailboxProvider,
  newest: readonly string[],
  wanted: readonly string[],
  labels: readonly MailboxLabel[],
  options: CallOptions,
): Promise<ListedLabels[]> {
  const among = new Set(newest);
  const found = new Map<string, string[]>(wanted.map((id) => [id, []]));
  await forEachConcurrently(labels, CONCURRENCY, async (label) => {
    for await (const ids of listCarriers(provider, label.id, among, options)) {
      for (const id of ids) found.get(id)?.push(label.id);
    }
  });
  return [...found].map(([id, labelIds]) => ({ id, labelIds }));
}

/** Lists the ids of messages with the label, newest first, until none of `among` can follow. */
async function* listCarriers(
  provider: MailboxProvider,
  labelId: string,
  among: ReadonlySet<string>,
  options: CallOptions,
): AsyncGenerator<string[]> {
  let pageToken: string | undefined;
  do {
    let page;
    try {
      page = await provider.listMessages(
        { labelIds: [labelId], maxResults: PAGE, ...(pageToken && { pageToken }) },
        options,
      );
    } catch (error) {
      // The label was deleted a moment ago.
      if (isInvalidArgument(error) && !pageToken) return;
      throw error;
    }
    const ids = page.messages.map(({ id }) => id);
    yield ids;
    pageToken = ids.slice(-TAIL).some((id) => among.has(id)) ? page.nextPageToken : undefined;
  } while (pageToken);
}
