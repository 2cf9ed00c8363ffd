import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { EventDispatcher } from '../../../../src/platform/events/event-dispatcher';
import type { JobEventResponse } from '../../../../src/platform/jobs/dto/job.response';
import type { AccountEventResponse } from '../../../../src/mailbox/live-updates/dto/account-event.response';
import type { ToastResponse } from '../../../../src/notify/notifications/dto/toasts.response';
import { startTestApp, TestApp } from '../../../support/app';
import { EventStream, type StreamRequest } from '../../../support/event-stream';
import type { TestUser } from '../../../support/test-user';

const PATH = '/api/events';

describe('The live updates of a page', () => {
  let sut: TestApp;
  let user: TestUser;
  let accountId: string;
  let opened: EventStream<any>[] = [];

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 20 } });
    user = await sut.user();
    await user.api.put('/api/notifications/preferences', { quota_warning_toast: true });
    accountId = await user.connect('name-20@sandbox.mailroom.test');
  });

  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
    opened = [];
  });

  afterAll(() => sut?.close());

  async function open<T>(request: StreamRequest, by = user): Promise<EventStream<T>> {
    const stream = await EventStream.open<T>(by.api, PATH, request);
    opened.push(stream);
    expect(stream.status).toBe(200);
    await stream.until('that it is open', () => stream.raw !== '');
    return stream;
  }

  const accounts = (): Promise<EventStream<AccountEventResponse>> => open({ event: 'account' });

  const warn = (): Promise<void> =>
    sut.app.get(Transactions).run((transaction) =>
      sut.app.get(EventDispatcher).dispatch(
        {
          type: 'quota.warning',
          key: newId(),
          userId: user.id,
          data: { usedBytes: 8, quotaBytes: 10, percent: 80 },
        },
        transaction,
      ),
    );

  it('should begin with the accounts, and send each change of one', async () => {
    const stream = await accounts();
    const states = (): unknown[] =>
      stream.events.map(({ data }) => [
        data.id,
        data.account && [data.account.status, data.account.is_active],
      ]);
    await stream.until('the account', () => stream.events.length > 0);
    expect(states()).toEqual([[accountId, ['connected', true]]]);
    await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
    await stream.until('it switched off', () => stream.events.at(-1)?.data.account?.is_active === false);
    await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
    await stream.until('it switched on', () => stream.events.at(-1)?.data.account?.is_active === true);
    const gone = await user.connect('name-1@sandbox.mailroom.test');
    await stream.until('another one', () => stream.events.some(({ data }) => data.id === gone));
    await user.api.delete(`/api/auth/mailbox/${gone}?purge=true`);
    const ended = { id: gone, account: null };
    await stream.until('its end', () => stream.events.some(({ data }) => isDeepStrictEqual(data, ended)));
  });

  it('should send jobs from start to end, and toasts', async () => {
    const [jobs, toasts] = [
      await open<JobEventResponse>({ event: 'job' }),
      await open<ToastResponse>({ event: 'notification' }),
    ];
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, { query: 'in:anywhere' });
    await jobs.until('the end', () => jobs.of(body.jobId).at(-1)?.data.status === 'completed');
    await warn();
    await toasts.until('the warning', () => toasts.events.some(({ data }) => data.type === 'quota_warning'));
  });

  it('should give ids only to toasts, and continue with those that were missed', async () => {
    const toasts = await open<ToastResponse>({ event: 'notification' });
    await warn();
    await toasts.until('a toast', () => toasts.events.length === 1);
    const { lastEventId } = toasts;
    expect(lastEventId).toBe(toasts.events[0]!.id);
    // One by one: of two changes close together a client is shown the latest state alone.
    for (const shown of [2, 3]) {
      await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
      await toasts.until('the account', () => toasts.raw.match(/^event: account$/gm)?.length === shown);
    }
    expect([toasts.lastEventId, toasts.raw]).toEqual([
      lastEventId,
      expect.not.stringMatching(/^event: (account|job)\nid:/m),
    ]);
    toasts.close();
    await warn();
    const again = await open<ToastResponse>({ event: 'notification', lastEventId });
    await again.until('what was missed', () => again.events.length === 1);
  });

  it('should send nothing of other users', async () => {
    const other = await sut.user('other');
    const stream = await open<JobEventResponse>({ event: 'job' }, other);
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, { query: 'in:anywhere' });
    await user.jobEnd(body.jobId);
    await warn();
    expect(stream.raw).not.toMatch(/^event:/m);
  });

  it('should be available only to sessions, and end with them', async () => {
    expect((await sut.anonymous.get(PATH)).status).toBe(401);
    const stream = await accounts();
    const leaving = await sut.user('leaving');
    const own = await open({ event: 'account' }, leaving);
    await leaving.api.post('/api/auth/logout');
    await own.until('its end', () => own.ended);
    expect(stream.ended).toBe(false);
  });
});
