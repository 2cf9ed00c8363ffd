import type { Schemas } from '@mailroom/sdk';
import { hasText, i18next } from '../../i18n';
import type { audit } from '../../i18n/en/audit';

type Texts = typeof audit;

/** An entry as users see it, with the addresses that administrators see as well. */
export type AuditEntry = Schemas['AuditEntryResponse'] &
  Partial<Pick<Schemas['AdminAuditEntryResponse'], 'actor_email' | 'user_email' | 'sequence' | 'hash'>>;

/** The reader of the log, and the names of the mailboxes that they know. */
export interface AuditReader {
  readonly userId: string;
  readonly mailboxName: (accountId: string) => string | undefined;
}

/** Facts that hold the number of messages of an act, the most telling first. */
const NUMBERS = [
  'changed',
  'archived',
  'deleted',
  'imported',
  'trashed',
  'restored',
  'totalDeleted',
  'count',
  'messages',
  'processed',
] as const;

/** Acts on messages of the mailbox; others are about the archive. */
const IN_MAILBOX = /^(messages|rule)\./;

/**
 * The sentence of an entry of the audit log: who did what to what. Null for an action that is not known here. The texts of `audit`
 * have to be loaded.
 */
export function auditSentence(entry: AuditEntry, reader: AuditReader): string | null {
  const { action } = entry;
  const slots = slotsOf(entry, reader);
  const said = hasText(`audit.sentences.${action}`)
    ? say(`sentences.${action}`, { ...slots, messages: messagesText(entry, slots.place, 'theMessages') })
    : jobSentence(entry, slots);
  if (said === null) return null;
  const isTheirs = entry.user_id !== null && entry.user_id !== entry.actor_id;
  const isSaid = said.includes(slots.person) || said.includes(slots.ofPerson);
  if (!isTheirs || isSaid || entry.user_id === reader.userId) return said;
  return say('about', { sentence: said, person: slots.person });
}

type Slots = ReturnType<typeof slotsOf>;

function slotsOf(entry: AuditEntry, { userId, mailboxName }: AuditReader) {
  const { actor_kind: kind, actor_id: actor, actor_email: email, mailbox_account_id: accountId } = entry;
  const name = accountId === null ? undefined : mailboxName(accountId);
  const within = (key: 'inMailbox' | 'forMailbox' | 'ofMailbox'): string =>
    name === undefined ? '' : say(key, { name });
  const whose = whoseAccount(entry, userId);
  const isOwn = kind === 'user' && actor === userId;
  return {
    who:
      kind === 'user' && !isOwn && email
        ? say('actors.named', { name: email })
        : say(`actors.${isOwn ? 'you' : kind}`, {}),
    person: say(`people.${whose}`, { name: entry.user_email ?? '' }),
    ofPerson: say(`peopleOf.${whose}`, { name: entry.user_email ?? '' }),
    mailbox: name === undefined ? say('aMailbox', {}) : say('theMailbox', { name }),
    archive: name === undefined ? say('anArchive', {}) : say('theArchive', { name }),
    in: within('inMailbox'),
    for: within('forMailbox'),
    of: within('ofMailbox'),
    place: IN_MAILBOX.test(entry.action) ? within('inMailbox') : '',
  };
}

function whoseAccount(
  { actor_id: actor, user_id: user, user_email: email }: AuditEntry,
  reader: string,
): keyof Texts['people'] {
  if (user === reader) return 'yours';
  if (user !== null && user === actor) return 'theirs';
  return email ? 'named' : 'unknown';
}

/** `You moved 385 messages to the trash`, `Archiving messages failed`. */
function jobSentence(entry: AuditEntry, slots: Slots): string | null {
  const [, act = '', end = ''] = /^(.+)-([a-z]+)$/.exec(entry.action) ?? [];
  if (!hasText(`audit.jobs.${act}.doing`) || !hasText(`audit.ends.${end}`)) return null;
  const change = `changes.${String(entry.details['action'])}`;
  const kind = act === 'messages.bulk' && hasText(`audit.${change}.doing`) ? change : `jobs.${act}`;
  if (end === 'completed') {
    const messages = messagesText(entry, slots.place, 'theMessages');
    return say('ends.completed', { ...slots, done: say(`${kind}.done`, { ...slots, messages }) });
  }
  const messages =
    end === 'started'
      ? messagesText(entry, slots.place, 'someMessages')
      : say('someMessages', { place: slots.place });
  const said = say(`ends.${end}`, { ...slots, doing: say(`${kind}.doing`, { ...slots, messages }) });
  return end === 'failed' || end === 'cancelled' ? capitalised(said) : said;
}

function messagesText(
  { details }: AuditEntry,
  place: string,
  unnumbered: 'someMessages' | 'theMessages',
): string {
  const count = messagesOf(details);
  return count === undefined ? say(unnumbered, { place }) : i18next.t('audit.messages', { count, place });
}

function messagesOf(details: Readonly<Record<string, unknown>>): number | undefined {
  const { inserted, untrashed } = details;
  // A restore adds messages, or takes them out of the trash.
  if (typeof inserted === 'number') return inserted + (typeof untrashed === 'number' ? untrashed : 0);
  const fact = NUMBERS.find((name) => typeof details[name] === 'number');
  return fact && (details[fact] as number);
}

const capitalised = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** A text of the log, by a key that exists. */
const say = (key: string, slots: Readonly<Record<string, string>>): string =>
  i18next.t(`audit.${key}` as 'audit.about', slots as { sentence: string; person: string });
