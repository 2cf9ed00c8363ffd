import { Operation, propertiesOf } from './operations';
import type { ValidRequest } from './requests';
import type { World } from './world';

/** A field of a query or a body that names a resource, and what becomes of naming somebody else's. */
export interface Reference {
  readonly key: string;
  readonly field: string;
  /** A stranger's valid request, with the owner's resource in its place. */
  readonly change: (request: ValidRequest, owner: World) => ValidRequest;
  /** What the answer is like; in none is anything of the owner's. */
  readonly answer: { readonly status: number; readonly body: unknown };
}

/** Names of fields that hold ids. */
const NAMES_RESOURCES = /(^|\.|\[\])(ids?|\w+(Id|Ids)|before|pageToken|templateId)$/;

/** Fields of that name that lead to no user's resource. */
const HARMLESS = [
  // Credentials of somebody else's store.
  'PUT /api/storage/config objstoreAccessKeyId',
  'POST /api/storage/test-objstore accessKeyId',
  // The same for all.
  'POST /api/rules/{accountId}/from-template templateId',
  // For administrators, who see everybody's.
  'GET /api/admin/audit userId',
  'GET /api/admin/audit actorId',
  'GET /api/admin/audit accountId',
];

const inBody =
  (fields: (owner: World) => object) =>
  (request: ValidRequest, owner: World): ValidRequest => ({
    ...request,
    body: { ...(request.body as object), ...fields(owner) },
  });
const inQuery =
  (fields: (owner: World) => Record<string, string>) =>
  (request: ValidRequest, owner: World): ValidRequest => ({
    ...request,
    query: { ...request.query, ...fields(owner) },
  });
const problem = (status: number, code: string): Reference['answer'] => ({ status, body: { status, code } });
const invalid = (field: string): Reference['answer'] => ({ status: 400, body: { errors: [{ field }] } });
const NOT_OWNED = problem(403, 'account-not-owned');
/** A job starts, and finds nothing. */
const STARTED: Reference['answer'] = { status: 202, body: {} };

const messageIds = ({ parameters }: World): object => ({ messageIds: [parameters['messageId']] });
const selected = ({ selectionId }: World): object => ({
  messageIds: undefined,
  query: undefined,
  selectionId,
  confirmedCount: 1,
});
const mailIds = ({ parameters }: World): object => ({ mailIds: [parameters['mailId']] });
const labelled = ({ parameters }: World): object => ({
  action: { type: 'label', labelId: parameters['labelId'] },
});
const selecting =
  (select: (owner: World) => object) =>
  (request: ValidRequest, owner: World): ValidRequest => ({
    ...request,
    body: { ...(request.body as object), select: select(owner) },
  });
const ofAccount = ({ accountId }: World): object => ({ mailboxAccountId: accountId });

