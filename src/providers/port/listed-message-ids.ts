import type { CallOptions, ListMessagesRequest, MailboxProvider } from './mailbox-provider.port';

/** Messages that a provider lists in one call. */
export const LISTED_AT_ONCE = 500;

/** The messages to list: all pages of one query. */
export type MessageListing = Omit<ListMessagesRequest, 'pageToken' | 'maxResults'>;

/**
 * Lists the ids of all messages that match, page by page, a call each. A consumer that stops early makes no further call. Pages
 * shift while a mailbox changes, so that a message may be on two of them.
 */
export async function* listMessageIds(
  provider: Pick<MailboxProvider, 'listMessages'>,
  listing: MessageListing,
  options: CallOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  let pageToken: string | undefined;
  do {
    const page = await provider.listMessages(
      { ...listing, maxResults: LISTED_AT_ONCE, ...(pageToken && { pageToken }) },
      options,
    );
    yield page.messages.map(({ id }) => id);
    pageToken = page.nextPageToken;
  } while (pageToken);
}

/**
 * Lists the ids of all messages that match, each once.
 * @param most listing stops once there are more
 */
export async function collectMessageIds(
  provider: Pick<MailboxProvider, 'listMessages'>,
  listing: MessageListing,
  options: CallOptions,
  most = Infinity,
): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const page of listMessageIds(provider, listing, options)) {
    for (const id of page) ids.add(id);
    if (ids.size > most) break;
  }
  return ids;
}
