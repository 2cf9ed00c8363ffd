import { Injectable } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import { EgressGuard, type PinnedAddress } from '../../platform/egress/egress-guard';
import { rasterType } from './rendering/inline-images';

const MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that do not identify the reader: no cookies, no referrer, and the same for all users. */
const HEADERS = {
  accept: 'image/webp,image/png,image/jpeg,image/gif,image/bmp',
  'accept-encoding': 'identity',
  'user-agent': 'Mailroom',
};

/** The host sent no image, or more than it may. */
export class NoImage extends Error {}

/**
 * Fetches images that senders of mail name. Each request goes to a public address that was checked for it, to port 80 or 443, without
 * a proxy; redirects are checked like the first address.
 */
@Injectable()
export class RemoteImageClient {
  constructor(private readonly guard: EgressGuard) {}

  /**
   * @param userId the user who wants to see the image
   * @param most bytes of the image
   * @throws NoImage, EgressRefused, errors of the network and of TLS, the signal's reason
   */
  async fetch(address: string, userId: string, most: number, signal: AbortSignal): Promise<Buffer> {
    let url = this.guard.checkUrl(address);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const target = await this.guard.resolvePublic(url.hostname, userId, signal, url.port);
      const answer = await this.ask(url, target, signal);
      try {
        const next = redirectIn(answer);
        if (next === null) return await imageIn(answer, most);
        url = this.guard.checkUrl(new URL(next, url).href);
      } finally {
        answer.destroy();
      }
    }
    throw new NoImage('The address leads from one to another.');
  }

  private ask(url: URL, target: PinnedAddress, signal: AbortSignal): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).get(url, {
        headers: HEADERS,
        // A shared agent would bring its idle connections and its proxy.
        agent: false,
        lookup: this.guard.createPinnedLookup(target),
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      });
      request.on('response', resolve);
      request.on('error', reject);
      // An unrequested upgrade of the protocol closes the connection without an error.
      request.on('close', () => reject(new NoImage('The host closed the connection.')));
    });
  }
}

const redirectIn = ({ statusCode, headers }: http.IncomingMessage): string | null =>
  REDIRECTS.has(statusCode ?? 0) && headers.location !== undefined ? headers.location : null;

async function imageIn(answer: http.IncomingMessage, most: number): Promise<Buffer> {
  if (answer.statusCode !== 200) throw new NoImage(`The host answered ${answer.statusCode}.`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) throw new NoImage('The image is too large.');
  }
  const bytes = Buffer.concat(chunks, length);
  if (rasterType(bytes) === null) throw new NoImage('The host sent something else.');
  return bytes;
}
