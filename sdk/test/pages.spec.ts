import { json, ScriptedService } from './scripted-service';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('paged lists', () => {
  let service: ScriptedService;

  beforeEach(() => {
    service = new ScriptedService();
  });

  const queries = (): string[] => service.requests.map((request) => new URL(request.url).search);

  it('should be counted by page, with the limit that the service applied', async () => {
    const page = (number: number, ...ids: string[]): Response =>
      json({ mails: ids.map((id) => ({ id })), total: 5, page: number, limit: 2 });
    service.on(`GET /api/archive/${ACCOUNT}/mails`, page(1, 'a', 'b'), page(2, 'c', 'd'), page(3, 'e'));
    const mails = service.client().archive.listMails.iterate({ accountId: ACCOUNT, q: 'x', limit: 500 });
    expect((await all(mails)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queries()).toEqual(['?q=x&limit=500', '?q=x&limit=500&page=2', '?q=x&limit=500&page=3']);
  });

  it('should end with a short page where there is no total', async () => {
    const page = (number: number, count: number): Response =>
      json({
        notifications: Array.from({ length: count }, () => ({})),
        unreadCount: 0,
        page: number,
        limit: 2,
      });
    service.on('GET /api/notifications', page(1, 2), page(2, 1));
    expect(await all(service.client().notifications.list.iterate())).toHaveLength(3);
    service.on('GET /api/notifications', page(1, 2), page(2, 0));
    expect(await all(service.client().notifications.list.pages())).toHaveLength(2);
  });

  it('should be followed by token, even through empty pages', async () => {
    const page = (token: string | null, ...ids: string[]): Response =>
      json({
        messages: ids.map((id) => ({ id, threadId: id })),
        nextPageToken: token,
        resultSizeEstimate: 3,
      });
    service.on(`GET /api/mailbox/${ACCOUNT}/messages`, page('t2', 'a'), page('t3'), page(null, 'b'));
    const messages = service.client().mailbox.listMessages.iterate({ accountId: ACCOUNT, maxResults: 1 });
    expect((await all(messages)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(queries().slice(1)).toEqual(['?maxResults=1&pageToken=t2', '?maxResults=1&pageToken=t3']);
  });

  it('should be followed by the last entry where there is only a list', async () => {
    const jobs = (...ids: string[]): Response => json(ids.map((id) => ({ id })));
    service.on('GET /api/jobs', jobs('c', 'b'), jobs('a'), jobs());
    const ids = (await all(service.client().jobs.list.iterate({ status: 'failed' }))).map(({ id }) => id);
    expect(ids).toEqual(['c', 'b', 'a']);
    expect(queries()).toEqual(['?status=failed', '?status=failed&before=b', '?status=failed&before=a']);
  });

  it('should not request pages that are not needed', async () => {
    const page = json({ mails: [{ id: 'a' }, { id: 'b' }], total: 100, page: 1, limit: 2 });
    service.on(`GET /api/archive/${ACCOUNT}/mails`, page);
    for await (const mail of service.client().archive.listMails.iterate({ accountId: ACCOUNT })) {
      expect(mail.id).toBe('a');
      break;
    }
    expect(service.requests).toHaveLength(1);
  });
});
