import { collectMessageIds, listMessageIds } from './listed-message-ids';
import type { ListMessagesRequest, MessagePage } from './mailbox-provider.port';

const PAGES: Readonly<Record<string, MessagePage>> = {
  first: page(['a', 'b'], 'second'),
  second: page(['b', 'c'], 'third'),
  third: page(['d']),
};

function page(ids: string[], nextPageToken?: string): MessagePage {
  const messages = ids.map((id) => ({ id, threadId: id }));
  return { messages, resultSizeEstimate: 4, ...(nextPageToken && { nextPageToken }) };
}

class Provider {
  readonly requests: ListMessagesRequest[] = [];

  async listMessages(request: ListMessagesRequest): Promise<MessagePage> {
    this.requests.push(request);
    return PAGES[request.pageToken ?? 'first']!;
  }
}

describe('listMessageIds', () => {
  const options = { priority: 'background' } as const;

  it('should follow the pages to the last one', async () => {
    const provider = new Provider();
    const pages: (readonly string[])[] = [];
    for await (const ids of listMessageIds(provider, { query: 'x', includeSpamTrash: true }, options))
      pages.push(ids);
    expect(pages).toEqual([['a', 'b'], ['b', 'c'], ['d']]);
    expect(provider.requests).toEqual([
      { query: 'x', includeSpamTrash: true, maxResults: 500 },
      { query: 'x', includeSpamTrash: true, maxResults: 500, pageToken: 'second' },
      { query: 'x', includeSpamTrash: true, maxResults: 500, pageToken: 'third' },
    ]);
  });

  it('should make no more calls than its consumer needs', async () => {
    const provider = new Provider();
    for await (const ids of listMessageIds(provider, {}, options)) if (ids.includes('a')) break;
    expect(provider.requests).toHaveLength(1);
  });

  it('should collect each id once', async () => {
    expect([...(await collectMessageIds(new Provider(), {}, options))]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('should stop collecting when there are too many', async () => {
    const provider = new Provider();
    expect((await collectMessageIds(provider, {}, options, 2)).size).toBe(3);
    expect(provider.requests).toHaveLength(2);
  });
});
