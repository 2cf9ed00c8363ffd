import {
  flag,
  idempotent,
  integer,
  jobId,
  list,
  maybe,
  needed,
  oneOf,
  open,
  orNull,
  ours,
  record,
  text,
  upTo,
  uuid,
} from './notation';
import type { Routes } from './notation';

const summary = {
  id: text(),
  subject: text(),
  from: text(),
  /** As the message's header has it. */
  date: text(),
  sizeEstimate: integer(),
  snippet: text(),
  labelIds: list(text()),
  hasAttachments: flag,
};

const label = record({
  id: text(),
  name: text(),
  type: oneOf('system', 'user'),
  messagesTotal: orNull(integer()),
  messagesUnread: orNull(integer()),
});

/** What live routes answer when the account is to be connected again or switched off, and when the provider fails. */
const live = { refuses: [409, 503] };
const ofMessage = { refuses: [404, 409, 503] };
/** A message that the provider hands out in part only is refused. */
const ofBytes = { ...ofMessage, ours: [502] };

/** `move` is the service's own. */
export const BULK_ACTIONS = [
  ...['trash', 'delete', 'archive', 'label', 'unlabel', 'mark_read', 'mark_unread'],
  'move',
];

export const mailbox: Routes = {
  'GET /api/mailbox/:accountId/profile': {
    access: 'account',
    answers: 200,
    returns: record({
      emailAddress: text(),
      messagesTotal: integer(),
      threadsTotal: integer(),
      historyId: text(),
    }),
    ...live,
  },
  'GET /api/mailbox/:accountId/messages': {
    access: 'account',
    query: {
      q: maybe(text({ ourMax: 2_000 })),
      pageToken: maybe(text({ ourMin: 1, ourMax: 1_024 })),
      maxResults: maybe(upTo({ max: 500 }), 50),
    },
    answers: 200,
    returns: record({
      messages: list(record({ id: text(), threadId: text() })),
      nextPageToken: orNull(text()),
      resultSizeEstimate: integer(),
    }),
    ...live,
  },
  'GET /api/mailbox/:accountId/messages/:messageId': {
    access: 'account',
    answers: 200,
    returns: record({ ...summary, threadId: text(), to: text() }),
    ...ofMessage,
  },
  'GET /api/mailbox/:accountId/messages/:messageId/full': {
    access: 'account',
    answers: 200,
    returns: open,
    ...ofBytes,
  },
  'GET /api/mailbox/:accountId/messages/:messageId/attachments/:partId': {
    access: 'account',
    answers: 200,
    type: 'application/octet-stream',
    returns: 'bytes',
    ...ofBytes,
  },
  'POST /api/mailbox/:accountId/messages/batch': {
    access: 'account',
    body: { ids: needed(list(text(), { ourMin: 1, max: 100 })) },
    answers: 200,
    returns: list(record(summary)),
    ...live,
  },
  'POST /api/mailbox/:accountId/messages/bulk': {
    access: 'account',
    headers: idempotent,
    body: {
      action: needed(oneOf(...BULK_ACTIONS)),
      // Needed, unless a selection takes their place.
      messageIds: maybe(list(text(), { min: 1, max: 50_000 })),
      selectionId: ours(maybe(uuid)),
      confirmedCount: ours(maybe(integer({ ourMin: 1, ourMax: 50_000 }))),
      labelId: maybe(text({ ourMin: 1, ourMax: 255 })),
    },
    starts: 'bulk_operation',
    answers: 202,
    returns: record({ jobId, message: text() }),
    ...live,
  },
  'GET /api/mailbox/:accountId/labels': {
    access: 'account',
    query: { counts: ours(maybe(flag, true)) },
    answers: 200,
    returns: list(label),
    ...live,
  },
  'POST /api/mailbox/:accountId/labels': {
    access: 'account',
    body: { name: needed(text({ ourMin: 1, ourMax: 225 })) },
    answers: 201,
    returns: label,
    ...live,
  },
  'DELETE /api/mailbox/:accountId/labels/:labelId': {
    access: 'account',
    answers: 204,
    returns: 'nothing',
    refuses: [400, 404, 409, 503],
  },
};
