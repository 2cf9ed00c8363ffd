import { MailroomError } from '../errors.js';
import { delay } from '../http/waiting.js';
import type { ServerEvent, StreamState } from './sse-parser.js';
import { WatchedConnection } from './watched-connection.js';

/** Options of an event stream. */
export interface EventOptions {
  readonly signal?: AbortSignal;
  /** Id of the last event seen, perhaps by another process: later events come first, where the stream has them. */
  readonly lastEventId?: string;
  /** Called when a connection was lost, before the next one; `error` is null when the service ended it. */
  readonly onReconnect?: (error: unknown) => void;
  /** Called when a connection is open, the first one and those after a loss. */
  readonly onOpen?: () => void;
}

/** Opens one connection and returns its events until the service ends it. */
export type Connect<Data> = (
  state: StreamState,
  signal: AbortSignal,
  alive: () => void,
) => Promise<AsyncIterable<ServerEvent<Data>>>;

const RETRY_MS = 2_000;
const MOST_RETRY_MS = 30_000;

/**
 * Events of consecutive connections, each continuing where the last one ended, until the reader stops.
 * @throws MailroomError when the service refuses the stream for good, or the signal's reason
 */
export async function* readReconnecting<Data>(
  connect: Connect<Data>,
  { signal, lastEventId, onReconnect, onOpen }: EventOptions = {},
): AsyncGenerator<ServerEvent<Data>, void, undefined> {
  const state: StreamState = { lastEventId: lastEventId ?? '', retryMs: null };
  for (let failures = 0; ; failures += 1) {
    const connection = new WatchedConnection(signal);
    let lost: unknown = null;
    try {
      const events = await connect(state, connection.signal, () => connection.alive());
      onOpen?.();
      for await (const event of events) {
        failures = 0;
        yield event;
        // The reader was busy meanwhile: the connection is not at fault.
        connection.alive();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isRefusal(error)) throw error;
      lost = error;
    } finally {
      connection.close();
    }
    onReconnect?.(lost);
    await delay(waitMs(state, failures, lost), signal);
  }
}

/** Whether the service has refused the stream: another request would get the same answer. */
const isRefusal = (error: unknown): boolean =>
  error instanceof MailroomError && error.status < 500 && error.status !== 429 && error.status !== 408;

function waitMs({ retryMs }: StreamState, failures: number, lost: unknown): number {
  const told = lost instanceof MailroomError ? lost.retryAfter : null;
  if (told !== null) return told * 1000;
  return Math.min((retryMs ?? RETRY_MS) * 2 ** Math.max(0, failures - 1), MOST_RETRY_MS);
}
