import type { JobEventResponse } from '../../../src/jobs/job.response';
import type { ApiClient } from '../api-client';
import { waitFor } from '../wait';

export interface StreamedJob {
  readonly at: number;
  readonly id: string;
  readonly data: JobEventResponse;
}

/** A client of an event stream: collects what arrives. */
export class EventStream {
  readonly events: StreamedJob[] = [];
  raw = '';
  ended = false;
  private readonly abortion = new AbortController();
  headers: Headers = new Headers();
  status = 0;

  static async open(api: ApiClient, path: string): Promise<EventStream> {
    const stream = new EventStream();
    const response = await api.fetch('GET', path, { signal: stream.abortion.signal });
    stream.status = response.status;
    stream.headers = response.headers;
    void stream.read(response);
    return stream;
  }

  /** Events about one job. */
  of(jobId: string): StreamedJob[] {
    return this.events.filter((event) => event.data.queue_id === jobId);
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
    if (fields['event'] !== 'job') return;
    this.events.push({
      at: performance.now(),
      id: fields['id']!,
      data: JSON.parse(fields['data']!) as JobEventResponse,
    });
  }
}
