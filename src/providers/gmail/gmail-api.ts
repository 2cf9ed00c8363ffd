import { Injectable } from '@nestjs/common';
import { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import { AppConfig } from '../../platform/config/app-config';
import { ProviderFailure } from '../gateway/provider-call';
import type { CallAttempt, ProviderCall } from '../gateway/provider-call';
import { ProviderGateway } from '../gateway/provider-gateway';
import type { CallOptions, ProviderAccount } from '../port/mailbox-provider.port';
import { ErrorContext, gmailFailure } from './gmail-error';
import { networkFailure } from '../gateway/network-failure';
import {
  BodyReader,
  ProviderTransport,
  HttpAnswer,
  HttpRequest,
  WholeBody,
} from '../gateway/provider-transport';

export type ErrorMeaning = Omit<ErrorContext, 'now'>;

/** Per-call options that every client method takes. They repeat `rootUrl`, because media methods read it only here. */
export interface ClientOptions {
  readonly headers: { readonly authorization: string };
  readonly signal: AbortSignal;
  readonly rootUrl: string;
}

type Send<T> = (
  client: gmail_v1.Resource$Users,
  options: ClientOptions,
  attempt: CallAttempt,
) => Promise<{ data: T }>;

export type ApiRequest = Pick<HttpRequest, 'method' | 'headers' | 'body' | 'maxBytes'> & {
  readonly path: string;
};

/** User agent. Google requires the word `gzip` in it from clients that accept gzip. */
const USER_AGENT = 'mailroom (gzip)';

/**
 * Single calls to the Gmail API, through the gateway. The client library does the addressing and serialising;
 * its own retries, token refresh and network stack are not used.
 */
@Injectable()
export class GmailApi {
  private readonly client: gmail_v1.Gmail;
  readonly rootUrl: string;

  constructor(
    private readonly gateway: ProviderGateway,
    private readonly transport: ProviderTransport,
    config: AppConfig,
  ) {
    this.rootUrl = config.gmail.rootUrl;
    // The client has no credentials: it serves every account, and each call has its token.
    this.client = new gmail_v1.Gmail({
      rootUrl: this.rootUrl,
      retry: false,
      fetchImplementation: transport.fetch,
    });
  }

  /**
   * Makes a call through the client library.
   * @param marks names of fields; every answer has at least one of them
   */
  call<T extends object>(
    call: ProviderCall,
    send: Send<T>,
    marks: readonly (keyof T & string)[],
    meaning: ErrorMeaning = {},
  ): Promise<T> {
    return this.perform(call, send, (data) => requireAnswer<T>(data, marks), meaning);
  }

  /** Makes a call through the client library whose answer is empty. */
  async sendCommand(call: ProviderCall, send: Send<unknown>, meaning: ErrorMeaning = {}): Promise<void> {
    await this.perform(call, send, requireEmptyAnswer, meaning);
  }

  /**
   * Makes a call without the client library, for answers that are too large or unusual for it. The memory of the answer
   * is reserved as it arrives.
   * @param reader reads the body of an answer with a 2xx status
   * @param read turns the answer into the result
   */
  fetch<B, T>(
    call: ProviderCall,
    request: ApiRequest,
    reader: () => BodyReader<B>,
    read: (answer: HttpAnswer<B>) => T,
    meaning: ErrorMeaning = {},
  ): Promise<T> {
    return this.fetchPrepared(call, () => Promise.resolve(request), reader, read, meaning) as Promise<T>;
  }

  /**
   * Makes a call like `fetch`, and builds its request only once the call is admitted.
   * @param prepare returns null when the call is no longer wanted; the result is then undefined
   */
  fetchPrepared<B, T>(
    call: ProviderCall,
    prepare: (attempt: CallAttempt) => Promise<ApiRequest | null>,
    reader: () => BodyReader<B>,
    read: (answer: HttpAnswer<B>) => T,
    meaning: ErrorMeaning = {},
  ): Promise<T | undefined> {
    return this.gateway.call(call, async (attempt) => {
      const request = await prepare(attempt);
      if (!request) return undefined;
      const answer = await this.transport
        .read<B | Buffer>(
          {
            method: request.method,
            url: this.rootUrl + request.path,
            body: request.body,
            repeatable: call.repeatable,
            maxBytes: request.maxBytes,
            signal: attempt.signal,
            headers: {
              'user-agent': USER_AGENT,
              'accept-encoding': 'gzip',
              ...request.headers,
              authorization: `Bearer ${attempt.secret}`,
            },
            reserve: (bytes) => attempt.reserve(bytes),
          },
          ({ status }) => (isSuccess(status) ? reader() : new WholeBody()),
        )
        // The connection failed, or the answer was not the API's.
        .catch((error: unknown) => {
          throw networkFailure(error);
        });
      if (!isSuccess(answer.status)) throw toRefusal(answer as HttpAnswer, meaning);
      try {
        return read(answer as HttpAnswer<B>);
      } catch (error) {
        throw error instanceof ProviderFailure ? error : networkFailure(error);
      }
    });
  }

  private perform<T>(
    call: ProviderCall,
    send: Send<unknown>,
    read: (data: unknown) => T,
    meaning: ErrorMeaning,
  ): Promise<T> {
    return this.gateway.call(call, async (attempt) => {
      const options: ClientOptions = {
        headers: { authorization: `Bearer ${attempt.secret}` },
        signal: attempt.signal,
        rootUrl: this.rootUrl,
      };
      try {
        return read((await send(this.client.users, options, attempt)).data);
      } catch (error) {
        throw toFailure(error, meaning);
      }
    });
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function toRefusal({ status, headers, body }: HttpAnswer, meaning: ErrorMeaning): ProviderFailure {
  return gmailFailure(
    { status, retryAfter: headers['retry-after'], body: parseBody(body.toString()) },
    { ...meaning, now: Date.now() },
  );
}

/** Builds the part of a `ProviderCall` that all calls share. */
export function describe(
  account: ProviderAccount,
  endpoint: string,
  options: CallOptions,
): Pick<ProviderCall, 'account' | 'endpoint' | 'priority' | 'signal' | 'fence'> {
  const { priority, signal, fence } = options;
  return { account, endpoint, priority, signal, fence };
}

/** Parses JSON; returns the text itself when it is not JSON. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text may be the HTML error page of a front end. The status decides.
    return text;
  }
}

interface ClientError {
  readonly response?: { readonly status?: unknown; readonly data?: unknown; readonly headers?: unknown };
  readonly cause?: unknown;
}

/** Translates an error of the client library. */
function toFailure(error: unknown, meaning: ErrorMeaning): unknown {
  if (error instanceof ProviderFailure) return error;
  const { response, cause } = (error ?? {}) as ClientError;
  if (typeof response?.status !== 'number') return networkFailure(cause ?? error);
  const { headers } = response;
  const retryAfter = headers instanceof Headers ? headers.get('retry-after') : null;
  const body = typeof response.data === 'string' ? parseBody(response.data) : response.data;
  return gmailFailure(
    { status: response.status, retryAfter: retryAfter ?? undefined, body },
    { ...meaning, now: Date.now() },
  );
}

/**
 * Checks that the API itself answered. A success may also be the sign-in page of a network, a proxy's document or half
 * of one; read as an answer it would mean an empty mailbox.
 *
 * @param data the answer's JSON, or its text when it was not JSON
 * @param marks names of fields; every such answer has at least one of them
 * @throws SyntaxError when it has none of them
 */
export function requireAnswer<T extends object>(data: unknown, marks: readonly (keyof T & string)[]): T {
  const isGenuine =
    typeof data === 'object' && data !== null && marks.some((mark) => Object.hasOwn(data, mark));
  if (!isGenuine) throw new SyntaxError(`The answer has no ${marks.join(' and no ')}`);
  return data as T;
}

/** Checks that an answer is empty. @throws SyntaxError when it is not */
export function requireEmptyAnswer(data: unknown): void {
  const isNothing =
    typeof data === 'string' ? data.trim() === '' : data !== null && Object.keys(data ?? {}).length === 0;
  if (!isNothing) throw new SyntaxError('The answer is a document');
}

/**
 * Encodes an id for use as a path segment. `.` and `..` would be resolved as steps of the path and lead to another
 * resource (RFC 3986, section 5.2.4). No message or label has such an id, so the provider answers that it does not
 * exist.
 */
export const encodePathId = (id: string): string => (/^\.{1,2}$/.test(id) ? id.replaceAll('.', '%2E') : id);
