import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { undocumented } from '../openapi/expect-documented';
import { Seen, unlikeExamples } from '../openapi/looks';
import { Probe, probesOf } from '../openapi/probes';
import { readPace } from '../run/pace';
import type { TestUser } from '../test-user';
import { exchange, WireAnswer } from './exchange';
import { Operation, OPERATIONS } from './operations';
import { fill, toWire, ValidRequest } from './requests';
import type { World } from './world';

/** Two equal requests are asked again for so long while their answers differ, in milliseconds. */
const SETTLED_MS = 15_000;
const PAUSE_MS = 250;

/** Bodies whose limits are looked at in place of a world's own, which would hide or do too much. */
const SAMPLES: Readonly<Record<string, (world: World) => object>> = {
  'POST /api/mailbox/{accountId}/messages/bulk': ({ parameters }) => ({
    action: 'label',
    labelId: parameters['labelId'],
    messageIds: ['ffffffffffffffff'],
  }),
  'POST /api/archive/{accountId}/archive': () => ({ messageIds: ['ffffffffffffffff'] }),
  // With the right count it would delete the mail that others need.
  'POST /api/archive/{accountId}/delete': () => ({
    mailIds: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'],
    confirmedCount: 2,
  }),
  'PUT /api/rules/{accountId}/{ruleId}': () => ({
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

/** Values beyond a limit that mean something else, or that something else than the limit refuses. */
const TAKEN_ALL_THE_SAME = [
  // Empty: no code, and no key, at all.
  'body totp_code too short a text',
  'headers Idempotency-Key too short a text',
  // A stream begins anew after an event that it does not know.
  'headers Last-Event-ID no id',
  // The number is that of all that are meant: a problem of its own.
  'POST /api/coverage/{accountId}/deletable body messageIds one more',
  // There is nothing to do: 409.
  'POST /api/jobs/{jobId}/resume headers Idempotency-Key too long a text',
  'POST /api/jobs/{jobId}/retry-failed headers Idempotency-Key too long a text',
  'POST /api/import/{accountId}/uploads/{uploadId}/complete headers Idempotency-Key too long a text',
];

/** Values at a limit that something else than the limit refuses. */
const REFUSED_ALL_THE_SAME = [
  // The provider knows no such page, label or job.
  'GET /api/mailbox/{accountId}/messages query pageToken',
  'POST /api/mailbox/{accountId}/messages/bulk body labelId',
  'GET /api/coverage/{accountId}/messages query after',
  // RFC 5321 ends before that.
  'POST /api/auth/register body email the longest',
  'POST /api/auth/login body email the longest',
  'POST /api/auth/mailbox/imap/discover body email the longest',
  'POST /api/auth/mailbox/imap/test body email the longest',
  'POST /api/admin/users body email the longest',
  // Nothing listens there.
  'POST /api/auth/mailbox/imap body',
  'POST /api/import/{accountId}/imap/forecast body',
  // No device has made them.
  'POST /api/auth/passkeys body',
  // Not the name of a time zone.
  'PATCH /api/auth/preferences body timezone the longest',
  // Beyond the first 1000 mails.
  'GET /api/archive/search query page the most',
  'GET /api/search query page the most',
  'GET /api/archive/{accountId}/index/items query page the most',
  // They have to differ.
  'PUT /api/archiving/{accountId} body exclusions the most',
  // Only with the number that a person has confirmed.
  'POST /api/mailbox/{accountId}/messages/bulk body selectionId an id',
  'POST /api/archive/{accountId}/archive body selectionId an id',
  // Either ids or a query.
  'POST /api/archive/{accountId}/archive body query the longest',
  'POST /api/coverage/{accountId}/deletable body query the longest',
  // An address without a path, with nothing behind it.
  'POST /api/storage/test-objstore body endpoint the longest',
  'PUT /api/storage/config body type "objstore"',
  'PUT /api/storage/config body objstore',
];

/** The document shows one code for all failures of a login to an IMAP server. */
const ONE_OF_MANY = ['imapAccounts.connect 400 has the code imap-port-closed, which is not documented'];

/** Calls every operation with a world's resources, and says how the answers differ from openapi.json. */
export class Walker {
  private readonly seen: Seen = new Set();
  private readonly walked = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly admin: TestUser,
  ) {}

  /** Valid requests, one after the other. */
  async walk(operations: readonly Operation[]): Promise<string[]> {
    const found: string[] = [];
    for (const operation of operations) {
      const request = fill(operation, this.world);
      found.push(...this.differences(request, await this.send(request)));
    }
    return found;
  }

  /** Walks as another user, with their resources. @param parameters of the path */
  async walkAs(
    user: TestUser,
    operation: Operation,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string[]> {
    const request = fill(operation, this.world);
    const own = {
      ...request,
      query: {},
      parameters: { ...request.parameters, ...pick(parameters, request.parameters) },
    };
    const { token } = (request.caller === 'admin' ? this.admin : user).api;
    return this.differences(own, await exchange(this.world.app.url, toWire(own, token)));
  }

  /** Sends a request with and without the defaults of its query, and says where the answers are not the same. */
  async sameWithDefaults(operation: Operation): Promise<string[]> {
    const request = fill(operation, this.world);
    const defaults = defaultsOf(operation);
    const bare = pickNot(request.query, defaults);
    const ask = async (): Promise<[WireAnswer, WireAnswer]> => [
      await this.send({ ...request, query: bare }),
      await this.send({ ...request, query: { ...bare, ...defaults } }),
    ];
    let [left, right] = await ask();
    // Jobs of earlier tests may change what is listed between the two.
    const deadline = Date.now() + SETTLED_MS * readPace();
    while (!isSameContent(left, right) && Date.now() < deadline) {
      await delay(PAUSE_MS);
      [left, right] = await ask();
    }
    const echoed = ['page', 'limit'].filter(
      (field) => left.body?.[field] !== undefined && String(left.body[field]) !== defaults[field],
    );
    return [
      ...echoed.map((field) => `${operation.key}: ${field} ${String(left.body[field])}`),
      ...(isSameContent(left, right) ? [] : [`${operation.key}: ${left.bytes.toString()}`]),
    ];
  }

  /** Operations that have not been walked. */
  missed(): string[] {
    return OPERATIONS.filter(({ key }) => !this.walked.has(key)).map(({ key }) => key);
  }

  /** Which of these lists were empty wherever they were answered, so that nothing is known of their items. */
  unseen(lists: readonly string[]): string[] {
    return lists.filter((list) => !this.seen.has(list));
  }

  /** The differences of the answer to a valid request from the document. */
  private differences({ operation, answer }: ValidRequest, response: WireAnswer): string[] {
    const { key } = operation;
    const { status, headers, body, bytes } = response;
    this.walked.add(key);
    if (status !== answer.status || (answer.code && body?.code !== answer.code))
      return [`${key}: ${status} ${bytes.toString().slice(0, 300)}, not ${answer.status}`];
    const contentType = status === 204 && bytes.length === 0 ? undefined : headers['content-type'];
    const faults = undocumented(operation.method, exampleOf(operation.path), { status, contentType, body });
    if (status >= 300) return faults.filter((fault) => !ONE_OF_MANY.includes(fault));
    if (isDownload(operation)) faults.push(...ofDownload(key, headers));
    if (operation.answer) faults.push(...unlikeExamples(operation.answer, body, key, this.seen));
    return [...faults, ...ofJob(operation, body)];
  }

  /** Sends every value at a limit of an operation, and says which were taken or refused against the document. */
  async probe(operation: Operation): Promise<string[]> {
    const sample = this.sample(operation);
    const probes = probesOf(
      operation,
      (place, field) => (sample[place] as Record<string, unknown> | undefined)?.[field],
    );
    const found: string[] = [];
    // One after the other: a value may be changed by what comes at the same time.
    for (const probe of probes) {
      const request = (): ValidRequest => withValue(this.sample(operation), probe);
      let answer = await this.send(request());
      // Uploads and imports that other values have begun use what a user may have at a time.
      for (let tries = 0; answer.status === 429 && tries < 10; tries += 1) {
        await this.world.endUploads();
        answer = await this.send(request());
      }
      found.push(...verdict(operation, probe, answer));
    }
    return found;
  }

  private sample(operation: Operation): ValidRequest {
    const request = fill(operation, this.world);
    const body = SAMPLES[operation.key]?.(this.world);
    return body ? { ...request, body } : request;
  }

  private send(request: ValidRequest): Promise<WireAnswer> {
    const callers = { owner: this.world.user, admin: this.admin, nobody: null };
    return exchange(this.world.app.url, toWire(request, callers[request.caller]?.api.token ?? null));
  }
}

const pick = (
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, string> => Object.fromEntries(Object.entries(values).filter(([name]) => name in names));

const pickNot = (
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, string> => Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names)));

/** A path of the operation, as a request has it. */
const exampleOf = (path: string): string => path.replace(/\{\w+\}/g, 'x');

/** The defaults of a query, which change nothing when they are given. */
export const defaultsOf = ({ query }: Operation): Record<string, string> =>
  Object.fromEntries(
    query
      .filter(({ schema }) => schema?.default !== undefined)
      .map(({ name, schema }) => [name, String(schema!.default as string | number | boolean)]),
  );

const isDownload = ({ answerTypes }: Operation): boolean =>
  answerTypes.some((type) => /^(application\/(octet-stream|zip|mbox)|message\/)/.test(type));

function ofDownload(name: string, headers: WireAnswer['headers']): string[] {
  const disposition = headers['content-disposition'] ?? '';
  return [
    ...(/^attachment; filename="[^"]+"/.test(disposition) ? [] : [`${name}: disposition ${disposition}`]),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : [`${name}: may be sniffed`]),
    ...(headers['content-security-policy'] === 'sandbox' ? [] : [`${name}: no sandbox`]),
  ];
}

/** A job that an operation has started is of the kind of the documented example. */
function ofJob({ key, success, answerExample }: Operation, body: unknown): string[] {
  const kindOf = (answer: unknown): string | undefined =>
    /^(.*)-\d+$/.exec(String((answer as { jobId?: unknown } | undefined)?.jobId))?.[1];
  const expected = success === 202 ? kindOf(answerExample) : undefined;
  return kindOf(body) === expected || expected === undefined
    ? []
    : [`${key}: ${kindOf(body)} is no ${expected}`];
}

function withValue(request: ValidRequest, { place, field, value }: Probe): ValidRequest {
  const fields = { ...(request[place] as object), [field]: value } as Record<string, string>;
  if (value === undefined) delete fields[field];
  return { ...request, [place]: fields };
}

function verdict(operation: Operation, probe: Probe, { status, body, bytes }: WireAnswer): string[] {
  const { place, field, what, value } = probe;
  const at = `${operation.key} ${place} ${field} ${what}`;
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
    return status === operation.success && (echoed === undefined || echoed === Number(value) - 1)
      ? []
      : [answered];
  }
  const excused = REFUSED_ALL_THE_SAME.some((beginning) => at.startsWith(beginning));
  return status === 400 && !excused ? [answered] : [];
}

/** Whether two answers have the same JSON, or the same bytes where they have none. */
const isSameContent = (one: WireAnswer, other: WireAnswer): boolean =>
  one.body === undefined ? one.bytes.equals(other.bytes) : isDeepStrictEqual(one.body, other.body);
