import type { INestApplication } from '@nestjs/common';
import { isUuidParameter } from '../auth/path-ids';
import { IDEMPOTENCY_HOURS, MAX_KEY_LENGTH } from '../jobs/idempotency';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { problemResponse } from './api-problems';

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `The same key with the same request gets the same job for ${IDEMPOTENCY_HOURS} hours, with another request 409.`,
  schema: { type: 'string', maxLength: MAX_KEY_LENGTH },
  example: 'a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90',
} as const;

const CREDENTIALS = [
  'The access token of a session, or an API key (`mrk_…`). With scope `read` a key may call every GET and the POST',
  'routes that change nothing; others, and those whose answers hold secrets, need scope `write` (403 `api-key-scope`).',
  'A key bound to mailbox accounts reaches routes of these accounts and their jobs (403 `api-key-account`). Routes',
  'below `/api/auth` and `/api/admin` and a few others are for sessions alone (403 `session-required`).',
].join(' ');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What follows from a route's path and status, whatever its controller says. */
function describeOperation(operation: OperationObject, method: (typeof METHODS)[number]): void {
  for (const parameter of operation.parameters ?? []) {
    if ('schema' in parameter && parameter.in === 'path' && isUuidParameter(parameter.name)) {
      parameter.schema = { ...parameter.schema, format: 'uuid' };
      operation.responses['400'] ??= problemResponse(400);
    }
  }
  // What starts a job answers 202, and can be repeated safely with a key.
  if (method === 'post' && '202' in operation.responses) {
    (operation.parameters ??= []).push(IDEMPOTENCY_KEY);
    operation.responses['400'] ??= problemResponse(400);
    operation.responses['409'] ??= problemResponse(409);
  }
}

/** The OpenAPI document of the application; operation ids are `<feature>.<method>`, stable for generated SDKs. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Mailroom')
    .setDescription(
      'Mailbox management: bulk clean-up, EML archive, search and export. Errors are RFC 9457 problem documents.',
    )
    .setVersion('1')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT or API key',
      description: CREDENTIALS,
    })
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    operationIdFactory: (controllerKey, methodKey) => {
      const feature = controllerKey.replace(/Controller$/, '');
      return `${feature.charAt(0).toLowerCase()}${feature.slice(1)}.${methodKey}`;
    },
  });
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) if (item[method]) describeOperation(item[method], method);
  }
  return document;
}
