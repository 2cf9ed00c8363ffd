import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../../test/support/api-client';
import { nextRead } from './read-mix';
import { Random, type ReadableAccount } from './reads';

/** One answer, or what came instead of one. */
export interface ReadOutcome {
  readonly name: string;
  /** To the last byte of the answer. */
  readonly ms: number;
  readonly bytes: number;
  /** Null for an answer of the 200s, else what went wrong. */
  readonly failure: string | null;
}

export interface ReaderOptions {
  readonly api: ApiClient;
  readonly accounts: readonly ReadableAccount[];
  readonly seed: number;
  /** Between an answer and the next request: evenly between the two, milliseconds. */
  readonly thinkMs: readonly [number, number];
  readonly signal: AbortSignal;
  readonly onRead: (outcome: ReadOutcome) => void;
}

/** Somebody with the application open, on one connection that is kept: asks, looks at it, asks for something else. */
export async function read({ api, accounts, seed, thinkMs, signal, onRead }: ReaderOptions): Promise<void> {
  const random = new Random(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [shortest, longest] = thinkMs;
  try {
    while (!signal.aborted) {
      await delay(shortest + random.next() * (longest - shortest));
      const { name, path } = nextRead(random.of(accounts)!, random);
      onRead({ name, ...(await timedGet(agent, api, path)) });
    }
  } finally {
    agent.destroy();
  }
}

/** Not `fetch`: fifty readers share this process with the clock they are timed by. */
function timedGet(agent: Agent, api: ApiClient, path: string): Promise<Omit<ReadOutcome, 'name'>> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let bytes = 0;
    const end = (failure: string | null): void =>
      resolve({ ms: performance.now() - startedAt, bytes, failure });
    const sending = request(new URL(path, api.baseUrl), {
      agent,
      headers: { authorization: `Bearer ${api.token}` },
    });
    sending.on('error', (error) => end(`${path}: ${error.message}`));
    sending.on('response', (response) => {
      const isFine = response.statusCode! >= 200 && response.statusCode! < 300;
      let problem = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (!isFine) problem += chunk.toString();
      });
      response.on('error', (error) => end(`${path}: ${error.message}`));
      response.on('end', () =>
        end(isFine ? null : `${path}: ${response.statusCode} ${problem.slice(0, 300)}`),
      );
    });
    sending.end();
  });
}
