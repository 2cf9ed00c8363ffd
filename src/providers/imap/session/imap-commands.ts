import type { ImapFlow } from 'imapflow';
import type { UntaggedAnswer } from './imap-answers';
import type { TransferredBytes } from '../../port/provider-usage.port';
import { imapFailure, ImapProtocolError, refusalStatus, unavailable } from './imap-failures';
import { type Pace, PaceWatch, slowest } from '../../../platform/concurrency/pace-watch';
import { setInterval, setTimeout } from '../../../platform/concurrency/timers';

/** Shortest time that a command may take. */
const ANSWER_MS = 60_000;
/** Longest time, however large the answer may be. */
const LONGEST_ANSWER_MS = 60 * 60_000;
/** A server that sends more slowly is given up. */
const SLOWEST_BYTES_PER_MS = 16;
/** How often the bytes that have arrived are counted. */
const COUNT_MS = 200;

/** How long an answer is waited for. */
export interface AnswerLimits {
  /** For each answer at least, whatever the server sends meanwhile. */
  readonly answerMs: number;
  /** The slowest transfer that is waited for. */
  readonly pace: Pace;
}

/** An argument of a command, as the client's compiler takes it. */
export type Argument =
  | string
  | number
  | {
      readonly type: string;
      readonly value?: string | Buffer;
      /** The literal may have NUL (RFC 3516). */
      readonly isLiteral8?: boolean;
      readonly section?: readonly Argument[];
      readonly partial?: readonly number[];
    }
  | readonly Argument[];

export type Untagged = Readonly<Record<string, (answer: UntaggedAnswer) => void>>;

export interface CommandOptions {
  readonly untagged?: Untagged;
  /** Bytes that the answer, or the command itself, may have. */
  readonly bytes?: number;
}

/** The client's way to send any command, which its types do not name. */
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
  /** By the name of the command. */
  readonly sent = new Map<string, number>();
  private signal: AbortSignal | undefined;
  private broken: Error | undefined;

  /** @param limits stricter ones, which also find a server that sends byte by byte; null: those of connected mailboxes */
  constructor(
    readonly client: ImapFlow,
    private readonly limits: AnswerLimits | null = null,
  ) {}

  get usable(): boolean {
    return this.client.usable && this.broken === undefined;
  }

  /** Everything up to the next call ends with this signal, and the connection with it. */
  guard(signal: AbortSignal | undefined): void {
    this.signal = signal;
  }

  /** Which commands were sent since it was last asked. */
  takeSent(): Map<string, number> {
    const sent = new Map(this.sent);
    this.sent.clear();
    return sent;
  }

  /** Bytes on the line since it was last asked, those of logging in included. */
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
        untagged: this.checked(untagged),
      });
      next();
      if (this.broken !== undefined) throw this.broken;
      return response;
    } catch (error) {
      // What the server refuses in so many words leaves the connection as it was.
      if (refusalStatus(error) !== 'NO') this.close();
      signal?.throwIfAborted();
      throw timedOut ? unavailable('timeout', error) : imapFailure(this.broken ?? error);
    } finally {
      watch.end();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The server said what cannot be so: nothing it says on this connection is believed from here on. */
  distrust(reason: string): never {
    this.broken = new ImapProtocolError(reason);
    this.close();
    throw imapFailure(this.broken);
  }

  close(): void {
    this.client.close();
  }

  /** Calls `onSlow` when an answer takes too long, or comes too slowly. @param bytes of the answer, about */
  private watch(bytes: number, onSlow: () => void): { end(): void } {
    const { limits } = this;
    if (limits === null) {
      const longest = Math.min(Math.max(ANSWER_MS, bytes / SLOWEST_BYTES_PER_MS), LONGEST_ANSWER_MS);
      const clock = setTimeout(onSlow, longest);
      return { end: () => clearTimeout(clock) };
    }
    const { pace, answerMs } = limits;
    const clock = setTimeout(onSlow, Math.max(answerMs, 2 * slowest(pace, bytes)));
    const watch = new PaceWatch(pace, onSlow);
    let counted = this.received;
    const counting = setInterval(() => {
      const { received } = this;
      watch.received(received - counted);
      counted = received;
    }, COUNT_MS);
    watch.wait();
    return {
      end: () => {
        watch.rest();
        clearInterval(counting);
        clearTimeout(clock);
      },
    };
  }

  private get received(): number {
    return this.client.stats(false).received;
  }

  /** The client swallows what handlers throw. */
  private checked(untagged: Untagged): Untagged {
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

/** The named part of the arguments of `LIST … RETURN (…)`, flags and other lists of atoms. */
export const atoms = (values: readonly string[]): Argument => values.map(atom);
