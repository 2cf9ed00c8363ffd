import type { Schemas } from '@mailroom/sdk';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { op } from '../api/op';
import { useLiveUpdates } from './use-live-updates';

const JOB = {
  id: 'a',
  queue_id: 'import_mbox-1',
  type: 'import_mbox',
  status: 'active',
  progress: 10,
  total: 100,
  processed: 10,
  failed: 0,
  mailbox_account_id: 'account',
  result: null,
  error: null,
  error_code: null,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: '2026-01-01T00:00:00.000Z',
  completed_at: null,
};
const ACCOUNT = { id: 'account', email: 'ada@example.org', status: 'connected' };
const ENDED = { ...JOB, status: 'completed', processed: 100, completed_at: '2026-01-01T00:01:00.000Z' };

describe('live updates of the page', () => {
  let tell: (event: string, data: object) => void;
  let client: QueryClient;
  let close: () => void;

  beforeEach(() => {
    localStorage.clear();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        tell = (event, data) =>
          controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      },
    });
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    );
    const Listener = (): null => {
      client = useQueryClient();
      useLiveUpdates();
      return null;
    };
    close = renderPart(<Listener />).unmount;
  });

  afterEach(() => {
    close();
    vi.unstubAllGlobals();
  });

  it('should add jobs to the list, and invalidate what their end changes', async () => {
    const listed = op('jobs.list', { limit: 50 }).queryKey;
    const archive = op('archive.listMails', { accountId: 'account' }).queryKey;
    client.setQueryData(listed, []);
    client.setQueryData(archive, { mails: [], total: 0 } as never);
    tell('job', JOB);
    await vi.waitFor(() => expect(client.getQueryData(listed)?.[0]?.processed).toBe(10));
    expect(client.getQueryState(archive)?.isInvalidated).toBe(false);
    tell('job', ENDED);
    await vi.waitFor(() => expect(client.getQueryData(listed)?.[0]?.status).toBe('completed'));
    expect(client.getQueryState(archive)?.isInvalidated).toBe(true);
  });

  it('should add, update and remove mailboxes of the user', async () => {
    const me = op('auth.me').queryKey;
    const shown = (): [string, string][] | undefined =>
      client.getQueryData(me)?.mailboxAccounts.map(({ id, status }) => [id, status]);
    client.setQueryData(me, { mailboxAccounts: [] } as unknown as Schemas['MeResponse']);
    tell('account', { id: 'account', account: ACCOUNT });
    await vi.waitFor(() => expect(shown()).toEqual([['account', 'connected']]));
    tell('account', { id: 'account', account: { ...ACCOUNT, status: 'needs_reauth' } });
    await vi.waitFor(() => expect(shown()).toEqual([['account', 'needs_reauth']]));
    tell('account', { id: 'account', account: null });
    await vi.waitFor(() => expect(shown()).toEqual([]));
  });
});
