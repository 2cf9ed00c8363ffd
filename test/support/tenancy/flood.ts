import { setTimeout as delay } from 'node:timers/promises';
import type { TestUser } from '../test-user';
import { waitFor } from '../wait';
import { clientAt } from './tenancy-host';

export interface FloodRequest {
  readonly method?: string;
  readonly path: string;
  /** The JSON body. */
  readonly body?: string;
}

/** After a refusal: a client that hammers on is as quickly refused again, and costs this process more than the service. */
const REFUSED_MS = 250;

/** Requests of one user, so many at a time, again and again. */
export class Flood {
  /** The number of answers by status. */
  readonly answers = new Map<number, number>();
  private readonly abortion = new AbortController();
  private readonly clients: Promise<void>[];
  private begun = 0;

  constructor(
    private readonly user: TestUser,
    atOnce: number,
    private readonly requests: readonly FloodRequest[],
  ) {
    this.clients = Array.from({ length: atOnce }, () => this.repeat());
  }

  /** Waits until so many requests have been taken up. */
  async inFull(requests: number): Promise<void> {
    await waitFor('the flood to begin', () => this.begun >= requests);
  }

  async stop(): Promise<void> {
    this.abortion.abort();
    await Promise.all(this.clients);
  }

  private async repeat(): Promise<void> {
    while (!this.abortion.signal.aborted) {
      const request = this.requests[this.begun % this.requests.length]!;
      this.begun += 1;
      const status = await this.send(request);
      if (status === 429 || status === 0) await delay(REFUSED_MS);
    }
  }

  /** @returns 0 without an answer */
  private async send({ method = 'GET', path, body }: FloodRequest): Promise<number> {
    let status: number;
    try {
      const response = await fetch(new URL(path, this.user.api.baseUrl), {
        method,
        body,
        signal: this.abortion.signal,
        headers: {
          ...clientAt.attacker,
          authorization: `Bearer ${this.user.api.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      });
      status = response.status;
      await response.arrayBuffer();
    } catch {
      // Cut off by the service, or stopped: either way there is no answer.
      status = 0;
    }
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    return status;
  }
}
