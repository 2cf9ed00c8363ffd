import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const DOCUMENT = join(import.meta.dirname, '../../../openapi.json');

/** Operations that no page uses, each with its reason. Everything else a person can do here. */
const FOR_PROGRAMS: Readonly<Record<string, string>> = {
  'health.live': 'a probe of the container',
  'health.ready': 'a probe of the container',
  'mailboxAccounts.callback': 'the provider leads the browser there',
  'singleSignOn.callback': 'the identity provider leads the browser there',
  'singleSignOn.login': 'a link whose address `auth.config` has',
  'auth.refresh': 'called by the SDK when a session has to be renewed',
  'auth.logout': 'called by `signOut` of the SDK',
  'auth.getPreferences': '`auth.me` has them',
  'liveUpdates.stream': 'opened as an event stream, by its address',
  'jobs.streamAll': 'part of the one stream of live updates',
  'jobs.streamOne': 'part of the one stream of live updates',
  'notifications.streamToasts': 'part of the one stream of live updates',
  'mailbox.getFullMessage': 'the raw structure of the provider; people read safe HTML',
  'archive.exportZip': 'fills the memory of a page; pages use `archive.prepareExport`',
  'import.exportMbox': 'fills the memory of a page; pages use `archive.prepareExport`',
  'archive.exportMailbox':
    'a Maildir for other programs, which a page would have to hold in memory: `curl`, see docs/restore.md',
  'offload.listReceipts': 'pages list the plans, of which those that are done link to their receipts',
  'rules.createFromTemplate': 'names the rule in English; pages create it in the language of the page',
  'quota.cleanUp': 'the service does it every night',
  'import.importMbox': 'one request; pages send files in chunks that can be resumed',
  'import.createUpload': 'called by `uploadFile` of the SDK',
  'import.getUpload': 'called by `uploadFile` of the SDK',
  'import.uploadChunk': 'called by `uploadFile` of the SDK',
  'import.completeUpload': 'called by `uploadFile` of the SDK',
  'privacy.verifyPassphrase': 'a passphrase is tried by opening what it opens',
  'privacy.decryptMail': 'pages read encrypted mail by the routes of other mail, with a header',
};

const operations = (): string[] => {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId }) => operationId ?? []);
};

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join(SOURCES, file), 'utf8'));

const isUsed = (operation: string): boolean =>
  sources.some((source) => source.includes(`'${operation}'`) || source.includes(`mailroom.${operation}(`));

describe('the operations of the interface', () => {
  it('should all be used by a page, or be marked as API only', () => {
    const missing = operations().filter((operation) => !isUsed(operation) && !(operation in FOR_PROGRAMS));
    expect(missing).toEqual([]);
  });

  it('should be marked as API only while no page uses them', () => {
    const known = new Set(operations());
    const wrong = Object.keys(FOR_PROGRAMS).filter((operation) => !known.has(operation) || isUsed(operation));
    expect(wrong).toEqual([]);
  });
});
