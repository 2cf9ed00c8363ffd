import {
  flag,
  idempotent,
  integer,
  jobId,
  list,
  maybe,
  moment,
  needed,
  number,
  oneOf,
  orAbsent,
  paged,
  pages,
  record,
  text,
  uuid,
} from './notation';
import type { Routes } from './notation';

export const PII_TYPES = ['credit_card', 'iban', 'french_ssn', 'password_plain', 'phone_fr'];

const started = record({ jobId, message: text() });
const passphrase = needed(text({ ourMin: 1, ourMax: 1_024 }));

export const privacy: Routes = {
  'GET /api/privacy/:accountId/tracking/stats': {
    access: 'account',
    answers: 200,
    returns: record({
      trackedMessages: integer(),
      totalTrackers: integer(),
      topDomains: list(record({ domain: text(), count: integer() })),
    }),
  },
  'GET /api/privacy/:accountId/tracking': {
    access: 'account',
    query: pages(50),
    answers: 200,
    returns: record({
      items: list(
        record({
          id: uuid,
          mailbox_message_id: text(),
          subject: text(),
          sender: text(),
          date: moment,
          trackers: list(
            record({
              type: oneOf('pixel', 'utm'),
              domain: text(),
              url: orAbsent(text()),
              params: orAbsent(list(text())),
            }),
          ),
          tracker_count: integer(),
          scanned_at: moment,
        }),
      ),
      ...paged,
    }),
  },
  'POST /api/privacy/:accountId/tracking/scan': {
    access: 'account',
    headers: idempotent,
    body: { maxMessages: maybe(integer({ min: 1, max: 5_000 }), 500) },
    starts: 'scan_tracking',
    answers: 202,
    returns: started,
    refuses: [409],
  },
  'GET /api/privacy/:accountId/pii/stats': {
    access: 'account',
    answers: 200,
    returns: record({
      totalFindings: integer(),
      affectedMails: integer(),
      byType: list(record({ type: oneOf(...PII_TYPES), count: integer() })),
    }),
  },
  'GET /api/privacy/:accountId/pii': {
    access: 'account',
    query: { ...pages(50), piiType: maybe(oneOf(...PII_TYPES)) },
    answers: 200,
    returns: record({
      items: list(
        record({
          id: uuid,
          archived_mail_id: uuid,
          pii_type: oneOf(...PII_TYPES),
          count: integer(),
          snippet: text(),
          scanned_at: moment,
          subject: text(),
          sender: text(),
          date: moment,
        }),
      ),
      ...paged,
    }),
  },
  'POST /api/privacy/:accountId/pii/scan': {
    access: 'account',
    headers: idempotent,
    starts: 'scan_pii',
    answers: 202,
    returns: started,
    refuses: [409],
  },
  'GET /api/privacy/:accountId/encryption/status': {
    access: 'account',
    answers: 200,
    returns: record({
      total: integer(),
      encrypted: integer(),
      unencrypted: integer(),
      percentage: number(),
      hasEncryptionKey: flag,
    }),
  },
  'POST /api/privacy/encryption/setup': {
    access: 'user',
    body: { passphrase: needed(text({ min: 8, ourMax: 1_024 })) },
    answers: 200,
    returns: record({ ok: flag }),
    refuses: [400, 409],
    ours: [503],
  },
  'POST /api/privacy/encryption/verify': {
    access: 'user',
    body: { passphrase },
    answers: 200,
    returns: record({ valid: flag }),
    refuses: [409],
    ours: [503],
  },
  'POST /api/privacy/:accountId/encryption/encrypt': {
    access: 'account',
    headers: idempotent,
    body: { passphrase },
    starts: 'encrypt_archives',
    answers: 202,
    returns: started,
    refuses: [403, 409],
    ours: [503],
  },
  'POST /api/privacy/:accountId/encryption/decrypt-mail': {
    access: 'account',
    body: { mailId: needed(uuid), passphrase },
    answers: 200,
    returns: record({ content: text() }),
    refuses: [400, 403, 404, 409],
    ours: [503, 507],
  },
};
