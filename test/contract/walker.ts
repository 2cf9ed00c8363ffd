import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { deviations, listsOf, Seen } from './conformance';
import { ROUTES } from './index';
import type { Route } from './notation';
import { Probe, probesOf } from './probes';
import { readPace } from '../support/run/pace';
import type { TestUser } from '../support/test-user';
import { exchange, WireAnswer } from '../support/world/exchange';
import { OPERATIONS } from '../support/world/operations';
import { fill, toWire, ValidRequest } from '../support/world/requests';
import type { World } from '../support/world/world';

/** What a table calls `GET /api/jobs/:jobId` the document calls `GET /api/jobs/{jobId}`. */
const inDocument = (name: string): string => name.replace(/:(\w+)/g, '{$1}');

/** Two equal requests are asked again for so long while their answers differ, in milliseconds. */
const SETTLED_MS = 15_000;
const PAUSE_MS = 250;

/** What a valid request is to have for its limits to be looked at, where a world's own would hide or do too much. */
const SAMPLES: Readonly<Record<string, (world: World) => object>> = {
  'POST /api/mailbox/:accountId/messages/bulk': ({ parameters }) => ({
    action: 'label',
    labelId: parameters['labelId'],
    messageIds: ['ffffffffffffffff'],
  }),
  'POST /api/archive/:accountId/archive': () => ({ messageIds: ['ffffffffffffffff'] }),
  'PUT /api/rules/:accountId/:ruleId': () => ({
    conditions: [{ field: 'subject', operator: 'contains', value: 'no such subject' }],
    action: { type: 'mark_read' },
  }),
  'PUT /api/storage/config': () => ({
    type: 'objstore',
    objstoreEndpoint: 'http://127.0.0.1:1',
    objstoreAccessKeyId: 'nobody',
    objstoreSecretAccessKey: 'nothing',
  }),
};

/** Values beyond a limit that mean something else. */
const TAKEN_ALL_THE_SAME = [
  // Empty: no code, and no key, at all.
  'body totp_code too short a text',
  'headers Idempotency-Key too short a text',
];

/** Values at a limit that something else than the limit refuses. */
const REFUSED_ALL_THE_SAME = [
  // The provider knows no such page, label or job.
  'GET /api/mailbox/:accountId/messages query pageToken',
  'POST /api/mailbox/:accountId/messages/bulk body labelId',
  // RFC 5321 ends before that.
  'POST /api/auth/register body email the longest',
  'POST /api/auth/login body email the longest',
  // Only with the number that a person has confirmed.
  'POST /api/mailbox/:accountId/messages/bulk body selectionId an id',
  'POST /api/archive/:accountId/archive body selectionId an id',
  // Either ids or a query.
  'POST /api/archive/:accountId/archive body query the longest',
  // An address without a path, with nothing behind it.
  'POST /api/storage/test-objstore body endpoint the longest',
  'PUT /api/storage/config body type objstore',
  'PUT /api/storage/config body objstore',
];

