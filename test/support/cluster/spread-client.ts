import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { ApiAnswer, ApiClient, ApiRequest } from '../api-client';

/** Nothing may hang for so long. */
const HANGS_MS = 45_000;
const RETRY_MS = 150;

/** A client of several processes, one after the other, as a load balancer has it. */
export class SpreadClient extends ApiClient {
  private turn = 0;

  /** @param urls of the processes that run at the moment */
  constructor(
    protected readonly urls: () => readonly string[],
    token: string | null,
  ) {
    super(urls()[0]!, token);
  }

  protected override nextBaseUrl(): string {
    const urls = this.urls();
    this.turn += 1;
    return urls[this.turn % urls.length]!;
  }
}

/** The answers to clients, for later inspection. */
export class Answers {
  readonly counts = new Map<string, number>();
  /** Forbidden answers: 500 and above except a 503 problem document, and those that came too late. */
  readonly wrong: string[] = [];

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  get summary(): string {
    return [...this.counts].map(([what, count]) => `${what}: ${count}`).join(', ');
  }
}

/**
 * A client that asks again while the service is away, as clients should: after a 503, and after a connection that broke.
 * What it posts carries an `Idempotency-Key`.
 */
export class PatientClient extends SpreadClient {
  constructor(
    urls: () => readonly string[],
    token: string | null,
    private readonly answers: Answers,
  ) {
    super(urls, token);
  }

  protected override send<T>(method: string, path: string, request: ApiRequest): Promise<ApiAnswer<T>> {
    const headers = { 'idempotency-key': randomUUID(), ...request.headers };
    return this.patiently(`${method} ${path}`, (signal) =>
      super.send<T>(method, path, { signal, ...request, headers }),
    );
  }

  /** Posts a file as a form does. */
  upload(path: string, file: Buffer): Promise<ApiAnswer> {
    const headers = { authorization: `Bearer ${this.token}`, 'idempotency-key': randomUUID() };
    return this.patiently(`POST ${path}`, async (signal) => {
      const body = new FormData();
      body.append('file', new Blob([file]), 'mail.mbox');
      const response = await fetch(new URL(path, this.nextBaseUrl()), {
        method: 'POST',
        headers,
        body,
        signal,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        body: JSON.parse(bytes.toString()),
      };
    });
  }

  private async patiently<T>(
    what: string,
    ask: (signal: AbortSignal) => Promise<ApiAnswer<T>>,
  ): Promise<ApiAnswer<T>> {
    for (;;) {
      const signal = AbortSignal.timeout(HANGS_MS);
      try {
        const answer = await ask(signal);
        if (!this.isAway(what, answer)) return answer;
      } catch (error) {
        if (signal.aborted) {
          this.answers.wrong.push(`${what} was not answered`);
          throw error;
        }
        this.answers.count('connection lost');
      }
      await delay(RETRY_MS);
    }
  }

  private isAway(what: string, { status, headers, body, bytes }: ApiAnswer): boolean {
    const code = (body as { code?: string } | undefined)?.code;
    this.answers.count(status < 500 ? String(status) : `${status} ${code ?? ''}`);
    if (status < 500) return false;
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    if (status !== 503 || !isProblem || !headers.has('retry-after'))
      this.answers.wrong.push(`${what}: ${status} ${bytes.toString().slice(0, 300)}`);
    return true;
  }
}
