import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore';
import type { Share } from '../../../platform/concurrency/semaphore';

const MIB = 1024 * 1024;
/** Most bytes of raw messages, and of the parser's copies of some of them, between the mail provider and the disk. */
const MAX_HELD = 48 * MIB;
/**
 * Most bytes of one user. A larger message counts as this many bytes: no other message of its user is held meanwhile, and
 * other users have the rest.
 */
const MAX_HELD_PER_USER = 24 * MIB;
/** Assumed average size in bytes before any size is known: that of large messages. */
const FIRST_GUESS = 3 * MIB;
const SMALLEST_GUESS = 32 * 1024;
/** Weight of each message in the average; the first ones weigh as much as each other. */
const LEARNING = 0.1;

const weightOf = (bytes: number): number => Math.min(bytes, MAX_HELD_PER_USER);

/** Bounds the bytes of messages held by all archive jobs of the process between fetch and write. */
@Injectable()
export class MessageBudget {
  private readonly budget = new FairSemaphore({ capacity: MAX_HELD, perKey: MAX_HELD_PER_USER });
  private average = FIRST_GUESS;
  private learned = 0;

  get inUse(): number {
    return this.budget.inUse;
  }

  /** Opens the share of one job, to be closed however the job ends. @param signal ends the waiting for room */
  open(userId: string, signal: AbortSignal): MemoryReservation {
    const guess = (): number => Math.max(SMALLEST_GUESS, Math.ceil(this.average * 2));
    const reserve = (weight: number, closed: AbortSignal): Promise<Share> =>
      this.budget.reserve(userId, weight, closed);
    return new MemoryReservation(reserve, guess, this.learn, signal);
  }

  private readonly learn = (bytes: number): void => {
    this.learned += 1;
    this.average += (bytes - this.average) * Math.max(LEARNING, 1 / this.learned);
  };
}

/** Memory reserved by one job, by message id. */
export class MemoryReservation {
  private readonly shares = new Map<string, Share>();
  private readonly closed = new AbortController();
  private guesses: Promise<unknown> = Promise.resolve();
  private readonly leave = (): void => this.closed.abort(this.signal.reason);

  constructor(
    private readonly wait: (weight: number, signal: AbortSignal) => Promise<Share>,
    private readonly guess: () => number,
    private readonly learn: (bytes: number) => void,
    private readonly signal: AbortSignal,
  ) {
    // Each message that waits for room adds a listener.
    setMaxListeners(0, this.closed.signal);
    signal.addEventListener('abort', this.leave, { once: true });
    if (signal.aborted) this.leave();
  }

  /** Waits for room for a message and the parser's copy. @param expectedBytes if known */
  async reserve(messageId: string, expectedBytes: number | undefined): Promise<void> {
    const waiting = (bytes: number): Promise<Share> => this.wait(weightOf(2 * bytes), this.closed.signal);
    const share = await (expectedBytes === undefined ? this.waitForGuess(waiting) : waiting(expectedBytes));
    this.shares.set(messageId, share);
    // The room became free because the job itself ended.
    if (this.closed.signal.aborted) this.release(messageId);
    this.closed.signal.throwIfAborted();
  }

  /** Corrects the reservation to the size of a fetched message; called before the parser copies it. */
  recordFetched(messageId: string, bytes: number): void {
    this.learn(bytes);
    this.shares.get(messageId)?.resize(weightOf(2 * bytes));
  }

  /** Like `recordFetched`, for several messages under one name; the guess does not learn from them. */
  recordFetchedTogether(name: string, bytes: number): void {
    this.shares.get(name)?.resize(weightOf(2 * bytes));
  }

  /** Releases the memory of the parser's copy; called when the parser has released it. */
  recordParsed(messageId: string, bytes: number): void {
    this.shares.get(messageId)?.resize(weightOf(bytes));
  }

  /** Releases the memory of a message; called when it is written or has failed. */
  release(messageId: string): void {
    this.shares.get(messageId)?.release();
    this.shares.delete(messageId);
  }

  /** Releases everything and ends all waiting. */
  close(): void {
    this.signal.removeEventListener('abort', this.leave);
    this.closed.abort(new Error('The job has ended'));
    for (const share of this.shares.values()) share.release();
    this.shares.clear();
  }

  /** One after the other: what waits for room with the first guess would wait long after the sizes are known. */
  private waitForGuess(wait: (bytes: number) => Promise<Share>): Promise<Share> {
    const share = this.guesses.then(() => wait(this.guess()));
    this.guesses = share.catch(() => undefined);
    return share;
  }
}
