import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { SseTimings } from '../../../../src/platform/sse/sse-streams';
import { RedisService } from '../../../../src/platform/redis/redis.service';
import { EventDispatcher } from '../../../../src/platform/events/event-dispatcher';
import type { RuleExecuted } from '../../../../src/platform/events/events';
import { ToastsService } from '../../../../src/notify/notifications/toasts.service';
import type { ToastResponse } from '../../../../src/notify/notifications/dto/toasts.response';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { EventStream } from '../../../support/event-stream';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const PATH = '/api/notifications/events';
const PREFERENCES = '/api/notifications/preferences';
const HEARTBEAT_MS = 100;
const STREAMS_PER_USER = 20;

type ToastStream = EventStream<ToastResponse>;

describe('The stream of toasts', () => {
  let sut: TestApp;
  let user: TestUser;
  let opened: ToastStream[] = [];

  beforeAll(async () => {
    sut = await startTestApp({ own: true, env: { ROLE: 'api' }, sandbox: { messages: 1 } });
    await sut.user('administrator');
    user = await sut.user();
  });

  beforeEach(async () => {
    heartbeat(15_000);
    await prefer({ rule_executed: false, rule_executed_toast: true });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const stream of opened) stream.close();
    opened = [];
  });

  afterAll(() => sut?.close());

  /** Of streams opened from now on. */
  const heartbeat = (heartbeatMs: number): unknown => Object.assign(sut.app.get(SseTimings), { heartbeatMs });

  const prefer = (preferences: object): Promise<unknown> => user.api.put(PREFERENCES, preferences);

  async function open({
    api = user.api,
    lastEventId,
  }: { api?: ApiClient; lastEventId?: string } = {}): Promise<ToastStream> {
    const stream = await EventStream.open<ToastResponse>(api, PATH, { event: 'notification', lastEventId });
    opened.push(stream);
    expect(stream.status).toBe(200);
    await stream.until('that it is open', () => stream.raw !== '');
    return stream;
  }

  const event = (matched: number): RuleExecuted => ({
    type: 'rule.executed',
    key: newId(),
    userId: user.id,
    data: { ruleId: newId(), name: 'Ads', accountId: newId(), action: 'trash', matched, jobId: 'run_rule-1' },
  });

  const dispatch = (...matched: number[]): Promise<void> =>
    sut.app.get(Transactions).run(async (transaction) => {
      for (const number of matched) await sut.app.get(EventDispatcher).dispatch(event(number), transaction);
    });

  /** Dispatches in a transaction that stays open until the returned function is called. */
  async function dispatchOpen(matched: number): Promise<() => Promise<void>> {
    let commit!: () => void;
    const committed = new Promise<void>((resolve) => (commit = resolve));
    let dispatched!: () => void;
    const done = new Promise<void>((resolve) => (dispatched = resolve));
    const work = sut.app.get(Transactions).run(async (transaction) => {
      await sut.app.get(EventDispatcher).dispatch(event(matched), transaction);
      dispatched();
      await committed;
    });
    await done;
    return () => {
      commit();
      return work;
    };
  }

  /** What events are known by here. */
  const shown = (stream: ToastStream): number[] =>
    stream.events.map(({ data }) => data.data['matched'] as number);

  const until = (stream: ToastStream, ...matched: number[]): Promise<void> =>
    stream
      .until(matched.join(), () => shown(stream).length >= matched.length)
      .then(() => {
        expect(shown(stream)).toEqual(matched);
      });

  /** Shows that nothing else is on its way: this comes last, and alone. */
  async function nothingBut(stream: ToastStream, ...matched: number[]): Promise<void> {
    await dispatch(999);
    await until(stream, ...matched, 999);
  }

  /** News that get lost, as while Redis is away. @returns call it to have them come again */
  function loseNews(): () => void {
    const spy = jest.spyOn(sut.app.get(RedisService), 'publish').mockRejectedValue(new Error('away'));
    return () => spy.mockRestore();
  }

  describe('shows', () => {
    it('the fields of a toast, with the id of the event', async () => {
      const stream = await open();
      await dispatch(2);
      await until(stream, 2);
      const [{ id }] = await sut.dataSource.query(
        'SELECT id FROM events WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
        [user.id],
      );
      expect(stream.events[0]).toMatchObject({
        id,
        data: {
          id,
          type: 'rule_executed',
          title: 'Rule "Ads" was executed',
          body: '2 messages matched. Action: move to trash.',
          data: { name: 'Ads', matched: 2, jobId: 'run_rule-1' },
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          notification_id: null,
        },
      });
      expect(stream.headers.get('content-type')).toContain('text/event-stream');
    });

    it('the id of the notification, if the user wants notifications', async () => {
      await prefer({ rule_executed: true });
      const stream = await open();
      await dispatch(1);
      await until(stream, 1);
      const { body } = await user.api.get('/api/notifications');
      expect(body.notifications[0].data).toEqual(stream.events[0]!.data.data);
      expect(stream.events[0]!.data.notification_id).toBe(body.notifications[0].id);
    });

    it('events that the preferences allow at that moment', async () => {
      const stream = await open();
      await dispatch(1);
      await until(stream, 1);
      await prefer({ rule_executed_toast: false, rule_executed: true });
      const looks = jest.spyOn(sut.app.get(ToastsService), 'readSince');
      await dispatch(2);
      await waitFor('a look at what is new', () => looks.mock.results.length > 0);
      expect(await looks.mock.results[0]!.value).toMatchObject({ events: [] });
      await prefer({ rule_executed_toast: true });
      await nothingBut(stream, 1);
    });

    it('no rolled-back events and no events of other users', async () => {
      const stream = await open();
      const rolledBack = sut.app.get(Transactions).run(async (transaction) => {
        await sut.app.get(EventDispatcher).dispatch(event(1), transaction);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      const other = await sut.user();
      await other.api.put(PREFERENCES, { rule_executed_toast: true });
      const foreign = await open({ api: other.api });
      await nothingBut(stream);
      expect(shown(foreign)).toEqual([]);
    });

    it('every event once, however many come at the same time', async () => {
      const streams = [await open(), await open()];
      const numbers = Array.from({ length: 30 }, (_, index) => index);
      await Promise.all(numbers.map((number) => dispatch(number)));
      for (const stream of streams) {
        await stream.until('all of them', () => stream.events.length >= numbers.length);
        expect(shown(stream).sort((a, b) => a - b)).toEqual(numbers);
      }
    });

    it('events that another process records, and ends with its own process', async () => {
      const { app: second, url } = await sut.another();
      const api = new ApiClient(url, user.api.token);
      const stream = await open({ api });
      await dispatch(5);
      await until(stream, 5);
      await second.close();
      await stream.until('its end', () => stream.ended, 2_000);
    });
  });

  describe('continues', () => {
    it('with new events only, for a client that names no known event', async () => {
      await dispatch(1);
      for (const lastEventId of [undefined, 'scan_pii-1.2', '']) {
        const stream = await open({ lastEventId });
        await nothingBut(stream);
        stream.close();
      }
    });

    it('after the last event the client showed', async () => {
      const first = await open();
      await dispatch(1);
      await until(first, 1);
      first.close();
      await dispatch(2);
      await dispatch(3, 4);
      const second = await open({ lastEventId: first.lastEventId });
      await until(second, 2, 3, 4);
      await nothingBut(second, 2, 3, 4);
      // Cut off in the middle of what it had missed.
      const third = await open({ lastEventId: second.events[1]!.id });
      await until(third, 4, 999);
      // Nothing again of the transaction whose last event was shown.
      const fourth = await open({ lastEventId: second.events[2]!.id });
      await until(fourth, 999);
    });

    it('from where it was opened, for a client without any event yet', async () => {
      await dispatch(1);
      const first = await open();
      await first.until('its id', () => first.lastEventId !== '');
      first.close();
      await dispatch(2);
      await until(await open({ lastEventId: first.lastEventId }), 2);
    });

    it('with events that were recorded before it and committed later', async () => {
      const commit = await dispatchOpen(1);
      const first = await open();
      await dispatch(2);
      await until(first, 2);
      first.close();
      await commit();
      const second = await open({ lastEventId: first.lastEventId });
      await until(second, 1);
      expect(second.events[0]!.id < first.lastEventId).toBe(true);
      await nothingBut(second, 1);
    });

    it('on the same connection with events that committed late, once', async () => {
      heartbeat(HEARTBEAT_MS);
      const commit = await dispatchOpen(1);
      const stream = await open();
      await dispatch(2);
      await until(stream, 2);
      await commit();
      await until(stream, 2, 1);
      await nothingBut(stream, 2, 1);
    });

    it('with the newest hundred of the last five minutes', async () => {
      const first = await open();
      await dispatch(0);
      await until(first, 0);
      first.close();
      await dispatch(...Array.from({ length: 103 }, (_, index) => index + 1));
      await sut.dataSource.query(
        `UPDATE events SET created_at = now() - interval '301 seconds'
         WHERE user_id = $1 AND data ->> 'matched' IN ('50', '60')`,
        [user.id],
      );
      const second = await open({ lastEventId: first.lastEventId });
      const expected = Array.from({ length: 102 }, (_, index) => index + 2).filter(
        (n) => n !== 50 && n !== 60,
      );
      await until(second, ...expected);
    });

    it('with events whose broadcast was lost, at the next heartbeat, once', async () => {
      heartbeat(HEARTBEAT_MS);
      const stream = await open();
      const find = loseNews();
      await dispatch(1);
      await until(stream, 1);
      find();
      await nothingBut(stream, 1);
      const beats = stream.raw.split(': heartbeat').length;
      await stream.until('two more heartbeats', () => stream.raw.split(': heartbeat').length >= beats + 2);
      expect(shown(stream)).toEqual([1, 999]);
    });
  });

  describe('ends', () => {
    it('with the session, without ending the streams of other users', async () => {
      const { api } = await sut.user();
      const [stream, other] = [await open({ api }), await open()];
      expect((await api.post('/api/auth/logout')).status).toBe(204);
      await stream.until('its end', () => stream.ended, 2_000);
      expect(other.ended).toBe(false);
    });

    it('at the next heartbeat when the end of the session was not announced', async () => {
      heartbeat(HEARTBEAT_MS);
      const gone = await sut.user();
      const stream = await open({ api: gone.api });
      await sut.dataSource.query('DELETE FROM users WHERE id = $1', [gone.id]);
      await stream.until('its end', () => stream.ended, 10_000);
    });

    it('at once for HEAD, after the headers', async () => {
      const response = await user.api.fetch('HEAD', PATH, { signal: AbortSignal.timeout(2_000) });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      expect(await response.text()).toBe('');
    });
  });

  it('should be refused without a token, and to a user with too many streams', async () => {
    const anonymous = await sut.anonymous.get(PATH);
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'unauthorized']);
    for (let count = 0; count < STREAMS_PER_USER; count += 1) await open();
    const refused = await user.api.get(PATH);
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-streams']);
    // Those of jobs are counted apart.
    const jobs = await EventStream.open(user.api, '/api/jobs/events');
    expect(jobs.status).toBe(200);
    jobs.close();
  });

  it('should not block commits while Redis is unavailable', async () => {
    loseNews();
    await expect(dispatch(1)).resolves.toBeUndefined();
  });
});
