import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
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

const asIs = (error: unknown): Error => error as Error;

describe('ObjectStream', () => {
  const read = async (stream: ObjectStream): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };

  it('should go on where the connection broke', async () => {
    const offsets: number[] = [];
    const reopen = async (offset: number): Promise<OpenedObject> => {
      offsets.push(offset);
      return answer({ etag: '"1"', from: offset, ...(offsets.length < 3 && { breaksAfter: 4 }) });
    };
    const stream = new ObjectStream(answer({ etag: '"1"', breaksAfter: 4 }), reopen, asIs);
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
    [
      'comes without anything to tell its content by',
      '',
      { etag: '', bytes: Buffer.alloc(OBJECT.length, 'x') },
    ],
  ])('should not put two contents together when the object %s', async (_what, etag, other) => {
    const reopen = async (from: number): Promise<OpenedObject> => answer({ ...other, from });
    const stream = new ObjectStream(answer({ etag, breaksAfter: 4 }), reopen, asIs);
    await expect(read(stream)).rejects.toThrow('changed while it was read');
  });

  it('should fail with what the store says when the object has been removed midway', async () => {
    const reopen = async (): Promise<OpenedObject> => Promise.reject(new Error('no such object'));
    const stream = new ObjectStream(answer({ etag: '"1"', breaksAfter: 4 }), reopen, asIs);
    await expect(read(stream)).rejects.toThrow('no such object');
  });
});
