import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { linkedSignal } from '../../platform/concurrency/abortable';
import { ProviderFailure } from '../gateway/provider-call';
import type { ProviderCall } from '../gateway/provider-call';
import { ProviderGateway } from '../gateway/provider-gateway';
import { ProviderRejected } from '../port/mail-provider.errors';
import type { MetadataOptions, ProviderAccount } from '../port/mailbox-provider.port';
import { BatchAnswer, decodeBatch, encodeBatch } from './batch-codec';
import { requireAnswer, describe, GmailApi, parseBody } from './gmail-api';
import { gmailFailure } from './gmail-error';
import { networkFailure } from '../gateway/network-failure';
import { WholeBody } from '../gateway/provider-transport';

/** Most parts of a batch. Gmail accepts 100 and advises against more than 50. */
const MAX_PARTS = 50;
/** Number of batches requested ahead of the consumer. */
const AHEAD = 3;
/** Largest answer: headers of 50 messages, each some ten times larger than servers accept them. */
const MAX_BATCH_BYTES = 64 * 1024 ** 2;
const BATCH_PATH = '/batch/gmail/v1';

export interface BatchRead {
  readonly account: ProviderAccount;
  /** The API method that each part counts as, e.g. `messages.get`. */
  readonly endpoint: string;
  readonly ids: readonly string[];
  readonly path: (id: string) => string;
}

interface Round<T> {
  readonly found: Map<string, T>;
  /** Parts worth asking for again. */
  readonly failed: Map<string, ProviderFailure>;
}

/** The final outcome of some ids. */
interface Outcome<T> {
  readonly items: readonly T[];
  /** The reason why items are missing. */
  readonly error?: Error;
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
  async *read<T>(read: BatchRead, options: MetadataOptions): AsyncGenerator<readonly T[]> {
    const link = linkedSignal(options.signal, Infinity);
    const pending: Promise<Outcome<T>>[] = [];
    let next = 0;
    let ended = false;
    const { stillWanted } = options;
    const askFirst = stillWanted && {
      stillWanted: async (ids: readonly string[]): Promise<readonly string[]> => {
        const wanted = await stillWanted(ids);
        ended ||= wanted.length === 0;
        return wanted;
      },
    };
    try {
      while ((!ended && next < read.ids.length) || pending.length > 0) {
        while (!ended && pending.length < AHEAD && next < read.ids.length) {
          const size = this.gateway.batchSize(read.account, read.endpoint, MAX_PARTS);
          const ids = read.ids.slice(next, next + size);
          pending.push(this.readAll<T>({ ...read, ids }, { ...options, ...askFirst, signal: link.signal }));
          next += size;
        }
        const { items, error } = await pending.shift()!;
        if (error === undefined || items.length > 0) yield items;
        if (error === undefined) continue;
        // The quota of calls under way has been spent. Background calls may wait for any length of time.
        if (options.priority === 'interactive') {
          for (const rest of pending.splice(0)) yield (await rest).items;
        }
        throw error;
      }
    } finally {
      // The consumer may have stopped early.
      link.abort(new Error('No longer wanted'));
      link.release();
    }
  }

  /** Reads all ids, and requests the parts that failed for a passing reason again in smaller groups. Never rejects. */
  private async readAll<T>(read: BatchRead, options: MetadataOptions): Promise<Outcome<T>> {
    const found = new Map<string, T>();
    const items = (): T[] => read.ids.flatMap((id) => found.get(id) ?? []);
    try {
      await this.readInto(found, read, options);
      return { items: items() };
    } catch (error) {
      return { items: items(), error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  private async readInto<T>(found: Map<string, T>, read: BatchRead, options: MetadataOptions): Promise<void> {
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
      if (failed.size === 0) return;
      const call = { ...describe(read.account, read.endpoint, options), calls: failed.size };
      await this.gateway.backOff(call, pickGravest([...failed.values()]), { attempt, deadline });
      ids = [...failed.keys()];
    }
  }

  private async readOnce<T>(read: BatchRead, options: MetadataOptions): Promise<Round<T>> {
    const call: ProviderCall = { ...describe(read.account, read.endpoint, options), calls: read.ids.length };
    let ids = read.ids;
    const round = await this.api.fetchPrepared(
      call,
      async (attempt) => {
        if (options.stillWanted) {
          ids = await options.stillWanted(read.ids);
          attempt.correctCallCount(ids.length);
          if (ids.length === 0) return null;
        }
        const parts = ids.map(
          (id, index) => ({ id: `m${index}`, method: 'GET', path: read.path(id) }) as const,
        );
        const { contentType, body } = encodeBatch(parts, `batch_${randomUUID()}`);
        const headers = { 'content-type': contentType };
        return { method: 'POST', path: BATCH_PATH, headers, body, maxBytes: MAX_BATCH_BYTES };
      },
      () => new WholeBody(),
      (answer) => {
        const answers = decodeBatch(answer.headers['content-type'] ?? '', answer.body.toString('utf8'));
        return this.sort<T>(call, ids, new Map(answers.map((part) => [part.id, part])), options);
      },
    );
    return round ?? { found: new Map(), failed: new Map() };
  }

  private sort<T>(
    call: ProviderCall,
    ids: readonly string[],
    answers: ReadonlyMap<string, BatchAnswer>,
    { onUnreadable }: MetadataOptions,
  ): Round<T> {
    const round: Round<T> = { found: new Map(), failed: new Map() };
    const refused = new Map<string, ProviderFailure>();
    ids.forEach((id, index) => {
      const answer = answers.get(`m${index}`);
      const item = answer?.status === 200 ? itemOf<T>(answer) : null;
      if (item) {
        round.found.set(id, item);
        return;
      }
      const failure =
        answer && answer.status !== 200
          ? partFailure(answer)
          : networkFailure(new Error('A part was not answered'));
      if (failure.error.status === 404) return;
      this.gateway.countFailedPart(call, failure);
      // An unaccepted token concerns the whole batch, since all parts use the same one.
      if (failure.kind === 'unauthorized') throw failure;
      (failure.kind === 'refused' ? refused : round.failed).set(id, failure);
    });
    for (const [id, failure] of refused) {
      const { error } = failure;
      if (!onUnreadable || !(error instanceof ProviderRejected)) throw failure;
      // A grant that does not cover reading would have refused every message of the batch.
      if (error.concernsAccount && round.found.size === 0) throw failure;
      onUnreadable(id, error);
    }
    return round;
  }
}

/** Parses the resource; null when it is not the requested kind. Every resource that is read in batches has an id. */
function itemOf<T>(answer: BatchAnswer): T | null {
  try {
    return requireAnswer<{ id: string }>(parseBody(answer.body), ['id']) as T;
  } catch {
    // The caller requests it again with the other parts that failed.
    return null;
  }
}

function partFailure(answer: BatchAnswer): ProviderFailure {
  return gmailFailure(
    { status: answer.status, retryAfter: answer.headers['retry-after'], body: parseBody(answer.body) },
    { now: Date.now() },
  );
}

/** Picks the failure that decides the wait: quota before concurrency before others, then the latest instant. */
function pickGravest(failures: readonly ProviderFailure[]): ProviderFailure {
  const rank = (failure: ProviderFailure) =>
    (failure.kind === 'rateLimited' ? 2 : failure.kind === 'concurrency' ? 1 : 0) * 1e15 +
    (failure.retryAt ?? 0);
  return failures.reduce((worst, failure) => (rank(failure) > rank(worst) ? failure : worst));
}
