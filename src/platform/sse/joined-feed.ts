import type { SseFeed } from './sse-streams';

/** Several feeds on one connection, each in its own order. */
export class JoinedFeed implements SseFeed {
  constructor(private readonly feeds: readonly SseFeed[]) {}

  async listen(): Promise<() => void> {
    const stops: (() => void)[] = [];
    const stop = (): void => {
      for (const end of stops) end();
    };
    try {
      for (const feed of this.feeds) stops.push(await feed.listen());
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  async begin(): Promise<() => void> {
    const beginnings = await Promise.all(this.feeds.map((feed) => feed.begin()));
    return () => {
      for (const show of beginnings) show();
    };
  }

  async catchUp(): Promise<void> {
    await Promise.all(this.feeds.map((feed) => feed.catchUp()));
  }

  close(): void {
    for (const feed of this.feeds) feed.close();
  }
}
