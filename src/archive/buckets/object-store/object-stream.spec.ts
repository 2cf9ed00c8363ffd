import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedObject } from './bucket';
import { ObjectStream } from './object-stream';

const OBJECT = Buffer.from('the bytes of an object');

/** An answer that brings what it should, or breaks off after some bytes. */
function answer(options: {
  etag: string;
  from?: number;
  breaksAfter?: number;
  bytes?: Buffer;
}): OpenedObject {
  const rest = (options.bytes ?? OBJECT).subarray(options.from ?? 0);
  const body = new PassThrough();
  if (options.breaksAfter === undefined) {
    body.end(rest);
  } else {
    body.write(rest.subarray(0, options.breaksAfter), () => {
      setImmediate(() => body.destroy(new Error('connection reset')));
    });
  }
  return { body: body as unknown as IncomingMessage, etag: options.etag, length: rest.length };
}

const LIMITS = { pace: { graceMs: 20_000, bytesPerSecond: 64_000 }, reopeningMs: 60_000 };

const asIs = (error: unknown): Error => error as Error;

describe('ObjectStream', () => {
  const read = async (stream: ObjectStream): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };

  it('should continue where the connection broke', async () => {
    const offsets: number[] = [];
    const reopen = async (offset: number): Promise<OpenedObject> => {
      offsets.push(offset);
      return answer({ etag: '"1"', from: offset, ...(offsets.length < 3 && { breaksAfter: 4 }) });
    };
    const stream = new ObjectStream(answer({ etag: '"1"', breaksAfter: 4 }), reopen, asIs, LIMITS);
    expect(await read(stream)).toBe(OBJECT.toString());
    expect(offsets).toEqual([4, 8, 12]);
  });

  it.each([
    [
      'has been replaced by one of the same size',
      '"1"',
      { etag: '"2"', bytes: Buffer.alloc(OBJECT.length, 'x') },
    ],
    ['has been replaced by a shorter one', '"1"', { etag: '"1"', bytes: OBJECT.subarray(0, -1) }],
    ['comes without a validator', '', { etag: '', bytes: Buffer.alloc(OBJECT.length, 'x') }],
  ])('should not join the contents of two objects when the object %s', async (_what, etag, other) => {
    const reopen = async (from: number): Promise<OpenedObject> => answer({ ...other, from });
    const stream = new ObjectStream(answer({ etag, breaksAfter: 4 }), reopen, asIs, LIMITS);
    await expect(read(stream)).rejects.toThrow('changed while it was read');
  });

  it('should fail with the error of the store when the object is removed halfway', async () => {
    const reopen = async (): Promise<OpenedObject> => Promise.reject(new Error('no such object'));
    const stream = new ObjectStream(answer({ etag: '"1"', breaksAfter: 4 }), reopen, asIs, LIMITS);
    await expect(read(stream)).rejects.toThrow('no such object');
  });

  describe('from a slow store', () => {
    const slowLimits = { pace: { graceMs: 100, bytesPerSecond: 1_000 }, reopeningMs: 60_000 };
    /** Sends a byte now and then, and never ends. */
    function trickle(from: number): OpenedObject {
      const body = new PassThrough();
      const timer = setInterval(() => body.write('x'), 20);
      body.once('close', () => clearInterval(timer));
      return { body: body as unknown as IncomingMessage, etag: '"1"', length: 100_000 - from };
    }

    it('should fail when every connection trickles', async () => {
      let opened = 1;
      const reopen = async (from: number): Promise<OpenedObject> => {
        opened += 1;
        return trickle(from);
      };
      const stream = new ObjectStream(trickle(0), reopen, asIs, slowLimits);
      await expect(read(stream)).rejects.toThrow('it sends its objects too slowly');
      expect(opened).toBe(3);
    });

    it('should continue with another connection when one has stalled', async () => {
      const stalled = answer({ etag: '"1"', bytes: OBJECT });
      const body = new PassThrough();
      body.write(OBJECT.subarray(0, 4));
      const reopen = async (from: number): Promise<OpenedObject> => answer({ etag: '"1"', from });
      const first = { ...stalled, body: body as unknown as IncomingMessage };
      expect(await read(new ObjectStream(first, reopen, asIs, slowLimits))).toBe(OBJECT.toString());
    });

    it('should wait for a slow reader without limit', async () => {
      const body = new PassThrough();
      body.write(Buffer.alloc(90_000, 'x'));
      const opened = { body: body as unknown as IncomingMessage, etag: '"1"', length: 100_000 };
      const reopen = async (): Promise<OpenedObject> => Promise.reject(new Error('not needed'));
      const stream = new ObjectStream(opened, reopen, asIs, slowLimits);
      // Begins, and takes nothing of what comes.
      stream.read(0);
      await delay(300);
      body.end(Buffer.alloc(10_000, 'x'));
      expect(await read(stream)).toHaveLength(100_000);
    });

    it('should fail when each connection breaks after a byte', async () => {
      const reopen = async (from: number): Promise<OpenedObject> => {
        await delay(10);
        return answer({ etag: '"1"', from, breaksAfter: 1 });
      };
      const limits = { ...slowLimits, reopeningMs: 25 };
      const stream = new ObjectStream(answer({ etag: '"1"', breaksAfter: 1 }), reopen, asIs, limits);
      await expect(read(stream)).rejects.toThrow('it sends its objects too slowly');
    });
  });
});
