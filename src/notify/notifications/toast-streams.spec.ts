import type { SseConnection } from '../../platform/sse/sse-connection';
import type { SseMessage } from '../../platform/sse/sse-message';
import type { EventsSince, RecentEvent, StreamPosition } from './recent-events.repository';
import { ToastFeed, ToastSource } from './toast-streams';

class FakeConnection implements Pick<SseConnection, 'congested' | 'send' | 'mark' | 'onDrain'> {
  congested = false;
  readonly sent: string[] = [];
  readonly marks: string[] = [];
  private drained: () => void = () => undefined;

  send(message: SseMessage): void {
    this.sent.push(message.id!);
  }

  mark(id: string): void {
    this.marks.push(id);
  }

  onDrain(listener: () => void): void {
    this.drained = listener;
  }

  drain(): void {
    this.congested = false;
    this.drained();
  }
}

/** A table of events; positions are counts of them. */
class FakeSource implements ToastSource {
  readonly events: string[] = [];
  reads = 0;
  failing = false;
  news: () => void = () => undefined;

  constructor(readonly lastEventId: string | null = null) {}

  add(...ids: string[]): void {
    this.events.push(...ids);
    this.news();
  }

  positionOf(lastEventId: string | null): Promise<StreamPosition> {
    const index = lastEventId === null ? this.events.length : this.events.indexOf(lastEventId) + 1;
    return Promise.resolve({ snapshot: `${index}`, after: lastEventId });
  }

  async readSince({ snapshot }: StreamPosition): Promise<EventsSince> {
    this.reads += 1;
    const ids = this.events.slice(Number(snapshot));
    const position = { snapshot: `${this.events.length}`, after: null };
    await Promise.resolve();
    if (this.failing) throw new Error('away');
    return { events: ids.map(anEvent), position };
  }

  listen(listener: () => void): Promise<() => void> {
    this.news = listener;
    return Promise.resolve(() => undefined);
  }
}

const anEvent = (id: string): RecentEvent => ({
  id,
  type: 'quota.warning',
  data: { usedBytes: 8, quotaBytes: 10, percent: 80 },
  created_at: new Date(0),
  notification_id: null,
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ToastFeed', () => {
  let connection: FakeConnection;
  let failed: jest.Mock;

  beforeEach(() => {
    connection = new FakeConnection();
    failed = jest.fn();
  });

  const feedOf = (source: ToastSource): ToastFeed =>
    new ToastFeed(connection as unknown as SseConnection, source, failed);

  async function begun(source: FakeSource): Promise<ToastFeed> {
    const feed = feedOf(source);
    await feed.listen();
    (await feed.begin())();
    return feed;
  }

  it('should begin with the events that the client missed, or with a mark', async () => {
    const source = new FakeSource('a');
    source.add('a', 'b', 'c');
    await begun(source);
    expect([connection.sent, connection.marks]).toEqual([['b', 'c'], []]);
    await begun(new FakeSource());
    expect(connection.marks).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  it('should send events that occur during the beginning after the first ones', async () => {
    const source = new FakeSource('a');
    source.add('a', 'b');
    const feed = feedOf(source);
    await feed.listen();
    const show = await feed.begin();
    source.add('c');
    await settled();
    expect(connection.sent).toEqual([]);
    show();
    await settled();
    expect(connection.sent).toEqual(['b', 'c']);
  });

  it('should read once more for events that occur during a read', async () => {
    const source = new FakeSource();
    await begun(source);
    source.add('a');
    source.add('b');
    source.add('c');
    await settled();
    expect(connection.sent).toEqual(['a', 'b', 'c']);
    expect(source.reads).toBe(2);
  });

  it('should not read while the client is slow, and catch up afterwards', async () => {
    const source = new FakeSource();
    const feed = await begun(source);
    connection.congested = true;
    source.add('a');
    await feed.catchUp();
    expect([connection.sent, source.reads]).toEqual([[], 0]);
    connection.drain();
    await settled();
    expect(connection.sent).toEqual(['a']);
  });

  it('should leave a failed read to the next heartbeat, and report it when that fails too', async () => {
    const source = new FakeSource();
    const feed = await begun(source);
    source.failing = true;
    source.add('a');
    await settled();
    expect(failed).toHaveBeenCalledTimes(1);
    await expect(feed.catchUp()).rejects.toThrow('away');
    source.failing = false;
    await feed.catchUp();
    expect(connection.sent).toEqual(['a']);
  });

  it('should send nothing once it is closed', async () => {
    const source = new FakeSource();
    const feed = await begun(source);
    source.add('a');
    feed.close();
    await settled();
    expect(connection.sent).toEqual([]);
  });
});
