import { Injectable } from '@nestjs/common';
import * as https from 'node:https';
import { EgressGuard } from '../../../platform/egress/egress-guard';

const MAX_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** The host has no configuration, or none that can be read. */
export class NoConfiguration extends Error {}

/** Fetches configuration files of domains, only over HTTPS, from a checked address, and without redirects. */
@Injectable()
export class AutoconfigClient {
  /** Port of the requests; tests use another one. */
  readonly port: number = 443;

  constructor(private readonly guard: EgressGuard) {}

  /**
   * @param userId the user who wants to connect a mailbox
   * @throws NoConfiguration, EgressRefused, errors of the network and of TLS, the signal's reason
   */
  async fetch(address: string, userId: string, signal: AbortSignal): Promise<string> {
    const url = this.guard.checkUrl(address);
    const target = await this.guard.resolve(url.hostname, userId, signal);
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const request = https.get(url, {
        port: this.port,
        headers: {
          accept: 'text/xml, application/xml',
          'accept-encoding': 'identity',
          'user-agent': 'Mailroom',
        },
        // The shared agent is not used, so that neither its idle connections nor its proxy are.
        agent: false,
        lookup: this.guard.createPinnedLookup(target),
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      });
      request.on('response', (answer) => {
        contentOf(answer)
          .then(resolve, reject)
          .finally(() => answer.destroy());
      });
      request.on('error', reject);
      request.on('close', () => reject(new NoConfiguration('The host closed the connection.')));
    });
    return bytes.toString('utf8');
  }
}

async function contentOf(answer: AsyncIterable<Buffer> & { statusCode?: number }): Promise<Buffer> {
  if (answer.statusCode !== 200) throw new NoConfiguration(`The host answered ${answer.statusCode}.`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) throw new NoConfiguration('The file is too large.');
  }
  return Buffer.concat(chunks, length);
}
