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
  orNull,
  ours,
  paged,
  pages,
  record,
  text,
  upTo,
  uuid,
  withPassphrase,
} from './notation';
import type { Asked, Routes, Shape } from './notation';

const attachment = { id: uuid, filename: text(), mime_type: text(), size_bytes: integer() };

const listedMail = {
  id: uuid,
  mailbox_message_id: text(),
  subject: text(),
  sender: text(),
  date: moment,
  size_bytes: integer(),
  has_attachments: flag,
  label_ids: list(text()),
  archived_at: moment,
};

/** Ours in every record: what the coverage ledger knows. */
const presence = { presence: orNull(oneOf('mailbox', 'trash', 'gone')), only_in_archive: flag };

/** Ours in lists. */
const listedBesides = {
  thread_id: text(),
  recipient: text(),
  snippet: text(),
  is_encrypted: flag,
  ...presence,
};

const headers: Record<string, Shape> = {
  thread_id: text(),
  recipient: text(),
  in_reply_to: orNull(text()),
  references_header: orNull(text()),
};

const size = { ourMin: 0, ourMax: Number.MAX_SAFE_INTEGER };

const filters: Record<string, Asked> = {
  q: maybe(text({ ourMax: 2_000 })),
  sender: maybe(text({ ourMax: 998 })),
  /** A date or a date and time, ISO 8601. */
  from_date: maybe(text()),
  to_date: maybe(text()),
  has_attachments: maybe(flag),
  recipient: ours(maybe(text({ ourMax: 998 }))),
  label: ours(maybe(text({ ourMax: 998 }))),
  min_size: ours(maybe(integer(size))),
  max_size: ours(maybe(integer(size))),
  encrypted: ours(maybe(flag)),
  only_in_archive: ours(maybe(flag)),
  archived_until: ours(maybe(text())),
};

const order: Record<string, Asked> = {
  sort: ours(maybe(oneOf('date', 'size', 'sender', 'subject'), 'date')),
  order: ours(maybe(oneOf('desc', 'asc'), 'desc')),
};

const range = { Range: ours(maybe(text())) };
const ofEncrypted = { refuses: [404, 409], ours: [416, 503, 507] };

export const archive: Routes = {
  'GET /api/archive/:accountId/mails': {
    access: 'account',
    query: { ...filters, ...order, ...pages(50) },
    answers: 200,
    returns: record(
      { mails: list(record(listedMail, listedBesides)), ...paged },
      { archived_until: orNull(moment) },
    ),
  },
  'GET /api/archive/:accountId/facets': {
    access: 'account',
    query: filters,
    answers: 200,
    returns: record({
      total: integer(),
      total_size: integer(),
      with_attachments: integer(),
      encrypted: integer(),
      labels: list(record({ id: text(), name: text(), count: integer() }), { max: 1_000 }),
      senders: list(record({ address: text(), sender: text(), count: integer(), total_size: integer() }), {
        max: 50,
      }),
      months: list(record({ month: formatted('month'), count: integer() }), { max: 1_200 }),
    }),
  },
  'GET /api/archive/:accountId/mails/:mailId': {
    access: 'account',
    answers: 200,
    returns: record(
      {
        ...listedMail,
        ...headers,
        snippet: text(),
        is_encrypted: flag,
        sha256: text(),
        emlContent: orNull(text()),
        attachments: list(record({ ...attachment, file_path: text() })),
      },
      { defects: list(text()), ...presence },
    ),
    refuses: [404],
    // A store that will not have us any more, or no room for what it sends.
    ours: [409, 507],
  },
  'GET /api/archive/:accountId/mails/:mailId/eml': {
    access: 'account',
    headers: { ...withPassphrase, ...range },
    answers: 200,
    type: 'message/rfc822',
    returns: 'bytes',
    ...ofEncrypted,
  },
  'GET /api/archive/:accountId/attachments/:attachmentId/download': {
    access: 'account',
    headers: { ...withPassphrase, ...range },
    answers: 200,
    type: 'application/octet-stream',
    returns: 'bytes',
    ...ofEncrypted,
  },
  'POST /api/archive/:accountId/archive': {
    access: 'account',
    headers: idempotent,
    body: {
      messageIds: maybe(orNull(list(text(), { ourMin: 1, ourMax: 50_000 }))),
      query: maybe(orNull(text({ ourMin: 1, ourMax: 2_000 }))),
      selectionId: ours(maybe(orNull(uuid))),
      confirmedCount: ours(maybe(orNull(integer({ ourMin: 1, ourMax: 50_000 })))),
      differential: maybe(flag, true),
    },
    starts: 'archive_mails',
    answers: 202,
    returns: record({ jobId }),
    refuses: [409],
  },
  'POST /api/archive/:accountId/export-zip': {
    access: 'account',
    query: { compress: maybe(flag, false) },
    headers: withPassphrase,
    body: { mailIds: needed(list(formatted('uuid'), { min: 1, max: 10_000 })) },
    answers: 200,
    type: 'application/zip',
    returns: 'bytes',
    refuses: [404, 409],
    ours: [503, 507],
  },
  'GET /api/archive/:accountId/threads': {
    access: 'account',
    query: { ...filters, ...pages(50) },
    answers: 200,
    returns: record({
      threads: list(
        record({
          thread_id: text(),
          message_count: integer(),
          latest_date: moment,
          senders: list(text()),
          total_size: integer(),
          has_attachments: flag,
          id: uuid,
          subject: text(),
          sender: text(),
          snippet: text(),
          date: moment,
          archived_at: moment,
        }),
      ),
      ...paged,
    }),
  },
  'GET /api/archive/:accountId/threads/:threadId': {
    access: 'account',
    answers: 200,
    returns: list(
      record(
        { ...listedMail, ...headers, attachments: list(record(attachment)) },
        { snippet: text(), is_encrypted: flag, ...presence },
      ),
    ),
    refuses: [404],
  },
};

export const attachments: Routes = {
  'GET /api/attachments/:accountId/archived': {
    access: 'account',
    query: {
      ...pages(50),
      sort: maybe(oneOf('size', 'date'), 'size'),
      order: maybe(oneOf('desc', 'asc'), 'desc'),
      q: maybe(text({ ourMax: 500 })),
    },
    answers: 200,
    returns: record({
      attachments: list(
        record({
          ...attachment,
          file_path: text(),
          mail_subject: text(),
          mail_sender: text(),
          mail_date: moment,
          mailbox_message_id: text(),
          archived_mail_id: uuid,
        }),
      ),
      totalSizeBytes: integer(),
      ...paged,
    }),
  },
  'GET /api/attachments/:accountId/live': {
    access: 'account',
    query: { maxResults: maybe(upTo({ max: 500 }), 200) },
    answers: 200,
    returns: record({
      attachments: list(
        record(
          {
            messageId: text(),
            filename: text(),
            mimeType: text(),
            sizeBytes: integer(),
            mailSubject: text(),
            mailSender: text(),
            mailDate: moment,
            mailSizeEstimate: integer(),
          },
          { partId: text() },
        ),
      ),
      totalSizeBytes: integer(),
    }),
    refuses: [409, 503],
  },
};
