/** Silence after which a connection counts as dead: three times the service's heartbeat, in milliseconds. */
const QUIET_MS = 45_000;

/** A signal that is aborted with that of the caller, or when nothing has come for too long. */
export class WatchedConnection {
  private readonly abortion = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop = (): void => this.abortion.abort(this.outer?.reason);

  constructor(private readonly outer: AbortSignal | undefined) {
    outer?.addEventListener('abort', this.stop, { once: true });
    if (outer?.aborted) this.stop();
    this.alive();
  }

  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  alive(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abortion.abort(new Error('The stream has gone quiet.')), QUIET_MS);
  }

  close(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.stop);
    this.abortion.abort();
  }
}
