import type { JobEventResponse } from '../../src/platform/jobs/dto/job.response';
import type { ApiClient } from './api-client';
import { waitFor } from './wait';

export interface StreamedEvent<T> {
  readonly at: number;
  readonly id: string;
  readonly data: T;
}

export interface StreamRequest {
  /** The latest event that the client received. */
  readonly lastEventId?: string;
  readonly event?: 'job' | 'notification' | 'account';
}

/** A client of an event stream: collects what arrives. */
export class EventStream<T = JobEventResponse> {
  readonly events: StreamedEvent<T>[] = [];
  /** The Last-Event-ID that a browser would send when it reconnects. */
  lastEventId = '';
  raw = '';
  ended = false;
  private readonly abortion = new AbortController();
  headers: Headers = new Headers();
  status = 0;

  private constructor(private readonly event: string) {}

  static async open<T = JobEventResponse>(
    api: ApiClient,
    path: string,
    { lastEventId, event = 'job' }: StreamRequest = {},
  ): Promise<EventStream<T>> {
    const stream = new EventStream<T>(event);
    const response = await api.fetch('GET', path, {
      signal: stream.abortion.signal,
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });
    stream.status = response.status;
    stream.headers = response.headers;
    void stream.read(response);
    return stream;
  }

  /** Events about one job. */
  of(jobId: string): StreamedEvent<T>[] {
    return this.events.filter(({ data }) => (data as JobEventResponse).queue_id === jobId);
  }

  async until(what: string, condition: () => boolean, timeoutMs?: number): Promise<void> {
    await waitFor(`the stream to show ${what}`, () => condition(), timeoutMs);
  }

  close(): void {
    this.abortion.abort();
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let buffer = '';
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const text = decoder.decode(chunk, { stream: true });
        this.raw += text;
        buffer += text;
        const blocks = buffer.split('\n\n');
        buffer = blocks.pop()!;
        for (const block of blocks) this.take(block);
      }
    } catch (error) {
      if (!this.abortion.signal.aborted) throw error;
    }
    this.ended = true;
  }

  private take(block: string): void {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (fields['id'] !== undefined) this.lastEventId = fields['id'];
    if (fields['event'] !== this.event) return;
    this.events.push({
      at: performance.now(),
      id: fields['id']!,
      data: JSON.parse(fields['data']!) as T,
    });
  }
}
