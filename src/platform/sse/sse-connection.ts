import type { Response } from 'express';
import { encodeSseComment, encodeSseId, encodeSseMessage, encodeSseRetry, SseMessage } from './sse-message';

const RETRY_MS = 2_000;

/** The part of a connection to which a feed sends its events. */
export type SseOutlet = Pick<SseConnection, 'congested' | 'send' | 'onDrain'>;

/** An open event stream to one client. */
export class SseConnection {
  constructor(private readonly response: Response) {}

  /** Sends the headers; errors can no longer become problem documents afterwards. */
  open(): void {
    this.response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'private, no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    // Small messages should leave at once.
    this.response.socket?.setNoDelay(true);
    this.response.write(encodeSseRetry(RETRY_MS));
  }

  get closed(): boolean {
    return this.response.writableEnded || this.response.destroyed;
  }

  /** True while the client reads slower than we write; `onDrain` tells when it has caught up. */
  get congested(): boolean {
    return this.response.writableNeedDrain;
  }

  send(message: SseMessage): void {
    if (!this.closed) this.response.write(encodeSseMessage(message));
  }

  /** Sets the id from which the client resumes when it is disconnected before the next event. */
  mark(id: string): void {
    if (!this.closed) this.response.write(encodeSseId(id));
  }

  /** The outlet for events from which a client cannot resume. */
  withoutIds(): SseOutlet {
    const isCongested = (): boolean => this.congested;
    return {
      get congested() {
        return isCongested();
      },
      send: ({ event, data }) => this.send({ event, data }),
      onDrain: (listener) => this.onDrain(listener),
    };
  }

  comment(text: string): void {
    if (!this.closed && !this.congested) this.response.write(encodeSseComment(text));
  }

  onDrain(listener: () => void): void {
    this.response.on('drain', listener);
  }

  /** Calls the listener once when the stream ends, from either side. */
  onClose(listener: () => void): void {
    this.response.once('close', listener);
  }

  end(): void {
    this.response.end();
  }

  /** Ends without waiting until the client has taken what it was sent. */
  cut(): void {
    this.response.destroy();
  }
}
