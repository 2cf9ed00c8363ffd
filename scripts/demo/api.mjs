import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Path to which the provider redirects the browser after its consent page. */
const CALLBACK_PATH = '/api/auth/mailbox/callback';

/** An answer that is not a success: carries the status and the problem document's sentence. */
export class ApiFailure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A small client of the service's HTTP interface for one user. */
export class Api {
  #token = null;
  #cookies = new Map();

  constructor(baseUrl) {
    this.baseUrl = baseUrl;
  }

  get(path) {
    return this.#json('GET', path);
  }

  post(path, body) {
    return this.#json('POST', path, body);
  }

  put(path, body) {
    return this.#json('PUT', path, body);
  }

  async text(path) {
    return (await this.#send('GET', path)).text();
  }

  /** Registers or logs in, and keeps the session. */
  async authenticate(path, body) {
    const session = await this.post(path, body);
    this.#token = session.access_token;
    return session;
  }

  /** Posts and saves the answer's body to a file as it comes. Returns its size in bytes. */
  async download(path, body, file) {
    const response = await this.#send('POST', path, body);
    let bytes = 0;
    const counted = Readable.fromWeb(response.body).on('data', (chunk) => {
      bytes += chunk.length;
    });
    await pipeline(counted, createWriteStream(file));
    return bytes;
  }

  /**
   * Goes through a log-in at the mail provider as a browser would, from the provider's URL over its redirect
   * to the service's callback, and returns the page of the application that it ends on.
   */
  async followLogin(url, appPath, redirects = 8) {
    for (let current = new URL(url), hop = 0; hop < redirects; hop += 1) {
      const ours = current.pathname === CALLBACK_PATH;
      const target = ours ? new URL(current.pathname + current.search, this.baseUrl) : current;
      const response = await fetch(target, { redirect: 'manual', headers: ours ? this.#headers() : {} });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || !location) {
        throw new ApiFailure(response.status, `The log-in stopped at ${target.origin}${target.pathname}.`);
      }
      await response.body?.cancel();
      current = new URL(location, current);
      if (current.pathname === appPath) return current;
    }
    throw new ApiFailure(310, 'The log-in at the mail provider redirects in circles.');
  }

  #headers() {
    const headers = {};
    if (this.#token) headers.authorization = `Bearer ${this.#token}`;
    if (this.#cookies.size > 0) {
      headers.cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    }
    return headers;
  }

  async #json(method, path, body) {
    const response = await this.#send(method, path, body);
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  }

  async #send(method, path, body) {
    const headers = this.#headers();
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';');
      const split = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, split), pair.slice(split + 1));
    }
    if (response.ok) return response;
    throw new ApiFailure(response.status, await describeProblem(method, path, response));
  }
}

async function describeProblem(method, path, response) {
  const text = await response.text();
  const asProblem = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
  const detail = asProblem.detail ?? asProblem.title ?? text.slice(0, 200);
  return `${method} ${path} answered ${response.status}: ${detail}`;
}
