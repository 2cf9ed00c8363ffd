import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { aJob } from '../../test/a-job';
import { op } from '../api/op';
import { createQueryClient } from '../api/query-client';
import { jobsWereMissed, showJob } from './job-cache';

const LISTED = op('jobs.list', { limit: 50 }).queryKey;
const LABELS = op('mailbox.listLabels', { accountId: 'account' }).queryKey;

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('events of jobs', () => {
  const setup = () => {
    const client = createQueryClient({ onSessionOver: () => undefined });
    client.setQueryData(LISTED, []);
    client.setQueryData(LABELS, []);
    const isOld = (): boolean | undefined => client.getQueryState(LABELS)?.isInvalidated;
    return { client, isOld, shown: () => client.getQueryData(LISTED) };
  };

  it('should be added to the list, and update existing entries', () => {
    const { client, shown } = setup();
    showJob(client, aJob());
    showJob(client, aJob({ id: 'b' }));
    showJob(client, aJob({ processed: 50 }));
    expect(shown()?.map(({ id, processed }) => [id, processed])).toEqual([
      ['b', 2_500],
      ['a', 50],
    ]);
  });

  it('should change nothing in the cache until the job ends, and then invalidate only what its kind changes', () => {
    const { client, isOld } = setup();
    showJob(client, aJob());
    expect(isOld()).toBe(false);
    showJob(client, aJob({ type: 'import_mbox', id: 'b', completed_at: '2026-01-01T00:01:00.000Z' }));
    expect(isOld()).toBe(false);
    showJob(client, aJob({ status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' }));
    expect(isOld()).toBe(true);
  });

  it.each(['offload_messages', 'bulk_operation', 'undo_changes', 'run_rule', 'restore_mails'])(
    'should invalidate together all figures of a mailbox that appear together: %s',
    (type) => {
      const { client, isOld } = setup();
      const others = (
        ['analytics.getInboxZero', 'dashboard.getMailboxStats', 'mailbox.getProfile'] as const
      ).map((name) => op(name, { accountId: 'account' }).queryKey as readonly unknown[]);
      for (const key of others) client.setQueryData(key, {});
      showJob(client, aJob({ type, status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' }));
      expect(isOld()).toBe(true);
      expect(others.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
    },
  );

  it('should end a job that a list already shows as ended', () => {
    const { client, isOld } = setup();
    const ended = aJob({ status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' });
    client.setQueryData(LISTED, [
      { ...ended, payload: {}, payload_truncated: false, payload_removed: false },
    ]);
    showJob(client, ended);
    expect(isOld()).toBe(true);
    client.setQueryData(LABELS, []);
    showJob(client, ended);
    expect(isOld()).toBe(false);
  });

  it('should not be overwritten by a list that was requested earlier', async () => {
    const { client, shown } = setup();
    const ended = aJob({ status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' });
    const answers = [deferred<Response>(), deferred<Response>()];
    const asked = vi.fn(() => answers[asked.mock.calls.length - 1]!.promise);
    vi.stubGlobal('fetch', asked);
    const stop = new QueryObserver(client, op('jobs.list', { limit: 50 })).subscribe(() => undefined);
    void client.invalidateQueries({ queryKey: LISTED });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    showJob(client, aJob());
    showJob(client, ended);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    answers[0]!.resolve(Response.json([aJob()]));
    answers[1]!.resolve(Response.json([ended]));
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    expect(shown()?.map(({ status }) => status)).toEqual(['completed']);
    stop();
    vi.unstubAllGlobals();
  });

  it('should invalidate everything when ends may have been missed', () => {
    const { client, isOld } = setup();
    jobsWereMissed(client);
    expect(isOld()).toBe(true);
  });
});
