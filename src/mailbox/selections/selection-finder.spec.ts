import type {
  ListMessagesRequest,
  MailboxProvider,
  MailboxProviders,
} from '../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../index/message-index.service';
import { SelectionFinder } from './selection-finder';
import { SelectionTooLarge } from './selections.errors';

const ACCOUNT = { id: 'a', userId: 'u', email: 'x@example.org', provider: 'gmail' };
const DAYS: Readonly<Record<string, Date>> = {
  a: new Date('2024-03-03T00:00:00Z'),
  d: new Date('2024-01-01T00:00:00Z'),
};

/** @param pages ids, page by page, by label; '' for all */
function finderOf(pages: Readonly<Record<string, readonly (readonly string[])[]>>): {
  sut: SelectionFinder;
  requests: ListMessagesRequest[];
} {
  const requests: ListMessagesRequest[] = [];
  const provider: Pick<MailboxProvider, 'listMessages'> = {
    listMessages: async (request) => {
      requests.push(request);
      const listed = pages[request.labelIds?.[0] ?? ''] ?? [[]];
      const page = Number(request.pageToken ?? 0);
      return {
        messages: listed[page]!.map((id) => ({ id, threadId: id })),
        ...(page + 1 < listed.length && { nextPageToken: String(page + 1) }),
        resultSizeEstimate: 0,
      };
    },
  };
  const index = {
    computeFigures: async () => ({ count: 0 }),
    readMetadata: async function* (_account: unknown, ids: readonly string[]) {
      yield ids.map((id) => ({ id, internalDate: DAYS[id] }));
    },
  };
  const providers = { forAccount: () => provider };
  const sut = new SelectionFinder(
    providers as unknown as MailboxProviders,
    index as unknown as MessageIndexService,
  );
  return { sut, requests };
}

describe('SelectionFinder', () => {
  const { signal } = new AbortController();

  it('should select each message once, in the order of the search, without being confused by new mail', async () => {
    const { sut, requests } = finderOf({
      '': [
        ['a', 'b'],
        ['b', 'c', 'd'],
      ],
      STARRED: [['new', 'b']],
      IMPORTANT: [['new']],
      UNREAD: [['new', 'b', 'd']],
    });
    const found = await sut.find(ACCOUNT, { query: 'x OR y', leaveOut: ['starred', 'important'] }, signal);
    expect(found).toEqual({
      messageIds: ['a', 'c', 'd'],
      figures: {
        count: 3,
        unread: 1,
        starred: 0,
        important: 0,
        bytes: null,
        oldest: DAYS['d'],
        newest: DAYS['a'],
        leftOutStarred: 1,
        leftOutImportant: 0,
      },
    });
    // The query is never put together with another: `x OR y is:starred` would mean something else.
    expect(new Set(requests.map(({ query }) => query))).toEqual(new Set(['x OR y']));
  });

  it('should refuse more messages than a change allows, without listing all of them', async () => {
    const page = (number: number): string[] => Array.from({ length: 500 }, (_, at) => `${number}-${at}`);
    const { sut, requests } = finderOf({ '': Array.from({ length: 400 }, (_, number) => page(number)) });
    await expect(sut.find(ACCOUNT, { query: '', leaveOut: [] }, signal)).rejects.toThrow(SelectionTooLarge);
    expect(requests).toHaveLength(101);
  });
});
