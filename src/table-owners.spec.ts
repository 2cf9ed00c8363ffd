import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * A table belongs to the folder of its entity, and the other folders ask its owner. Listed are the exceptions: single
 * statements that join rows of several owners, or lock a row of another owner while they write their own.
 */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  // Rows that exist for active users only, or as long as the user does.
  'identity/api-keys': ['reads users'],
  'platform/audit': ['reads users'],
  'platform/events': ['reads users'],
  'platform/jobs': ['reads users'],
  'mailbox/accounts': ['reads users'],
  'notify/notifications': ['reads events', 'reads users'],
  'cleanup/rules': ['reads jobs', 'reads mailbox_accounts', 'reads users'],
  'identity/sessions': ['reads users'],
  'notify/webhooks': ['reads users'],
  // Rows that exist as long as the account does.
  'providers/imap': ['reads mailbox_accounts'],
  'archive/mails': [
    'reads imap_messages',
    'reads imap_places',
    'reads label_names',
    'reads ledger_messages',
    'reads mailbox_accounts',
    'reads restored_backups',
    'reads users',
  ],
  // A file that a mail names is never deleted.
  'archive/files': ['reads archived_mails'],
  // Nothing is kept of the body of a message whose archived copy is encrypted.
  'mailbox/index': ['reads archived_mails'],
  // The journal of a job's changes lives as long as the job and the account.
  'mailbox/bulk': ['reads jobs', 'reads mailbox_accounts'],
  // Messages are archived or not, and as large as their index says; what is said holds at the cursor of the index.
  // The health of each account is read in one statement; settings and ledger share a row lock.
  'keep/continuous': [
    'reads archive_totals',
    'reads archived_mails',
    'reads imap_folders',
    'reads mailbox_accounts',
    'reads mailbox_index_states',
    'reads mailbox_messages',
    'reads storage_quota_levels',
    'reads users',
  ],
  // Lists that show the mail of each row.
  'archive/attachments': [
    'reads archive_totals',
    'reads archived_attachments',
    'reads archived_mails',
    'reads mailbox_accounts',
  ],
  'privacy/pii': ['reads archived_mails'],
  // All that `auth/me` shows in one statement.
  'operations/profile': ['reads archive_totals', 'reads mailbox_accounts', 'reads users'],
  // Threads are looked up and locked with the archive.
  'archive/imports': [
    'reads archive_totals',
    'reads archived_mails',
    'reads jobs',
    'reads mailbox_accounts',
    'reads users',
  ],
  // The account and the user of a recipient, in one look-up for each.
  'archive/journal': ['reads mailbox_accounts', 'reads users'],
  // Each mail of a restore with its row in the archive, and whether the last job of a restore has ended.
  'keep/restore': ['reads archived_mails', 'reads jobs'],
  // Jobs that are due or running.
  'keep/integrity': [
    'reads archive_totals',
    'reads archived_mails',
    'reads jobs',
    'reads mailbox_accounts',
    'reads users',
  ],
  'archive/retention': [
    'reads archiving_settings',
    'reads jobs',
    'reads mailbox_accounts',
    'reads restored_backups',
    'reads users',
  ],
  // Plans with the state of their jobs and what the archive has of their messages; schedules of mailboxes in use.
  'keep/offload': ['reads archived_mails', 'reads jobs', 'reads mailbox_accounts', 'reads users'],
  // Deletion of accounts and users, in one transaction.
  'operations/account-deletion': [
    'reads jobs',
    'reads mailbox_accounts',
    'reads restore_items',
    'reads restores',
    'reads users',
    'writes restore_items',
  ],
  'operations/user-deletion': ['reads jobs', 'reads users', 'reads webhooks'],
  // Figures over everything.
  'operations/admin': ['reads archive_totals', 'reads jobs', 'reads mailbox_accounts', 'reads users'],
  'operations/reports': [
    'reads archive_totals',
    'reads archived_mails',
    'reads archived_senders',
    'reads events',
    'reads jobs',
    'reads mailbox_accounts',
    'reads users',
  ],
  // Copies and restores tables as they are.
  'operations/backup': [
    'reads archived_attachment_pages',
    'reads archived_attachments',
    'reads archived_mail_passages',
    'reads archived_mail_words',
    'reads archived_mails',
    'reads encryption_passphrases',
    'reads notification_preferences',
    'reads retention_policies',
    'reads rules',
    'reads storage_configurations',
    'reads users',
    'reads webhooks',
    'writes archived_mails',
    'writes jobs',
    'writes mailbox_accounts',
    'writes notifications',
    'writes restored_backups',
    'writes storage_configurations',
  ],
  // Usage is added up for each account, by its provider.
  'providers/gateway': ['reads imap_accounts', 'reads mailbox_accounts'],
  // An account that has been deleted gets no labels.
  'mailbox/labels': ['reads mailbox_accounts'],
};

const ROOT = __dirname;

interface Access {
  readonly file: string;
  readonly table: string;
  readonly isWrite: boolean;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), source: readFileSync(join(ROOT, file), 'utf8') }));

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Tables by the name of their entity. */
const entities = new Map(
  files
    .filter(({ file }) => file.endsWith('.entity.ts'))
    .flatMap(({ file, source }) =>
      [...source.matchAll(/@Entity\('([a-z_]+)'[^]*?export class (\w+)/g)].map(
        ([, table, entity]) => [entity!, { table: table!, owner: folderOf(file) }] as const,
      ),
    ),
);
const owners = new Map([...entities.values()].map(({ table, owner }) => [table, owner]));

const READ = /\b(?:FROM|JOIN|USING)\s+(?:ONLY\s+)?([a-z_]+)\b/g;
const WRITE = /\b(?:INTO|UPDATE|DELETE FROM|COPY|TRUNCATE)\s+(?:ONLY\s+)?([a-z_]+)\b/g;

/** The text of every string and template of a file; comments and code are left out. */
function literalsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? '));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts;
}

function accessesOf({ file, source }: (typeof files)[number]): Access[] {
  const texts = literalsOf(file, source);
  const named = (pattern: RegExp, isWrite: boolean): Access[] =>
    texts.flatMap((text) =>
      [...text.matchAll(pattern)].map(([, table]) => ({ file, table: table!, isWrite })),
    );
  const mapped = [...source.matchAll(/(?:getRepository\(|super\(\w+, )(\w+Entity)\)/g)].flatMap(
    ([, entity]) => {
      const known = entities.get(entity!);
      return known ? [{ file, table: known.table, isWrite: false }] : [];
    },
  );
  return [...named(READ, false), ...named(WRITE, true), ...mapped];
}

describe('Tables', () => {
  const foreign = files.flatMap(accessesOf).filter(({ file, table }) => {
    const owner = owners.get(table);
    return owner !== undefined && owner !== folderOf(file);
  });
  const uses = foreign.map(
    ({ file, table, isWrite }) => `${folderOf(file)} ${isWrite ? 'writes' : 'reads'} ${table}`,
  );

  it('should be found', () => {
    expect(owners.size).toBeGreaterThan(40);
    expect(owners.get('archived_mails')).toBe('archive/mails');
  });

  it('should be used by their owners and by listed statements only', () => {
    const listed = Object.entries(LISTED).flatMap(([folder, some]) => some.map((use) => `${folder} ${use}`));
    expect([...new Set(uses)].toSorted()).toEqual(listed.toSorted());
  });
});
