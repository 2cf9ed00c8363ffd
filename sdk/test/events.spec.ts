import { SseParser } from '../src/events/sse-parser';
import { problem, ScriptedService, stream } from './scripted-service';

describe('SseParser', () => {
  const parse = (...pieces: string[]): { events: unknown[]; parser: SseParser } => {
    const parser = new SseParser();
    return { events: pieces.flatMap((piece) => parser.take(piece)), parser };
  };

  it.each([
    ['line feeds', 'event: a\nid: 1\ndata: x\n\n'],
    ['carriage returns and line feeds', 'event: a\r\nid: 1\r\ndata: x\r\n\r\n'],
    ['carriage returns', 'event: a\rid: 1\rdata: x\r\r:\n'],
    ['a byte order mark', '\uFEFFevent: a\nid: 1\ndata: x\n\n'],
    ['no blanks', 'event:a\nid:1\ndata:x\n\n'],
    ['comments and unknown fields', ': hello\nevent: a\nnonsense: 1\nid: 1\nnothing\ndata: x\n\n'],
  ])('should read %s, however they are cut', (_what, text) => {
    const expected = [{ event: 'a', id: '1', data: 'x' }];
    expect(parse(text).events).toEqual(expected);
    expect(parse(...text).events).toEqual(expected);
  });

  it('should join lines of data, and skip events without data', () => {
    expect(parse('data: a\ndata:  b\ndata\n\n').events).toEqual([
      { event: 'message', id: '', data: 'a\n b\n' },
    ]);
    const { events, parser } = parse('id: 7\nretry: 1500\n\nevent: lost\n\nretry: soon\n\ndata: x\n\n');
    expect(events).toEqual([{ event: 'message', id: '7', data: 'x' }]);
    expect(parser.state).toEqual({ lastEventId: '7', retryMs: 1500 });
  });

  it('should discard incomplete events', () => {
    expect(parse('data: a\n\ndata: b\n').events).toHaveLength(1);
  });
});

describe('events', () => {
  const STREAM = 'GET /api/notifications/events';
  const event = (id: string): string => `event: notification\nid: ${id}\ndata: {"id":"${id}"}\n\n`;

  it('should continue where the last connection ended', async () => {
    const service = new ScriptedService().on(
      STREAM,
      stream(['retry: 1\n\n', event('a')], new TypeError('terminated')),
      problem(503, 'unavailable', { 'retry-after': '0' }),
      stream(['retry: 1\n\n', event('b'), 'id: c\n\n']),
      stream([event('d')]),
    );
    const seen: string[] = [];
    const lost: unknown[] = [];
    const opened: number[] = [];
    const events = service.client().events('notifications', {
      lastEventId: 'z',
      onReconnect: (error) => lost.push(error),
      onOpen: () => opened.push(seen.length),
    });
    for await (const { event: name, data } of events) {
      seen.push(`${name} ${data.id}`);
      if (data.id === 'd') break;
    }
    expect(seen).toEqual(['notification a', 'notification b', 'notification d']);
    expect(service.requests.map(({ headers }) => headers.get('last-event-id'))).toEqual(['z', 'a', 'a', 'c']);
    expect(lost).toEqual([expect.objectContaining({ message: 'terminated' }), null]);
    expect(opened).toEqual([0, 1, 2]);
  });

  it('should end when the service refuses them', async () => {
    const service = new ScriptedService().on('GET /api/jobs/events', problem(403, 'api-key-scope'));
    await expect(service.client().events('jobs').next()).rejects.toMatchObject({ code: 'api-key-scope' });
  });

  it('should end when the caller stops', async () => {
    const open = (): Response => new Response(new ReadableStream());
    const service = new ScriptedService().on('GET /api/jobs/events', open);
    const abortion = new AbortController();
    const next = service.client().events('jobs', { signal: abortion.signal }).next();
    setTimeout(() => abortion.abort(new Error('enough')), 5);
    await expect(next).rejects.toThrow('enough');
  });
});
