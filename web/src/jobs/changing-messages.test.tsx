import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aJob } from '../../test/a-job';
import { op } from '../api/op';
import { createQueryClient } from '../api/query-client';
import { useChangingMessages } from './changing-messages';
import { showJob } from './job-cache';

describe('messages that jobs are changing', () => {
  afterEach(() => vi.unstubAllGlobals());

  const setup = () => {
    const client = createQueryClient({ onSessionOver: () => undefined });
    client.setQueryData(op('jobs.list', { limit: 50 }).queryKey, []);
    const { result } = renderHook(() => useChangingMessages('account'), {
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    });
    return { client, result };
  };

  it('should be those of open changes in this mailbox, and none after these have ended', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ payload: { messageIds: ['m', 'n'] } })));
    const { client, result } = setup();
    act(() => showJob(client, aJob({ id: 'b', queue_id: 'bulk_operation-2', mailbox_account_id: 'other' })));
    act(() => showJob(client, aJob()));
    await waitFor(() => expect([...result.current]).toEqual(['m', 'n']));
    act(() => showJob(client, aJob({ status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' })));
    await waitFor(() => expect(result.current.size).toBe(0));
  });

  it('should remain until the list has been updated', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ payload: { messageIds: ['m'] } })));
    const { client, result } = setup();
    act(() => showJob(client, aJob()));
    await waitFor(() => expect([...result.current]).toEqual(['m']));
    let arrive: (list: object) => void = () => undefined;
    const list = client.fetchQuery({
      queryKey: ['mailbox.listMessages', {}],
      queryFn: () => new Promise<object>((resolve) => (arrive = resolve)),
    });
    act(() => showJob(client, aJob({ status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' })));
    expect([...result.current]).toEqual(['m']);
    await act(async () => {
      arrive({});
      await list;
    });
    await waitFor(() => expect(result.current.size).toBe(0));
  });
});
