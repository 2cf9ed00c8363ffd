import { isDeepStrictEqual } from 'node:util';
import { Operation, propertiesOf, resolve, Schema } from './operations';
import { isForAdmins } from './requests';
import type { ValidRequest } from './requests';
import { problemOf } from './resources';
import type { World } from './world';

/** A field of a query or a body that names a resource, and the answer to one who names another user's. */
export interface Reference {
  readonly operation: Operation;
  readonly field: string;
  /** A stranger's valid request, with the owner's resource in its place. */
  readonly change: (request: ValidRequest, owner: World) => ValidRequest;
  /** Part of the answer; in none is anything of the owner's. */
  readonly answer: Answer;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Names of fields that hold ids. */
const NAMES_RESOURCES = /(^|\.|\[\])(ids?|\w+(Id|Ids)|before|pageToken)$/;

/** Fields that look like references and lead to no user's resource. */
const HARMLESS = [
  // Keys of a device, which no resource of the service has yet, or which sign in.
  'POST /api/auth/passkeys credential.id',
  'POST /api/auth/passkeys credential.rawId',
  'POST /api/auth/passkeys/sign-in credential.id',
  'POST /api/auth/passkeys/sign-in credential.rawId',
  // Credentials for the store of another operator.
  'PUT /api/storage/config objstoreAccessKeyId',
  'POST /api/storage/test-objstore accessKeyId',
  // The same for all.
  'POST /api/rules/{accountId}/from-template templateId',
];

const invalid = (field: string): Answer => ({ status: 400, body: { errors: [{ field }] } });
/** A job starts, and finds nothing. */
const STARTED: Answer = { status: 202, body: {} };
const SELECTION_EXPIRED: Answer = { status: 409, body: { status: 409, code: 'selection-expired' } };

/**
 * Answers to another user's resource other than the usual ones: 403 `account-not-owned` for an account, 404
 * `<resource>-not-found` for the rest.
 */
const UNUSUAL: Readonly<Record<string, Answer>> = {
  'GET /api/mailbox/{accountId}/messages pageToken': {
    status: 200,
    body: { messages: expect.any(Array) as unknown },
  },
  'POST /api/mailbox/{accountId}/messages/batch ids': { status: 200, body: [] },
  'POST /api/mailbox/{accountId}/messages/bulk messageIds': STARTED,
  'POST /api/mailbox/{accountId}/messages/bulk selectionId': SELECTION_EXPIRED,
  'POST /api/mailbox/{accountId}/messages/bulk labelId': invalid('labelId'),
  // Others are passed over.
  'POST /api/archive/{accountId}/index/retry ids': { status: 200, body: { retried: 0 } },
  'PUT /api/saved-searches/reorder ids': {
    status: 404,
    body: { status: 404, code: 'saved-search-not-found' },
  },
  // Ids are in the order of time: the stranger's own entries from before it.
  'GET /api/restore/{accountId} after': { status: 200, body: {} },
  'GET /api/offload/{accountId}/plans after': { status: 200, body: {} },
  'GET /api/offload/{accountId}/receipts after': { status: 200, body: {} },
  // The log outlives accounts: its own entries of that account are none.
  'GET /api/audit accountId': { status: 200, body: { total: 0 } },
  'GET /api/audit/export accountId': { status: 200, body: undefined },
  // The ledger of the account does not know it.
  'POST /api/coverage/{accountId}/deletable messageIds': { status: 200, body: { yes: 0, no: 1 } },
  // The record's id; the number of a jobId is only a place in the list.
  'GET /api/jobs before': invalid('before'),
  // It finds no copies.
  'POST /api/offload/{accountId}/plans select.messageIds': STARTED,
  'POST /api/offload/{accountId}/plans select.ruleId': invalid('select.ruleId'),
  'PUT /api/offload/{accountId}/schedule select.messageIds': { status: 200, body: { isActive: false } },
  'PUT /api/offload/{accountId}/schedule select.ruleId': invalid('select.ruleId'),
  'POST /api/archive/{accountId}/archive messageIds': STARTED,
  'POST /api/archive/{accountId}/archive selectionId': SELECTION_EXPIRED,
  'POST /api/archive/{accountId}/export-mailbox select.threadIds': { status: 200, body: undefined },
  'POST /api/archive/{accountId}/export-mailbox select.planId': { status: 200, body: undefined },
  'POST /api/restore/{accountId} select.threadIds': STARTED,
  'POST /api/restore/{accountId} select.planId': STARTED,
  'POST /api/rules/{accountId} action.labelId': invalid('action.labelId'),
  'PUT /api/rules/{accountId}/{ruleId} action.labelId': invalid('action.labelId'),
};

/** Values that the name of the field does not say, and fields that exclude others. */
const VALUES: Readonly<Record<string, (owner: World) => object>> = {
  'POST /api/mailbox/{accountId}/messages/batch ids': ({ parameters }) => ({
    ids: [parameters['messageId']],
  }),
  'POST /api/archive/{accountId}/index/retry ids': ({ parameters }) => ({ ids: [parameters['mailId']] }),
  'PUT /api/saved-searches/reorder ids': ({ parameters, secondSearchId }) => ({
    ids: [secondSearchId, parameters['searchId']],
  }),
  'GET /api/restore/{accountId} after': ({ parameters }) => ({ after: parameters['restoreId'] }),
  'GET /api/offload/{accountId}/plans after': ({ parameters }) => ({ after: parameters['planId'] }),
  'GET /api/offload/{accountId}/receipts after': ({ parameters }) => ({ after: parameters['planId'] }),
  'POST /api/mailbox/{accountId}/messages/bulk selectionId': selected,
  'POST /api/archive/{accountId}/archive selectionId': selected,
  'POST /api/privacy/{accountId}/encryption/decrypt-mail mailId': ({ encryptedMailId }) => ({
    mailId: encryptedMailId,
  }),
};

function selected({ values }: World): object {
  return { messageIds: undefined, query: undefined, selectionId: values['selectionId'], confirmedCount: 1 };
}

/** Every reference of the operations; of some nothing was decided yet, see `undecidedReferences()`. */
export const referencesOf = (operations: readonly Operation[]): Reference[] =>
  operations
    .filter((operation) => !isForAdmins(operation))
    .flatMap((operation) =>
      fieldsOf(operation)
        .filter((field) => !HARMLESS.includes(`${operation.key} ${field}`))
        .map((field) => ({
          operation,
          field,
          change: (request, owner) => naming(request, field, owner),
          answer: UNUSUAL[`${operation.key} ${field}`] ?? usualAnswer(operation, field),
        })),
    );

function usualAnswer(operation: Operation, field: string): Answer {
  const { status, code } = problemOf(operation, parameterOf(field));
  return { status, body: { status, code } };
}

/** Fields of a query or a body that hold ids, by their names or their format. */
function fieldsOf({ query, body }: Operation): string[] {
  const isUuid = (schema: Schema | undefined): boolean =>
    schema?.format === 'uuid' || (schema?.items !== undefined && resolve(schema.items).format === 'uuid');
  return [...query.map(({ name, schema }) => ({ path: name, schema })), ...(body ? propertiesOf(body) : [])]
    .filter(({ path, schema }) => NAMES_RESOURCES.test(path) || isUuid(schema))
    .map(({ path }) => path);
}

/** `action.labelId` and `labelIds` name what the path parameter `labelId` names. */
const parameterOf = (field: string): string =>
  field
    .split('.')
    .at(-1)!
    .replace(/(?<=Id)s$/, '')
    .replace(/^\w+AccountId$/, 'accountId');

function naming(request: ValidRequest, field: string, owner: World): ValidRequest {
  const { operation } = request;
  const values = VALUES[`${operation.key} ${field}`]?.(owner);
  const id = owner.valueOf(parameterOf(field))!;
  if (operation.query.some(({ name }) => name === field))
    return { ...request, query: { ...request.query, ...(values ?? { [field]: id }) } };
  if (values) return { ...request, body: { ...(request.body as object), ...values } };
  const value = field.endsWith('s') ? [id] : id;
  const [name, part] = field.split('.') as [string, string | undefined];
  const body = request.body as Readonly<Record<string, object>>;
  return {
    ...request,
    body: {
      ...body,
      [name]: part === undefined ? value : { ...requiredParts(operation, body, name), [part]: value },
    },
  };
}

/** The parts of an object that it cannot do without; others would exclude what takes their place. */
function requiredParts(
  { body: schema }: Operation,
  body: Readonly<Record<string, object>>,
  name: string,
): object {
  const required = resolve(resolve(schema!).properties![name]!).required ?? [];
  return Object.fromEntries(Object.entries(body[name] ?? {}).filter(([part]) => required.includes(part)));
}

/** Fields of which the answer follows from no name and no list, and entries that are needless or without a field. */
export function undecidedReferences(operations: readonly Operation[], world: World): string[] {
  const where = 'in test/support/world/references.ts';
  const found = operations.flatMap((operation) =>
    fieldsOf(operation).map((field) => ({ operation, field, name: `${operation.key} ${field}` })),
  );
  const names = new Set(found.map(({ name }) => name));
  const listed = [...HARMLESS, ...Object.keys(UNUSUAL), ...Object.keys(VALUES)];
  return [
    ...found
      .filter(({ operation, name }) => !isForAdmins(operation) && !HARMLESS.includes(name))
      .flatMap(({ operation, field, name }) => {
        const isKnown = name in VALUES || world.valueOf(parameterOf(field)) !== undefined;
        const isAnswered = name in UNUSUAL || problemOf(operation, parameterOf(field)).code !== undefined;
        return isKnown && isAnswered
          ? []
          : [`${name}: say ${where} how it is answered with another user's resource`];
      }),
    ...found
      .filter(
        ({ operation, field, name }) =>
          name in UNUSUAL && isDeepStrictEqual(UNUSUAL[name], usualAnswer(operation, field)),
      )
      .map(({ name }) => `${name}: its entry in UNUSUAL ${where} is needless`),
    ...listed
      .filter((name) => !names.has(name))
      .map((name) => `${name}: stands ${where}, but not in openapi.json`),
  ];
}