export const REFERENCES: readonly Reference[] = [
  {
    key: 'GET /api/auth/mailbox/connect',
    field: 'accountId',
    change: inQuery(({ accountId }) => ({ accountId })),
    answer: NOT_OWNED,
  },
  {
    key: 'POST /api/auth/mailbox/imap',
    field: 'accountId',
    change: inBody(({ accountId }) => ({ accountId })),
    answer: NOT_OWNED,
  },
  {
    key: 'POST /api/auth/mailbox/imap/test',
    field: 'accountId',
    change: inBody(({ accountId }) => ({ accountId })),
    answer: NOT_OWNED,
  },
  {
    key: 'GET /api/mailbox/{accountId}/messages',
    field: 'pageToken',
    change: inQuery(({ pageToken }) => ({ pageToken })),
    answer: { status: 200, body: { messages: expect.any(Array) as unknown } },
  },
  {
    key: 'POST /api/mailbox/{accountId}/messages/batch',
    field: 'ids',
    change: inBody(({ parameters }) => ({ ids: [parameters['messageId']] })),
    answer: { status: 200, body: [] },
  },
  {
    key: 'POST /api/mailbox/{accountId}/messages/bulk',
    field: 'messageIds',
    change: inBody(messageIds),
    answer: STARTED,
  },
  {
    // The ledger of the account does not know it.
    key: 'POST /api/coverage/{accountId}/deletable',
    field: 'messageIds',
    change: inBody(messageIds),
    answer: { status: 200, body: { yes: 0, no: 1 } },
  },
  {
    key: 'POST /api/mailbox/{accountId}/messages/bulk',
    field: 'selectionId',
    change: inBody(selected),
    answer: problem(409, 'selection-expired'),
  },
  {
    key: 'POST /api/mailbox/{accountId}/messages/bulk',
    field: 'labelId',
    change: inBody(({ parameters }) => ({ labelId: parameters['labelId'] })),
    answer: invalid('labelId'),
  },
  {
    key: 'GET /api/archive/search',
    field: 'accountId',
    change: inQuery(({ accountId }) => ({ accountId })),
    answer: NOT_OWNED,
  },
  {
    key: 'GET /api/jobs',
    field: 'accountId',
    change: inQuery(({ accountId }) => ({ accountId })),
    answer: NOT_OWNED,
  },
  {
    // The record's id; the number of a jobId is only a place in the list.
    key: 'GET /api/jobs',
    field: 'before',
    change: inQuery(({ jobRecordId }) => ({ before: jobRecordId })),
    answer: invalid('before'),
  },
  {
    // It finds no copies.
    key: 'POST /api/offload/{accountId}/plans',
    field: 'select.messageIds',
    change: inBody((world) => ({ select: messageIds(world) })),
    answer: STARTED,
  },
  {
    key: 'POST /api/offload/{accountId}/plans',
    field: 'select.ruleId',
    change: inBody(({ parameters }) => ({ select: { ruleId: parameters['ruleId'] } })),
    answer: invalid('select.ruleId'),
  },
  {
    key: 'PUT /api/offload/{accountId}/schedule',
    field: 'select.messageIds',
    change: inBody((world) => ({ select: messageIds(world) })),
    answer: { status: 200, body: { isActive: false } },
  },
  {
    key: 'PUT /api/offload/{accountId}/schedule',
    field: 'select.ruleId',
    change: inBody(({ parameters }) => ({ select: { ruleId: parameters['ruleId'] } })),
    answer: invalid('select.ruleId'),
  },
  {
    key: 'POST /api/archive/{accountId}/archive',
    field: 'messageIds',
    change: inBody(messageIds),
    answer: STARTED,
  },
  {
    key: 'POST /api/archive/{accountId}/archive',
    field: 'selectionId',
    change: inBody(selected),
    answer: problem(409, 'selection-expired'),
  },
  {
    key: 'POST /api/archive/{accountId}/export-zip',
    field: 'mailIds',
    change: inBody(mailIds),
    answer: problem(404, 'mail-not-found'),
  },
  {
    key: 'POST /api/archive/{accountId}/exports',
    field: 'mailIds',
    change: inBody(mailIds),
    answer: problem(404, 'mail-not-found'),
  },
  {
    key: 'POST /api/archive/{accountId}/delete',
    field: 'mailIds',
    change: inBody(mailIds),
    answer: problem(404, 'mail-not-found'),
  },
  {
    key: 'POST /api/archive/{accountId}/export-mailbox',
    field: 'select.mailIds',
    change: selecting(mailIds),
    answer: problem(404, 'mail-not-found'),
  },
  {
    key: 'POST /api/archive/{accountId}/export-mailbox',
    field: 'select.threadIds',
    change: selecting(({ parameters }) => ({ threadIds: [parameters['threadId']] })),
    answer: { status: 200, body: undefined },
  },
  {
    key: 'POST /api/archive/{accountId}/export-mailbox',
    field: 'select.planId',
    change: selecting(({ parameters }) => ({ planId: parameters['restoreId'] })),
    answer: { status: 200, body: undefined },
  },
  {
    key: 'POST /api/restore/{accountId}',
    field: 'select.mailIds',
    change: selecting(mailIds),
    answer: problem(404, 'mail-not-found'),
  },
  {
    key: 'POST /api/restore/{accountId}',
    field: 'select.threadIds',
    change: selecting(({ parameters }) => ({ threadIds: [parameters['threadId']] })),
    answer: STARTED,
  },
  {
    key: 'POST /api/restore/{accountId}',
    field: 'select.planId',
    change: selecting(({ parameters }) => ({ planId: parameters['restoreId'] })),
    answer: STARTED,
  },
  {
    key: 'POST /api/restore/{accountId}',
    field: 'target.accountId',
    change: inBody(({ accountId }) => ({ target: { accountId } })),
    answer: NOT_OWNED,
  },
  {
    key: 'POST /api/import/{accountId}/export-mbox',
    field: 'mailIds',
    change: inBody(mailIds),
    answer: problem(404, 'mail-not-found'),
  },
  {
    key: 'POST /api/retention',
    field: 'mailboxAccountId',
    change: inBody(ofAccount),
    answer: NOT_OWNED,
  },
  {
    key: 'PUT /api/retention/{policyId}',
    field: 'mailboxAccountId',
    change: inBody(ofAccount),
    answer: NOT_OWNED,
  },
  {
    key: 'PUT /api/saved-searches/reorder',
    field: 'ids',
    change: inBody(({ parameters, secondSearchId }) => ({ ids: [secondSearchId, parameters['searchId']] })),
    answer: problem(404, 'saved-search-not-found'),
  },
  {
    key: 'POST /api/rules/{accountId}',
    field: 'action.labelId',
    change: inBody(labelled),
    answer: invalid('action.labelId'),
  },
  {
    key: 'PUT /api/rules/{accountId}/{ruleId}',
    field: 'action.labelId',
    change: inBody(labelled),
    answer: invalid('action.labelId'),
  },
  {
    key: 'POST /api/auth/api-keys',
    field: 'accountIds',
    change: inBody(({ accountId }) => ({ accountIds: [accountId] })),
    answer: NOT_OWNED,
  },
  {
    key: 'POST /api/privacy/{accountId}/encryption/decrypt-mail',
    field: 'mailId',
    change: inBody(({ encryptedMailId }) => ({ mailId: encryptedMailId })),
    answer: problem(404, 'mail-not-found'),
  },
];

/** Fields that look like references and that nobody has decided about, and decisions about fields there are not. */
export function undecidedReferences(operations: readonly Operation[]): string[] {
  const found = operations.flatMap(({ key, query, body }) =>
    [...query.map(({ name }) => name), ...(body ? propertiesOf(body) : [])]
      .filter((field) => NAMES_RESOURCES.test(field))
      .map((field) => `${key} ${field}`),
  );
  const decided = [...REFERENCES.map(({ key, field }) => `${key} ${field}`), ...HARMLESS];
  return [
    ...found
      .filter((field) => !decided.includes(field))
      .map((field) => `${field}: say in test/support/world/references.ts what naming somebody else's does`),
    ...decided.filter((field) => !found.includes(field)).map((field) => `${field}: there is no such field`),
  ];
}
