import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followLiveUpdates, type LiveEvent } from './live-updates';
import { hearTabs, tellTabs } from './tabs';

const ACCOUNT = { id: 'a', account: null };

/** An event stream that stays open. */
function stream(...events: string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const event of events) controller.enqueue(new TextEncoder().encode(event));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const accountEvent = `event: account\ndata: ${JSON.stringify(ACCOUNT)}\n\n`;

describe('live updates', () => {
  let heard: LiveEvent[];
  let stop: () => void = () => undefined;

  beforeEach(() => {
    localStorage.clear();
    heard = [];
  });

  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
  });

  const follow = (onInterruption = vi.fn()): ReturnType<typeof vi.fn> => {
    stop = followLiveUpdates({ onEvent: (event) => heard.push(event), onInterruption });
    return onInterruption;
  };

  it('should be read by this tab, and forwarded to the others', async () => {
    const told: unknown[] = [];
    const leave = hearTabs('event', (event) => told.push(event));
    const other = new BroadcastChannel('mailroom');
    const toldOther: unknown[] = [];
    other.onmessage = ({ data }) => toldOther.push(data);
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(stream(accountEvent))),
    );
    follow();
    await vi.waitFor(() => expect(heard).toEqual([{ event: 'account', data: ACCOUNT }]));
    await vi.waitFor(() => expect(toldOther).toHaveLength(1));
    expect(told).toEqual([]);
    leave();
    other.close();
  });

  it('should be received from the tab that reads them', async () => {
    localStorage.setItem(
      'mailroom-events-leader',
      JSON.stringify({ id: 'other', until: Date.now() + 60_000 }),
    );
    const fetched = vi.fn();
    vi.stubGlobal('fetch', fetched);
    follow();
    const other = new BroadcastChannel('mailroom');
    other.postMessage({ kind: 'event', value: { event: 'account', data: ACCOUNT } });
    await vi.waitFor(() => expect(heard).toEqual([{ event: 'account', data: ACCOUNT }]));
    expect(fetched).not.toHaveBeenCalled();
    other.close();
  });

  it('should ignore events that this version does not know', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(stream('event: novelty\ndata: 1\n\n', accountEvent))),
    );
    follow();
    await vi.waitFor(() => expect(heard).toHaveLength(1));
  });

  it('should report a possible gap when the service is back', async () => {
    const ended = new Response('retry: 1\n\n', { headers: { 'content-type': 'text/event-stream' } });
    let comeBack: (answer: Response) => void = () => undefined;
    const fetched = vi
      .fn()
      .mockResolvedValueOnce(ended)
      .mockReturnValueOnce(new Promise<Response>((resolve) => (comeBack = resolve)));
    vi.stubGlobal('fetch', fetched);
    const onInterruption = follow();
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
    expect(onInterruption).not.toHaveBeenCalled();
    comeBack(stream());
    await vi.waitFor(() => expect(onInterruption).toHaveBeenCalledTimes(1));
  });

  it('should report a possible gap to all tabs when this tab takes over', async () => {
    const other = new BroadcastChannel('mailroom');
    const toldOther: unknown[] = [];
    other.onmessage = ({ data }: MessageEvent<unknown>) => toldOther.push(data);
    const lease = { id: 'other', until: Date.now() + 500 };
    localStorage.setItem('mailroom-events-leader', JSON.stringify(lease));
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(stream())),
    );
    const onInterruption = follow();
    expect(onInterruption).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(onInterruption).toHaveBeenCalledTimes(1), { timeout: 5_000 });
    await vi.waitFor(() => expect(toldOther).toEqual([{ kind: 'interrupted', value: true }]));
    other.close();
  });

  it('should report no gap when there was no other tab', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(stream(accountEvent))),
    );
    const onInterruption = follow();
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(onInterruption).not.toHaveBeenCalled();
  });

  it('should report a possible gap when the service refuses them', async () => {
    const gone = new Response(JSON.stringify({ code: 'account-not-owned', detail: 'D.' }), {
      status: 403,
      headers: { 'content-type': 'application/problem+json' },
    });
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(gone)),
    );
    vi.spyOn(console, 'info').mockReturnValue();
    const onInterruption = follow();
    await vi.waitFor(() => expect(onInterruption).toHaveBeenCalled());
  });

  it('should not be sent back to the forwarding tab', () => {
    const told = vi.fn();
    const leave = hearTabs('interrupted', told);
    tellTabs('interrupted', true);
    expect(told).not.toHaveBeenCalled();
    leave();
  });
});