/** Calls every route of the tables with a world's resources, and says how the answers differ from the tables. */
export class Walker {
  private readonly seen: Seen = new Set();
  private readonly walked = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly admin: TestUser,
  ) {}

  /** Valid requests, one after the other. */
  async walk(names: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const name of names)
      found.push(...this.differences(name, await this.send(name, this.request(name))));
    return found;
  }

  /** As somebody else, with their resources. @param parameters of the path */
  async walkAs(
    user: TestUser,
    name: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string[]> {
    const caller = ROUTES[name]!.access === 'admin' ? this.admin : user;
    const request = { ...this.request(name), query: {} };
    const own = {
      ...request,
      parameters: { ...request.parameters, ...pick(parameters, request.parameters) },
    };
    return this.differences(name, await exchange(this.world.app.url, toWire(own, caller.api.token)));
  }

  /** Sends a request with and without these values in its query, and says where the answers are not the same. */
  async sameWith(name: string, defaults: Readonly<Record<string, string>>): Promise<string[]> {
    const request = this.request(name);
    const bare = Object.fromEntries(Object.entries(request.query).filter(([field]) => !(field in defaults)));
    const ask = async (): Promise<[WireAnswer, WireAnswer]> => [
      await this.send(name, { ...request, query: bare }),
      await this.send(name, { ...request, query: { ...bare, ...defaults } }),
    ];
    let [left, right] = await ask();
    // Jobs of earlier tests may change what is listed between the two.
    const deadline = Date.now() + SETTLED_MS * readPace();
    while (!isDeepStrictEqual(left.body, right.body) && Date.now() < deadline) {
      await delay(PAUSE_MS);
      [left, right] = await ask();
    }
    const echoed = ['page', 'limit'].filter(
      (field) => left.body[field] !== undefined && String(left.body[field]) !== defaults[field],
    );
    return [
      ...echoed.map((field) => `${name}: ${field} ${String(left.body[field])}`),
      ...(isDeepStrictEqual(left.body, right.body) ? [] : [`${name}: ${left.bytes.toString()}`]),
    ];
  }

  /** Routes that have not been walked. */
  missed(): string[] {
    return Object.keys(ROUTES).filter((name) => !this.walked.has(name));
  }

  /** Lists that were empty wherever they were answered, so that nothing is known of their items. */
  unseen(): string[] {
    return Object.entries(ROUTES).flatMap(([name, { returns }]) =>
      typeof returns === 'string' ? [] : listsOf(returns, name).filter((list) => !this.seen.has(list)),
    );
  }

  /** How an answer differs from the route's table. */
  differences(name: string, { status, headers, body, bytes }: WireAnswer): string[] {
    this.walked.add(name);
    const route = ROUTES[name]!;
    if (status !== route.answers)
      return [`${name}: ${status} ${bytes.toString().slice(0, 300)}, not ${route.answers}`];
    if (route.returns === 'nothing')
      return bytes.length > 0 && status === 204 ? [`${name}: answered a body`] : [];
    const type = (headers['content-type'] ?? '').split(';')[0];
    const expected = route.type ?? 'application/json';
    // Files have types of their own.
    if (type !== expected && expected !== 'application/octet-stream')
      return [`${name}: is ${type}, not ${expected}`];
    if (route.returns === 'bytes') return ofDownload(name, headers);
    if (route.starts && !new RegExp(`^${route.starts}-\\d+$`).test(String(body?.jobId)))
      return [`${name}: ${String(body?.jobId)} is no ${route.starts}`];
    return typeof route.returns === 'string' ? [] : deviations(route.returns, body, name, this.seen);
  }

  /** Sends every value at a limit of a route, and says which were taken or refused against the table. */
  async probe(name: string): Promise<string[]> {
    const sample = this.sample(name);
    const probes = probesOf(
      ROUTES[name]!,
      (place, field) => (sample[place] as Record<string, unknown> | undefined)?.[field],
    );
    const found: string[] = [];
    // One after the other: a value may be changed by what comes at the same time.
    for (const probe of probes) {
      const answer = await this.send(name, withValue(this.sample(name), probe));
      found.push(...verdict(name, ROUTES[name]!, probe, answer));
    }
    return found;
  }

  private sample(name: string): ValidRequest {
    const request = this.request(name);
    const body = SAMPLES[name]?.(this.world);
    return body ? { ...request, body } : request;
  }

  private request(name: string): ValidRequest {
    const operation = OPERATIONS.find(({ key }) => key === inDocument(name));
    if (!operation) throw new Error(`${name} is not in openapi.json`);
    return fill(operation, this.world);
  }

  private send(name: string, request: ValidRequest): Promise<WireAnswer> {
    const { access } = ROUTES[name]!;
    const caller = access === 'admin' ? this.admin : access === 'public' ? null : this.world.user;
    return exchange(this.world.app.url, toWire(request, caller?.api.token ?? null));
  }
}

const pick = (
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, string> => Object.fromEntries(Object.entries(values).filter(([name]) => name in names));

function ofDownload(name: string, headers: WireAnswer['headers']): string[] {
  const disposition = headers['content-disposition'] ?? '';
  return [
    ...(/^attachment; filename="[^"]+"/.test(disposition) ? [] : [`${name}: disposition ${disposition}`]),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : [`${name}: may be sniffed`]),
    ...(headers['content-security-policy'] === 'sandbox' ? [] : [`${name}: no sandbox`]),
  ];
}

function withValue(request: ValidRequest, { place, field, value }: Probe): ValidRequest {
  const fields = { ...(request[place] as object), [field]: value } as Record<string, string>;
  if (value === undefined) delete fields[field];
  return { ...request, [place]: fields };
}

function verdict(name: string, route: Route, probe: Probe, { status, body, bytes }: WireAnswer): string[] {
  const { place, field, what, value } = probe;
  const at = `${name} ${place} ${field} ${what}`;
  const answered = `${at}: ${status} ${bytes.toString().slice(0, 300)}`;
  if (status >= 500 && status !== 503) return [answered];
  if (probe.verdict === 'refused') {
    const named = (body?.errors as { field: string }[] | undefined)?.some(
      (error) => error.field === field || error.field.startsWith(`${field}.`),
    );
    return (status === 400 && named) || TAKEN_ALL_THE_SAME.some((end) => at.endsWith(end)) ? [] : [answered];
  }
  if (probe.verdict === 'lowered') {
    const echoed: unknown = body?.[field];
    return status === route.answers && (echoed === undefined || echoed === Number(value) - 1)
      ? []
      : [answered];
  }
  const excused = REFUSED_ALL_THE_SAME.some((beginning) => at.startsWith(beginning));
  return status === 400 && !excused ? [answered] : [];
}
