import { setMaxListeners } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppConfig } from '../config/app-config';
import { Arrivals } from './arrivals';
import { ArrivalTooLarge } from './arrivals.errors';

const MIB = 1024 * 1024;

describe('Arrivals', () => {
  let dataDir: string;
  let sut: Arrivals;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mailroom-arrivals-'));
    sut = new Arrivals({ storage: { dataDir } } as AppConfig);
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const files = (): string[] => readdirSync(join(dataDir, 'arriving'));
  async function* bytes(...pieces: string[]): AsyncGenerator<Buffer, void, undefined> {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  /** Says when it is waited for, and never brings more than a byte. */
  async function* endless(signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    yield Buffer.from('x');
    await delay(60_000, undefined, { signal });
  }

  it('should return what arrived, whole or as a stream, and leave no file', async () => {
    const whole = await sut.receive('user', 6, bytes('abc', 'def'));
    expect([sut.inUse, whole.length, files()]).toEqual([6, 6, []]);
    expect((await whole.read()).toString()).toBe('abcdef');
    const stream = (await sut.receive('user', 6, bytes('abc', 'def'))).stream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('abcdef');
    expect(sut.inUse).toBe(0);
  });

  it('should count bytes beyond the announced length', async () => {
    const arrived = await sut.receive('user', 1, bytes('abc', 'def'));
    expect(sut.inUse).toBe(6);
    await arrived.close();
    expect(sut.inUse).toBe(0);
  });

  it('should release its space when the source fails, and when a stream is abandoned', async () => {
    const failing = (async function* () {
      yield* bytes('abc');
      throw new Error('gone');
    })();
    await expect(sut.receive('user', 6, failing)).rejects.toThrow('gone');
    expect(sut.inUse).toBe(0);
    const stream = (await sut.receive('user', 3, bytes('abc'))).stream();
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
    expect(sut.inUse).toBe(0);
  });

  it('should refuse more than the share of one user, announced or sent, and admit others', async () => {
    await expect(sut.receive('user', 8_000 * MIB, bytes('abc'))).rejects.toThrow(ArrivalTooLarge);
    const piece = Buffer.alloc(64 * MIB);
    let pieces = 0;
    const flood = (async function* () {
      for (; pieces < 20; pieces += 1) yield piece;
    })();
    await expect(sut.receive('user', 1, flood)).rejects.toThrow(ArrivalTooLarge);
    expect([pieces, sut.inUse]).toEqual([8, 0]);
    await (await sut.receive('other', 3, bytes('abc'))).close();
  });

  it('should receive from other users while the sources of one user are stuck', async () => {
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    const stuck = Array.from({ length: 20 }, () =>
      sut.receive('slow', 150 * MIB, endless(leave.signal), leave.signal),
    );
    const others = await Promise.all(
      ['a', 'b', 'c'].map((user) => sut.receive(user, 150 * MIB, bytes('abc'))),
    );
    expect(await Promise.all(others.map((arrived) => arrived.read()))).toHaveLength(3);
    leave.abort(new Error('left'));
    const ends = await Promise.allSettled(stuck);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sut.inUse).toBe(0);
  });
});
