import type { SseOutlet } from './sse-connection';
import type { SseFeed } from './sse-streams';

/** The source of a feed: announces that there may be something new to read. */
export interface FeedSource {
  /** Calls the listener when something may be new. @returns call it to stop */
  listen(listener: () => void): Promise<() => void>;
}

/**
 * A feed that reads a table. Broadcasts only say when to read, one read at a time; for a client that reads slowly it waits until
 * that has caught up.
 * @typeParam S where it reads
 * @typeParam T what one read finds
 */
export abstract class TableFeed<S extends FeedSource, T> implements SseFeed {
  private live = false;
  private closed = false;
  private reading = false;
  /** Whether something may be new since the last read began. */
  private due = false;

  constructor(
    protected readonly outlet: SseOutlet,
    protected readonly source: S,
    private readonly failed: (error: unknown) => void,
  ) {
    outlet.onDrain(() => {
      if (this.due) this.readSoon();
    });
  }

  /** Reads what the client is shown first. @returns shows it */
  protected abstract readFirst(): Promise<() => void>;

  /** Reads what is new, or all there is. */
  protected abstract read(): Promise<T>;

  protected abstract show(found: T): void;

  listen(): Promise<() => void> {
    return this.source.listen(() => this.readSoon());
  }

  async begin(): Promise<() => void> {
    const show = await this.readFirst();
    return () => {
      this.live = true;
      show();
      if (this.due) this.readSoon();
    };
  }

  async catchUp(): Promise<void> {
    this.due = true;
    if (!this.live || this.reading) return;
    this.reading = true;
    try {
      while (this.due && !this.closed && !this.outlet.congested) {
        this.due = false;
        const found = await this.read();
        if (!this.closed) this.show(found);
      }
    } catch (error) {
      this.due = true;
      throw error;
    } finally {
      this.reading = false;
    }
  }

  close(): void {
    this.closed = true;
  }

  private readSoon(): void {
    // The next heartbeat reads again, or ends the stream.
    this.catchUp().catch((error: unknown) => this.failed(error));
  }
}
