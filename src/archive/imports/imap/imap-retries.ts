import { ImapServerFailure } from '../../../providers/imap/one-time/imap-server-failure';
import type { UidSet } from '../../../providers/imap/session/uid-set';

/** Messages whose descriptions are requested at a time. */
const PAGE = 1_000;
/** Consecutive lost connections, without progress in between, after which the job fails. */
const MAX_LOSSES = 5;
/** Failures at a message that is read alone before it is skipped. */
const MAX_ALONE = 2;
/** Most messages skipped in a row: beyond that the server is at fault, not the messages. */
const MAX_SKIPPED = 20;
/** Most consecutive answers that came too slowly: each has cost minutes. */
const MAX_SLOW = 4;
const BACKOFF_MS = { first: 500, most: 15_000 };

/** Decision after a failure. */
export interface Retry {
  /** UID of the message that the server cannot hand out, and that is skipped; null: try again. */
  readonly skip: number | null;
  readonly pauseMs: number;
}

/**
 * Decides how an import goes on after broken connections and unreadable messages. After reading several messages has
 * failed, they are read one by one, and a message that fails each time is skipped, so that it does not end the import.
 */
export class ImapRetries {
  private reading: readonly number[] = [];
  private aloneTo = 0;
  private failedAlone = { uid: 0, times: 0 };
  private skippedInARow = 0;
  private losses = 0;
  private slow = 0;
  private doneBefore = -1;

  /** UIDs in pages, in which messages are described. */
  *pages(uids: UidSet): Generator<number[]> {
    yield* uids.restrictTo(1, this.aloneTo).pages(1);
    yield* uids.restrictTo(this.aloneTo + 1, Infinity).pages(PAGE);
  }

  /** Records the messages that are read next: a failure comes from one of them, or from the connection. */
  begin(uids: readonly number[]): void {
    this.reading = uids;
  }

  /** Records that these messages have been read. */
  succeed(): void {
    this.reading = [];
    this.skippedInARow = 0;
    this.slow = 0;
  }

  /**
   * @param done messages accounted for so far
   * @throws the failure when another try is pointless
   */
  decideAfter(failure: ImapServerFailure, done: number): Retry {
    const { reading } = this;
    this.reading = [];
    const mayBeOfMessage = reading.length > 0 && failure.code === 'imap-protocol-error';
    if (!failure.mayPass && !mayBeOfMessage) throw failure;
    if (failure.code === 'imap-too-slow') this.slow += 1;
    if (this.slow >= MAX_SLOW) throw failure;
    this.losses = done > this.doneBefore ? 1 : this.losses + 1;
    this.doneBefore = done;
    if (this.losses > MAX_LOSSES) throw failure;
    const skip = this.findSuspect(reading);
    if (skip !== null) {
      this.skippedInARow += 1;
      if (this.skippedInARow > MAX_SKIPPED) throw failure;
    }
    return { skip, pauseMs: Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** (this.losses - 1)) };
  }

  /** The message that has failed too often; null: none. */
  private findSuspect(reading: readonly number[]): number | null {
    const [uid] = reading;
    const last = reading.at(-1);
    if (uid === undefined || last === undefined) return null;
    if (uid !== last || last > this.aloneTo) {
      this.aloneTo = Math.max(this.aloneTo, last);
      return null;
    }
    const times = this.failedAlone.uid === uid ? this.failedAlone.times + 1 : 1;
    this.failedAlone = { uid, times };
    return times >= MAX_ALONE ? uid : null;
  }
}
