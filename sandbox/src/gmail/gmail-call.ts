import { ApiError } from '../http/api-error';
import type { ApiAnswer, ApiRequest } from '../http/api-message';
import type { Mailbox } from '../mailbox/mailbox';
import type { SandboxFaultAnswer } from '../types';

/** OAuth scopes by their last part; `full` is https://mail.google.com/. */
export type Scope = 'full' | 'modify' | 'readonly' | 'metadata' | 'insert' | 'labels';

/** One API call, authenticated and admitted. */
export interface GmailCall {
  readonly mailbox: Mailbox;
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: ApiRequest;
  readonly scopes: ReadonlySet<Scope>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The fault that strikes the call, for those that change what its handler does. */
  readonly oddity?: SandboxFaultAnswer['kind'];
  /** Whether `fields` lets that key of the answer through: what costs time is left out otherwise. */
  wants(key: string): boolean;
}

export interface GmailRoute {
  /** The name under which calls are counted, costed and made to fail. */
  readonly endpoint: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/gmail/v1/users/{user}/`, with `:name` for a parameter. */
  readonly pattern: string;
  /** Any one of these will do. */
  readonly scopes: readonly Scope[];
  handle(call: GmailCall): ApiAnswer | Promise<ApiAnswer>;
}

export const ok = (json: unknown): ApiAnswer => ({ status: 200, json });
export const noContent: ApiAnswer = { status: 204 };

/** The JSON body; an empty one is `{}`, anything but an object is refused. */
export function jsonBody(request: ApiRequest): Record<string, unknown> {
  const text = request.body.toString('utf8').trim();
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ApiError(400, 'parseError', `Invalid JSON payload received. ${error.message}`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new ApiError(400, 'parseError', 'Invalid JSON payload received. Expected an object.');
  }
  return value as Record<string, unknown>;
}

/** A list of strings in the body; absent means empty. */
export function stringList(body: Record<string, unknown>, name: string): string[] {
  const value = body[name] ?? [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === 'string') return item;
    throw ApiError.invalidArgument(`Invalid value at '${name}' (TYPE_STRING), ${JSON.stringify(item)}`);
  });
}

export function optionalString(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw ApiError.invalidArgument(`Invalid value at '${name}' (TYPE_STRING), ${JSON.stringify(value)}`);
}

/** `maxResults`, silently cut to 500 as Gmail does; throws 400 for what is no positive number. */
export function pageSize(query: URLSearchParams): number {
  const text = query.get('maxResults');
  if (text === null) return 100;
  if (!/^\d{1,9}$/.test(text))
    throw ApiError.invalidArgument(`Invalid value at 'max_results' (TYPE_UINT32), "${text}"`);
  return Math.max(1, Math.min(500, Number(text)));
}

export function flag(query: URLSearchParams, name: string): boolean {
  return query.get(name)?.toLowerCase() === 'true';
}
