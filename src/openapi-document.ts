import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Unauthenticated } from './platform/access/access.errors';
import { BEARER, describeAccess, SESSION_COOKIE } from './platform/access/describe-access';
import { isUuidParameter } from './platform/access/guards/path-ids.guard';
import { ACCESS_COOKIE } from './identity/sessions/session-cookies';
import { Problem } from './platform/http/problem.response';
import { markProblems } from './platform/openapi/api-problems';
import { LocatedOperation, operationsOf, parametersOf, splitTexts } from './platform/openapi/operation';
import { nameOperations } from './platform/openapi/operation-group';
import { ProblemResponses } from './platform/openapi/problem-responses';
import { addMediaExamples, resolveSchema } from './platform/openapi/schema-examples';
import { IDEMPOTENCY_HOURS, MAX_KEY_LENGTH } from './platform/jobs/idempotency';
import { IdempotencyKeyReused, JobOwnerInactive, TooManyJobs } from './platform/jobs/jobs.errors';

/**
 * TypeScript knows only numbers, this service counts: what is not declared with `format: 'double'` is an integer.
 * Changes the document in place.
 */
export function countInIntegers(document: OpenAPIObject): void {
  walk(document.components?.schemas);
  walk(document.paths);
}

function walk(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as { type?: unknown; format?: unknown };
  if (schema.type === 'number' && schema.format !== 'double') schema.type = 'integer';
  for (const [name, child] of Object.entries(node))
    if (name !== 'example' && name !== 'examples') walk(child);
}

/** Texts of the document that name the domain. */
export interface ApiTexts {
  /** Groups of operations, in the order they are to be listed. */
  readonly tags: Readonly<Record<string, string>>;
  /** Path parameters that their routes do not describe. */
  readonly pathParameters: Readonly<
    Record<string, { readonly description: string; readonly example: string }>
  >;
}

const DESCRIPTION = [
  'Mailbox management: bulk clean-up, EML archive, search and export.',
  '**Errors** are RFC 9457 problem documents (`application/problem+json`); `code` is stable and meant for programs. ' +
    'Each response lists its codes. Unknown addresses answer 404 `not-found`; known addresses answer other methods with 405 ' +
    '`method-not-allowed` and `Allow`.',
  '**Jobs**: long operations answer 202 with a `jobId`. Read the job at `/api/jobs/{jobId}`, or stream its progress from ' +
    '`/api/jobs/{jobId}/events`. With an `Idempotency-Key` the request can be repeated safely.',
  '**Rate limits**: responses carry `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`; 429 and 503 carry ' +
    '`Retry-After`.',
  '**Data**: timestamps are ISO 8601 in UTC with milliseconds, Mailroom’s ids are UUIDs (version 7), and ids of ' +
    'messages, labels and threads are the mail provider’s. New fields may be added to responses; unknown fields of requests ' +
    'are ignored.',
].join('\n\n');

const CREDENTIALS = [
  'The access token of a session, or an API key (`mrk_…`). A key with scope `read` can call every GET, and',
  'POST routes that change nothing; other routes, and those that return secrets, need scope `write` (403 `api-key-scope`).',
  'A key that is limited to mailbox accounts can call the routes of these accounts and their jobs (403 `api-key-account`).',
  'API keys cannot call `/api/auth/*`, `/api/admin/*` and a few other routes (403 `session-required`).',
  '`x-api-key-scope` names the scope that an operation needs.',
].join(' ');

const COOKIE =
  'The browser’s session cookie, set at sign-in. Requests that change something need an `Origin` of the ' +
  'application (403 `foreign-origin`). A bearer token has precedence.';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `For ${IDEMPOTENCY_HOURS} hours the same key with the same request returns the same job; with another request it answers 409.`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
  example: 'a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90',
} as const;

/** Default descriptions of successful responses. */
const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted: a job was started',
  204: 'Success, without content',
};

/** Adds to an operation the texts that follow from its path and statuses, whatever its controller says. */
function describeOperation(located: LocatedOperation, texts: ApiTexts): void {
  const { method, operation } = located;
  for (const parameter of parametersOf(operation)) {
    if (parameter.in !== 'path') continue;
    const schema = resolveSchema(parameter.schema ?? { type: 'string' }, {});
    const known = texts.pathParameters[parameter.name];
    parameter.description ??= known?.description;
    parameter.example ??= (schema.example as unknown) ?? known?.example;
    parameter.schema = isUuidParameter(parameter.name)
      ? { type: 'string', format: 'uuid' }
      : { ...schema, example: undefined };
  }
  // What starts a job answers 202, and can be repeated safely with a key.
  if (method === 'post' && '202' in operation.responses) {
    (operation.parameters ??= []).push(IDEMPOTENCY_KEY);
    markProblems(operation, new IdempotencyKeyReused(), new JobOwnerInactive(), new TooManyJobs());
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response && 'description' in response && !response.description) {
      response.description = SUCCESSES[status] ?? 'Success';
    }
  }
}

/**
 * The OpenAPI document of the application; operation ids are `<resource>.<verb>`, stable for generated SDKs.
 */
export function createOpenApiDocument(app: INestApplication, texts: ApiTexts): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Mailroom')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer('/', 'The installation this document comes from')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT or API key', description: CREDENTIALS },
      BEARER,
    )
    .addCookieAuth(ACCESS_COOKIE, { type: 'apiKey', in: 'cookie', description: COOKIE }, SESSION_COOKIE);
  for (const [name, description] of Object.entries(texts.tags)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [Problem],
    operationIdFactory: (_controller, method) => method,
  });
  document.info = {
    ...document.info,
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  };
  delete document.info.contact;
  const schemas = document.components?.schemas ?? {};
  countInIntegers(document);
  const problems = new ProblemResponses(document, {
    describe: describeAccess,
    shared: { Unauthorized: new Unauthenticated() },
  });
  const operations = operationsOf(document);
  nameOperations(operations);
  for (const located of operations) {
    splitTexts(located.operation);
    describeOperation(located, texts);
    problems.addTo(located);
    addMediaExamples(located, schemas);
  }
  return document;
}
