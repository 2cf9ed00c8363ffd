import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { CallOptions, ProviderAccount } from '../mailbox-provider.port';
import { linkedSignal } from '../gateway/flow/abortable';
import type { ProviderCall } from '../gateway/provider-call';
import { ProviderFailure } from '../gateway/provider-failure';
import { ProviderGateway } from '../gateway/provider-gateway';
import { BatchAnswer, decodeBatch, encodeBatch } from './batch-codec';
import { WholeBody } from './decoding/body-reader';
import { describe, GmailApi, parseBody } from './gmail-api';
import { gmailFailure, networkFailure } from './gmail-error';

/** The provider takes 100 and advises against more than 50. */
const MAX_PARTS = 50;
/** Batches asked for ahead of the consumer. */
const AHEAD = 3;
const BATCH_PATH = '/batch/gmail/v1';

export interface BatchRead {
  readonly account: ProviderAccount;
  /** What each part counts as, e.g. `messages.get`. */
  readonly endpoint: string;
  readonly ids: readonly string[];
  readonly path: (id: string) => string;
}

interface Round<T> {
  readonly found: Map<string, T>;
  /** Parts worth asking for again. */
  readonly failed: Map<string, ProviderFailure>;
}

/**
 * Reads many resources by multipart batches. The provider counts every part, against quota and against its limit
 * of concurrent calls alike, so a batch takes as many in-flight slots as it has parts and is never larger than
 * that limit; batching saves round trips and connections, nothing else.
 */
@Injectable()
export class BatchReader {
  constructor(
    private readonly api: GmailApi,
    private readonly gateway: ProviderGateway,
  ) {}

  /** Yields in the order of the ids, batch by batch; unknown ids are left out. */
  async *read<T>(read: BatchRead, options: CallOptions): AsyncGenerator<readonly T[]> {
    const link = linkedSignal(options.signal, Infinity);
    const pending: Promise<readonly T[]>[] = [];
    let next = 0;
    try {
      while (next < read.ids.length || pending.length > 0) {
        while (pending.length < AHEAD && next < read.ids.length) {
          const size = this.gateway.batchSize(read.account, read.endpoint, MAX_PARTS);
          const ids = read.ids.slice(next, next + size);
          const chunk = this.readAll<T>({ ...read, ids }, { ...options, signal: link.signal });
          // It is awaited in its turn; failing earlier must not count as unhandled.
          chunk.catch(() => undefined);
          pending.push(chunk);
          next += size;
        }
        yield await pending.shift()!;
      }
    } finally {
      // The consumer may have stopped early.
      link.abort(new Error('No longer wanted'));
      link.release();
    }
  }

  /** Asks again, in smaller groups, for the parts that failed for a passing reason. */
  private async readAll<T>(read: BatchRead, options: CallOptions): Promise<readonly T[]> {
    const found = new Map<string, T>();
    const deadline = this.gateway.deadlineFor(options.priority);
    let ids = read.ids;
    for (let attempt = 1; ; attempt++) {
      const failed = new Map<string, ProviderFailure>();
      const size = Math.min(ids.length, this.gateway.batchSize(read.account, read.endpoint, MAX_PARTS));
      for (let from = 0; from < ids.length; from += size) {
        const round = await this.readOnce<T>({ ...read, ids: ids.slice(from, from + size) }, options);
        for (const [id, item] of round.found) found.set(id, item);
        for (const [id, failure] of round.failed) failed.set(id, failure);
      }
      if (failed.size === 0) break;
      const call = { ...describe(read.account, read.endpoint, options), calls: failed.size };
      await this.gateway.backOff(call, gravest([...failed.values()]), { attempt, deadline });
      ids = [...failed.keys()];
    }
    return read.ids.flatMap((id) => found.get(id) ?? []);
  }

  private readOnce<T>(read: BatchRead, options: CallOptions): Promise<Round<T>> {
    const call: ProviderCall = { ...describe(read.account, read.endpoint, options), calls: read.ids.length };
    const parts = read.ids.map(
      (id, index) => ({ id: `m${index}`, method: 'GET', path: read.path(id) }) as const,
    );
    const { contentType, body } = encodeBatch(parts, `batch_${randomUUID()}`);
    return this.api.fetch(
      call,
      { method: 'POST', path: BATCH_PATH, headers: { 'content-type': contentType }, body },
      () => new WholeBody(),
      (answer) => {
        const answers = decodeBatch(answer.headers['content-type'] ?? '', answer.body.toString('utf8'));
        return this.sort<T>(call, read.ids, new Map(answers.map((part) => [part.id, part])));
      },
    );
  }

  private sort<T>(
    call: ProviderCall,
    ids: readonly string[],
    answers: ReadonlyMap<string, BatchAnswer>,
  ): Round<T> {
    const round: Round<T> = { found: new Map(), failed: new Map() };
    ids.forEach((id, index) => {
      const answer = answers.get(`m${index}`);
      if (answer?.status === 200) {
        round.found.set(id, JSON.parse(answer.body) as T);
        return;
      }
      const failure = answer ? partFailure(answer) : networkFailure(new Error('A part was not answered'));
      if (failure.error.status === 404) return;
      this.gateway.partFailed(call, failure);
      // Both concern the whole batch: the token is the same for all parts, and a final refusal ends the read.
      if (failure.kind === 'unauthorized' || failure.kind === 'refused') throw failure;
      round.failed.set(id, failure);
    });
    return round;
  }
}

function partFailure(answer: BatchAnswer): ProviderFailure {
  return gmailFailure(
    { status: answer.status, retryAfter: answer.headers['retry-after'], body: parseBody(answer.body) },
    { now: Date.now() },
  );
}

/** The one that decides how to go on: quota before concurrency before trouble, the latest instant asked for. */
function gravest(failures: readonly ProviderFailure[]): ProviderFailure {
  const rank = (failure: ProviderFailure) =>
    (failure.kind === 'rateLimited' ? 2 : failure.kind === 'concurrency' ? 1 : 0) * 1e15 +
    (failure.retryAt ?? 0);
  return failures.reduce((worst, failure) => (rank(failure) > rank(worst) ? failure : worst));
}
