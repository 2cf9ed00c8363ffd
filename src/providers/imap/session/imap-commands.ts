import type { ImapFlow } from 'imapflow';
import type { UntaggedAnswer } from './imap-answers';
import type { TransferredBytes } from '../../port/provider-usage.port';
import { imapFailure, ImapProtocolError, refusalStatus, unavailable } from './imap-failures';
import { type Pace, PaceWatch, longestTransferMs } from '../../../platform/concurrency/pace-watch';
import { setInterval, setTimeout } from '../../../platform/concurrency/timers';

/** Shortest timeout of a command, in milliseconds. */
const ANSWER_MS = 60_000;
/** Longest timeout of a command, however large its answer may be, in milliseconds. */
const LONGEST_ANSWER_MS = 60 * 60_000;
/** Slowest transfer that is waited for. */
const SLOWEST_BYTES_PER_MS = 16;
/** Interval at which received bytes are counted, in milliseconds. */
const COUNT_MS = 200;

/** Limits of the wait for an answer. */
export interface AnswerLimits {
  /** Shortest timeout of one answer, whatever the server sends meanwhile, in milliseconds. */
  readonly answerMs: number;
  /** Slowest transfer that is waited for. */
  readonly pace: Pace;
}

/** An argument of a command, in the form that the client's compiler takes. */
export type Argument =
  | string
  | number
  | {
      readonly type: string;
      readonly value?: string | Buffer;
      /** Whether the literal may contain NUL (RFC 3516). */
      readonly isLiteral8?: boolean;
      readonly section?: readonly Argument[];
      readonly partial?: readonly number[];
    }
  | readonly Argument[];

export type Untagged = Readonly<Record<string, (answer: UntaggedAnswer) => void>>;

export interface CommandOptions {
  readonly untagged?: Untagged;
  /** Expected bytes of the answer, or of the command itself. */
  readonly bytes?: number;
}

/** Method of the client that sends any command, which its types do not declare. */
interface Executor {
  exec(
    command: string,
    attributes: readonly Argument[],
    options: { untagged: Untagged },
  ): Promise<{ readonly response: UntaggedAnswer; next(): void }>;
}

export const atom = (value: string): Argument => ({ type: 'ATOM', value });
export const sequence = (value: string): Argument => ({ type: 'SEQUENCE', value });
export const peek = (section: readonly Argument[], partial?: readonly number[]): Argument => ({
  type: 'ATOM',
  value: 'BODY.PEEK',
  section,
  ...(partial && { partial }),
});

/**
 * Sends commands over one connection, one at a time, and counts them. A failure that leaves the connection in doubt
 * closes it. Throws `ProviderFailure` only, or the reason of the signal.
 */
export class ImapCommands {
  /** Number of commands sent, by name. */
  readonly sent = new Map<string, number>();
  private signal: AbortSignal | undefined;
  private broken: Error | undefined;

  /** @param limits stricter limits, which also end transfers that send byte by byte; null: those of connected mailboxes */
  constructor(
    readonly client: ImapFlow,
    private readonly limits: AnswerLimits | null = null,
  ) {}

  get usable(): boolean {
    return this.client.usable && this.broken === undefined;
  }

  /** Sets the signal that aborts all commands up to the next call of this method, and closes the connection. */
  guard(signal: AbortSignal | undefined): void {
    this.signal = signal;
  }

  /** Returns the number of commands sent since the last call, by name. */
  takeSent(): Map<string, number> {
    const sent = new Map(this.sent);
    this.sent.clear();
    return sent;
  }

  /** Returns the bytes transferred since the last call, those of the login included. */
  takeTransferred(): TransferredBytes {
    const { received, sent } = this.client.stats(true);
    return { receivedBytes: received, sentBytes: sent };
  }

  /** @returns the tagged answer, which is `OK` */
  async send(
    command: string,
    attributes: readonly Argument[] = [],
    { untagged = {}, bytes = 0 }: CommandOptions = {},
  ): Promise<UntaggedAnswer> {
    const { client, signal } = this;
    signal?.throwIfAborted();
    if (!this.usable) throw unavailable('connection', this.broken);
    const name = command.replace(/^UID /, '');
    this.sent.set(name, (this.sent.get(name) ?? 0) + 1);
    let timedOut = false;
    const watch = this.watch(bytes, () => {
      timedOut = true;
      client.close();
    });
    const abort = (): void => client.close();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const { response, next } = await (client as unknown as Executor).exec(command, attributes, {
        untagged: this.keepErrors(untagged),
      });
      next();
      if (this.broken !== undefined) throw this.broken;
      return response;
    } catch (error) {
      // A refusal (NO) does not affect the connection.
      if (refusalStatus(error) !== 'NO') this.close();
      signal?.throwIfAborted();
      throw timedOut ? unavailable('timeout', error) : imapFailure(this.broken ?? error);
    } finally {
      watch.end();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Closes the connection after an answer that cannot be true, since its further answers cannot be trusted. */
  distrust(reason: string): never {
    this.broken = new ImapProtocolError(reason);
    this.close();
    throw imapFailure(this.broken);
  }

  close(): void {
    this.client.close();
  }

  /** Calls `onSlow` when an answer takes too long or arrives too slowly. @param bytes expected size of the answer */
  private watch(bytes: number, onSlow: () => void): { end(): void } {
    const { limits } = this;
    if (limits === null) {
      const longest = Math.min(Math.max(ANSWER_MS, bytes / SLOWEST_BYTES_PER_MS), LONGEST_ANSWER_MS);
      const clock = setTimeout(onSlow, longest);
      return { end: () => clearTimeout(clock) };
    }
    const { pace, answerMs } = limits;
    const clock = setTimeout(onSlow, Math.max(answerMs, 2 * longestTransferMs(pace, bytes)));
    const watch = new PaceWatch(pace, onSlow);
    let counted = this.received;
    const counting = setInterval(() => {
      const { received } = this;
      watch.recordBytes(received - counted);
      counted = received;
    }, COUNT_MS);
    watch.startWaiting();
    return {
      end: () => {
        watch.pause();
        clearInterval(counting);
        clearTimeout(clock);
      },
    };
  }

  private get received(): number {
    return this.client.stats(false).received;
  }

  /** Wraps handlers so that their errors are kept: the client swallows what handlers throw. */
  private keepErrors(untagged: Untagged): Untagged {
    return Object.fromEntries(
      Object.entries(untagged).map(([name, handle]) => [
        name,
        (answer: UntaggedAnswer): void => {
          try {
            handle(answer);
          } catch (error) {
            this.broken ??= error instanceof Error ? error : new ImapProtocolError(String(error));
            this.close();
          }
        },
      ]),
    );
  }
}

/** Builds a list of atoms, e.g. of flags, or of `LIST … RETURN (…)`. */
export const atoms = (values: readonly string[]): Argument => values.map(atom);
