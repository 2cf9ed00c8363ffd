import { afterEach, describe, expect, it, vi } from 'vitest';
import { op } from './op';
import { createQueryClient, clearUserData, invalidate } from './query-client';

describe('op', () => {
  afterEach(() => vi.unstubAllGlobals());

  const answering = (status: number, body: object): ReturnType<typeof vi.fn> => {
    const fetched = vi.fn((_request: Request) => Promise.resolve(Response.json(body, { status })));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  };
  const setup = () => {
    const onSessionOver = vi.fn();
    return { onSessionOver, client: createQueryClient({ onSessionOver }) };
  };

  it('should return a query whose key begins with the operation', async () => {
    const fetched = answering(200, []);
    const { client } = setup();
    const labels = op('mailbox.listLabels', { accountId: 'a b' });
    expect(labels.queryKey).toEqual(['mailbox.listLabels', { accountId: 'a b' }]);
    expect(await client.fetchQuery(labels)).toEqual([]);
    expect(await client.fetchQuery(labels)).toEqual([]);
    expect(fetched).toHaveBeenCalledTimes(1);
    const [request] = fetched.mock.calls[0] as [Request];
    expect(new URL(request.url).pathname).toBe('/api/mailbox/a%20b/labels');
    await invalidate(client, ['mailbox.listLabels']);
    await client.fetchQuery(labels);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('should report the end of the session once it could not be renewed', async () => {
    const fetched = answering(401, { code: 'unauthorized', detail: 'D.' });
    const { client, onSessionOver } = setup();
    await expect(client.fetchQuery(op('auth.me'))).rejects.toMatchObject({ status: 401 });
    expect(onSessionOver).toHaveBeenCalledTimes(1);
    const paths = fetched.mock.calls.map(([request]) => new URL((request as Request).url).pathname);
    expect(paths).toEqual(['/api/auth/me', '/api/auth/refresh']);
  });

  it('should read the user again when a mailbox is no longer theirs', async () => {
    answering(403, { code: 'account-not-owned', detail: 'D.' });
    const { client } = setup();
    const me = op('auth.me').queryKey;
    client.setQueryData(me, { user: {}, mailboxAccounts: [], storageUsedBytes: 0 } as never);
    await expect(client.fetchQuery(op('mailbox.listLabels', { accountId: 'a' }))).rejects.toThrow();
    expect(client.getQueryState(me)?.isInvalidated).toBe(true);
  });

  it('should forget the user, but not the installation', () => {
    const { client } = setup();
    const config = op('auth.config').queryKey;
    const labels = op('mailbox.listLabels', { accountId: 'a' }).queryKey;
    client.setQueryData(config, {} as never);
    client.setQueryData(labels, []);
    clearUserData(client);
    expect([client.getQueryData(config), client.getQueryData(labels)]).toEqual([{}, undefined]);
  });
});
