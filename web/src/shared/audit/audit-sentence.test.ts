import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../i18n';
import { audit } from '../../i18n/en/audit';
import { loadTexts } from '../../i18n/texts';
import { auditSentence, type AuditEntry } from './audit-sentence';

const SOURCES = join(import.meta.dirname, '../../../../src');

/** Where the service names the actions that it records. */
const ACTIONS = [
  /\brecord\w*\(\s*'([a-z-]+\.[a-z-]+)'/g,
  /\b(?:action|audited)(?::|\s=)[^;,]*?'([a-z-]+\.[a-z-]+)'(?:[^;,]*?'([a-z-]+\.[a-z-]+)')?/g,
  /END_REFUSED = '([a-z.-]+)'/g,
];
const JOB_ACTS = /\bact: '([a-z-]+\.[a-z-]+)'/g;
const ENDS = ['started', 'resumed', 'completed', 'failed', 'cancelled'];

const serviceSources = (): string =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .join('\n');

const namesIn = (sources: string, pattern: RegExp): string[] =>
  [...sources.matchAll(pattern)].flatMap(([, ...names]) => names.filter((name) => name !== undefined));

/** Every action that the service writes: those of acts, and those of jobs with how far they are. */
function writtenActions(): string[] {
  const sources = serviceSources();
  const acts = namesIn(sources, JOB_ACTS);
  const actions = ACTIONS.flatMap((pattern) => namesIn(sources, pattern));
  return [
    ...new Set([
      ...actions.filter((action) => !acts.includes(action)),
      ...acts.flatMap((act) => ENDS.map((end) => `${act}-${end}`)),
    ]),
  ];
}

const ME = 'me';
const reader = {
  userId: ME,
  mailboxName: (id: string) => (id === 'box' ? 'ada@example.org' : undefined),
};

const anEntry = (entry: Partial<AuditEntry> & { readonly action: string }): AuditEntry => ({
  id: 'id',
  occurred_at: '2026-01-02T03:04:05Z',
  outcome: 'success',
  actor_kind: 'user',
  actor_id: ME,
  api_key_id: null,
  user_id: ME,
  mailbox_account_id: null,
  target_type: null,
  target_id: null,
  address: null,
  request_id: null,
  job_id: null,
  details: {},
  ...entry,
});
const sentence = (entry: Partial<AuditEntry> & { readonly action: string }): string | null =>
  auditSentence(anEntry(entry), reader);

describe('the sentences of the audit log', () => {
  beforeEach(() => loadTexts('audit'));
  afterEach(() => setLanguage('en'));

  it('should exist for every action that the service writes, in both languages', async () => {
    const actions = writtenActions();
    // One of each place that is read.
    expect(actions).toEqual(
      expect.arrayContaining([
        'rule.created',
        'webhook.changed',
        'account.reconnected',
        'archive.renamed',
        'audit.end-refused',
        'mails.delete-cancelled',
        'user.deleted',
        'retention.run-failed',
      ]),
    );
    const english = new Map(actions.map((action) => [action, sentence({ action })]));
    await setLanguage('fr');
    for (const action of actions) {
      const [said, french] = [english.get(action), sentence({ action })];
      expect([action, said]).toEqual([action, expect.stringMatching(/^\p{Lu}[^{}]* [^{}]*[^ {}.]$/u)]);
      expect([action, french]).toEqual([action, expect.stringMatching(/^\p{Lu}[^{}]* [^{}]*[^ {}.]$/u)]);
      expect([action, french]).not.toEqual([action, said]);
    }
  });

  it('should have no text for an action that is never written', () => {
    const written = writtenActions();
    const told = Object.entries(audit.sentences).flatMap(([subject, verbs]) =>
      Object.keys(verbs).map((verb) => `${subject}.${verb}`),
    );
    expect(told.filter((action) => !written.includes(action))).toEqual([]);
  });

  it.each([
    [
      {
        action: 'messages.bulk-completed',
        mailbox_account_id: 'box',
        details: { action: 'trash', changed: 385 },
      },
      'You moved 385 messages in ada@example.org to the trash',
      'Vous avez mis à la corbeille 385 messages dans ada@example.org',
    ],
    [
      { action: 'messages.bulk-started', details: { action: 'delete', count: 1 } },
      'You started deleting 1 message for good',
      'Vous avez lancé la suppression définitive de 1 message',
    ],
    [
      {
        action: 'mails.delete-completed',
        actor_kind: 'service' as const,
        actor_id: null,
        details: { deleted: 3 },
      },
      'Mailroom deleted 3 messages from the archive',
      'Mailroom a supprimé 3 messages de l’archive',
    ],
    [
      { action: 'mails.restore-completed', details: { inserted: 2, untrashed: 3, failed: 0 } },
      'You restored 5 messages from the archive',
      'Vous avez restauré 5 messages depuis l’archive',
    ],
    [
      { action: 'mails.archive-failed', outcome: 'failure' as const, details: { archived: 2 } },
      'Archiving messages failed',
      'L’archivage de messages a échoué',
    ],
    [
      {
        action: 'session.refused',
        actor_kind: 'anonymous' as const,
        actor_id: null,
        outcome: 'failure' as const,
      },
      'Someone tried to sign in, without success',
      'Quelqu’un a essayé d’ouvrir une session, sans succès',
    ],
    [
      { action: 'account.disconnected', mailbox_account_id: 'box' },
      'You disconnected the mailbox ada@example.org',
      'Vous avez déconnecté la boîte aux lettres ada@example.org',
    ],
    [
      { action: 'user.changed', actor_kind: 'administrator' as const, actor_id: null },
      'An administrator changed your account',
      'Un administrateur a modifié votre compte',
    ],
    [
      { action: 'rule.deleted', actor_kind: 'api-key' as const, mailbox_account_id: 'box' },
      'A program with an API key deleted a rule for ada@example.org',
      'Un programme muni d’une clé d’API a supprimé une règle pour ada@example.org',
    ],
  ])('should say what was done: %#', async (entry, english, french) => {
    expect(sentence(entry)).toBe(english);
    await setLanguage('fr');
    expect(sentence(entry)).toBe(french);
  });

  it('should name people to administrators', () => {
    const by = { actor_id: 'bob', actor_email: 'bob@example.org' };
    const about = { user_id: 'eve', user_email: 'eve@example.org' };
    expect(sentence({ action: 'user.deleted', ...about })).toBe('You deleted the account eve@example.org');
    expect(sentence({ action: 'session.opened', ...by, user_id: 'bob', user_email: 'bob@example.org' })).toBe(
      'bob@example.org signed in',
    );
    expect(sentence({ action: 'password.changed', ...by, user_id: 'bob' })).toBe(
      'bob@example.org changed the password of their own account',
    );
    expect(sentence({ action: 'webhook.deleted', ...by, ...about })).toBe(
      'bob@example.org deleted a webhook (the account eve@example.org)',
    );
  });

  it('should leave actions of a later version to their names', () => {
    expect(sentence({ action: 'later.done' })).toBeNull();
    expect(sentence({ action: 'messages.bulk-paused' })).toBeNull();
  });
});
