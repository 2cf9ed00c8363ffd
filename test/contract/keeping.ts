import {
  flag,
  formatted,
  idempotent,
  integer,
  jobId,
  list,
  maybe,
  moment,
  needed,
  oneOf,
  orAbsent,
  orNull,
  ours,
  partial,
  record,
  text,
  uuid,
  withPassphrase,
} from './notation';
import type { Asked, Routes } from './notation';

const success = record({ success: flag });

const region = maybe(text({ ourMax: 64 }), 'us-east-1');
const bucket = maybe(text({ ourMin: 3, ourMax: 63 }), 'mailroom-archives');
const endpoint = text({ ourMax: 2_048 });
const keyId = text({ ourMax: 256 });
const secret = text({ ourMax: 1_024 });
const forcePathStyle = maybe(flag, true);

export const storage: Routes = {
  'GET /api/storage/config': {
    access: 'user',
    answers: 200,
    /** Without a configuration there is `type` alone. */
    returns: record({
      type: oneOf('local', 'objstore'),
      id: orAbsent(uuid),
      objstore_endpoint: orAbsent(text()),
      objstore_region: orAbsent(text()),
      objstore_bucket: orAbsent(text()),
      objstore_force_path_style: orAbsent(flag),
      created_at: orAbsent(moment),
      updated_at: orAbsent(moment),
    }),
  },
  'PUT /api/storage/config': {
    access: 'user',
    body: {
      type: needed(oneOf('local', 'objstore')),
      // Required if the type is objstore.
      objstoreEndpoint: maybe(endpoint),
      objstoreRegion: region,
      objstoreBucket: bucket,
      objstoreAccessKeyId: maybe(keyId),
      objstoreSecretAccessKey: maybe(secret),
      objstoreForcePathStyle: forcePathStyle,
    },
    answers: 200,
    returns: success,
  },
  'POST /api/storage/test-objstore': {
    access: 'user',
    body: {
      endpoint: needed(endpoint),
      region,
      bucket,
      accessKeyId: needed(keyId),
      secretAccessKey: needed(secret),
      forcePathStyle,
    },
    answers: 200,
    returns: record({ success: flag, error: orAbsent(text()) }),
  },
};

const policy = record(
  {
    id: uuid,
    user_id: uuid,
    mailbox_account_id: orNull(uuid),
    name: text(),
    label: orNull(text()),
    max_age_days: integer(),
    is_active: flag,
    last_run_at: orNull(moment),
    deleted_count: integer(),
    created_at: moment,
    updated_at: moment,
  },
  { include_offloaded: flag },
);

const policyFields: Record<string, Asked> = {
  name: needed(text({ ourMin: 1, ourMax: 255 })),
  mailboxAccountId: maybe(orNull(uuid)),
  label: maybe(orNull(text({ ourMin: 1, ourMax: 255 }))),
  maxAgeDays: needed(integer({ min: 1, ourMax: 36_500 })),
  isActive: maybe(flag, true),
  includeOffloaded: ours(maybe(flag, false)),
};

export const retention: Routes = {
  'GET /api/retention': { access: 'user', answers: 200, returns: list(policy) },
  'POST /api/retention': {
    access: 'user',
    body: policyFields,
    answers: 201,
    returns: policy,
    refuses: [403],
    ours: [409],
  },
  'PUT /api/retention/:policyId': {
    access: 'user',
    body: partial(policyFields),
    answers: 200,
    returns: policy,
    refuses: [400, 403, 404],
  },
  'DELETE /api/retention/:policyId': {
    access: 'user',
    answers: 204,
    returns: 'nothing',
    refuses: [400, 404],
  },
  'POST /api/retention/run': {
    access: 'user',
    answers: 200,
    returns: record(
      { policiesRun: integer(), totalDeleted: integer() },
      { warnings: list(record({ policyId: uuid, accountId: uuid, code: text(), message: text() })) },
    ),
  },
};

export const imports: Routes = {
  'POST /api/import/:accountId/mbox': {
    access: 'account',
    headers: idempotent,
    bodyType: 'multipart/form-data',
    body: { file: needed(text()) },
    starts: 'import_mbox',
    answers: 202,
    returns: record({ jobId }),
    refuses: [409, 413, 415],
    ours: [408, 507],
  },
  'POST /api/import/:accountId/imap': {
    access: 'account',
    headers: idempotent,
    body: {
      host: needed(text({ ourMin: 1, ourMax: 253 })),
      port: maybe(orNull(integer({ min: 1, max: 65_535 })), 993),
      secure: maybe(orNull(flag), true),
      user: needed(text({ ourMin: 1, ourMax: 512 })),
      pass: needed(text({ ourMin: 1, ourMax: 1_024 })),
      folder: maybe(orNull(text({ ourMin: 1, ourMax: 512 })), 'INBOX'),
      maxMessages: maybe(orNull(integer({ ourMin: 1, ourMax: 2_147_483_647 }))),
    },
    starts: 'import_imap',
    answers: 202,
    returns: record({ jobId }),
    refuses: [409],
  },
  'POST /api/import/:accountId/export-mbox': {
    access: 'account',
    headers: withPassphrase,
    body: { mailIds: maybe(orNull(list(formatted('uuid'), { ourMin: 1, ourMax: 50_000 }))) },
    answers: 200,
    type: 'application/mbox',
    returns: 'bytes',
    refuses: [404, 409],
    ours: [503, 507],
  },
};
