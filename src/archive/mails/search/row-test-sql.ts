import { signOf, type WordField } from './field-words';
import type { RowTest } from './mail-condition';
import { mailsWith, tsqueryOf } from './word-query';

/** Adds a parameter of a statement and returns its place, `$3`. */
export type AddParameter = (value: unknown) => string;

/** Labels that mailboxes have by themselves, besides those of Gmail's categories. */
const OWN_LABELS = [
  'INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT', 'MUTED', 'SNOOZED', 'SCHEDULED',
]; // prettier-ignore

/** A test of the mail `m` of account `$1` as SQL, never null. */
export function rowTestSql(row: RowTest, add: AddParameter): string {
  switch (row.test) {
    case 'since':
      return `m.date >= ${add(row.date)}`;
    case 'until':
      return `m.date < ${add(row.date)}`;
    case 'larger':
      return `m.size_bytes > ${add(row.bytes)}`;
    case 'smaller':
      return `m.size_bytes < ${add(row.bytes)}`;
    case 'attachment':
      return 'm.has_attachments';
    case 'encrypted':
      return 'm.is_encrypted';
    case 'everywhere':
      return 'true';
    case 'userLabels':
      return `EXISTS (SELECT FROM unnest(m.label_ids) AS label
        WHERE label <> ALL (${add(OWN_LABELS)}::text[]) AND label NOT LIKE 'CATEGORY\\_%')`;
    case 'anyLabel':
      return `m.label_ids && ${add(row.labels)}::text[]`;
    case 'label':
      return `m.label_ids && ${labelIdsOf(add(row.name))}`;
    case 'withoutLabel': {
      const name = add(row.name);
      return `(NOT m.label_ids && ${labelIdsOf(name)} AND ${isKnownLabel(name)})`;
    }
    case 'messageId':
      return isMessageId(add([row.messageId, `<${row.messageId}>`]));
    case 'inFiles':
      return `m.id IN (${mailsWithFiles(row, add)})`;
    case 'filesRead':
      return `NOT ${hasAttachmentWith("text_state NOT IN ('indexed', 'nothing')")}`;
    case 'filesHashed':
      return `NOT ${hasAttachmentWith('content_sha256 IS NULL')}`;
    case 'fileHash':
      return `m.id IN (SELECT file.mail_id FROM archived_attachments file
        WHERE file.account_id = $1 AND file.content_sha256 = decode(${add(row.sha256)}, 'hex'))`;
    case 'account': {
      const part = add(row.part);
      return `EXISTS (SELECT FROM mailbox_accounts account WHERE account.id = $1
        AND (account.id::text = lower(${part}) OR strpos(lower(account.email), lower(${part})) > 0))`;
    }
    case 'fromMe':
      return `archived_sender_key(m.sender) IN (SELECT sender_key FROM archived_sender_names
        WHERE account_id = $1 AND ${namesAccount('sender')})`;
    case 'toMe':
      return `(${mentionsAccount('m.recipient')} AND ${namesAccount('m.recipient')})`;
    case 'fieldMe':
      return `m.id IN (${mailsWithAccountIn(row.field)})`;
  }
}

/** The ids of the mails with an attachment of a name with some words, or with others in its text, as SQL. */
export const mailsWithFiles = (
  { name, text }: Extract<RowTest, { test: 'inFiles' }>,
  add: AddParameter,
): string =>
  `${mailsWith(name, add)} UNION SELECT page.mail_id FROM archived_attachment_pages page
   WHERE page.account_id = $1 AND page.words @@ ${add(tsqueryOf(text))}::tsquery`;

const ACCOUNT_ADDRESS = 'SELECT lower(account.email) FROM mailbox_accounts account WHERE account.id = $1';

/** Whether the addresses of a header field have that of the account. The array is read once. */
const namesAccount = (addresses: string): string =>
  `string_to_array(translate(lower(${addresses}), '<>,;:"() ', '        '), ' ') && ARRAY(${ACCOUNT_ADDRESS})`;

/** Whether the text of a header field has the address of the account: a quick test that most mail fails. */
const mentionsAccount = (addresses: string): string =>
  `strpos(lower(${addresses}), (${ACCOUNT_ADDRESS})) > 0`;

/** The ids of the mails with the account's address in a field, as SQL. */
export const mailsWithAccountIn = (field: WordField): string =>
  ['archived_mail_words', 'archived_mail_passages']
    .map(
      (table) => `SELECT mail_id FROM ${table} WHERE account_id = $1 AND words @@ (${accountInField(field)})`,
    )
    .join(' UNION ');

/** The words of the account's address in a field, as a tsquery: one after the other, folded as those of the index are. */
const accountInField = (field: WordField): string =>
  `SELECT string_agg(quote_literal('${signOf(field)}' || word), ' <-> ' ORDER BY place)::tsquery
     FROM mailbox_accounts account,
          regexp_split_to_table(regexp_replace(normalize(lower(account.email), NFKD), '[\\u0300-\\u036f]', '', 'g'), '[^[:alnum:]]+')
            WITH ORDINALITY AS words (word, place)
    WHERE account.id = $1 AND word <> ''`;

const hasAttachmentWith = (condition: string): string =>
  `EXISTS (SELECT FROM archived_attachments file WHERE file.account_id = $1 AND file.mail_id = m.id AND ${condition})`;

/** Two forms of the id, as the header may have it; the hash has an index. */
const isMessageId = (ids: string): string =>
  `(m.message_id_header IS NOT NULL
    AND hashtextextended(m.message_id_header, 0) = ANY (ARRAY(SELECT hashtextextended(id, 0) FROM unnest(${ids}::text[]) AS id))
    AND m.message_id_header = ANY (${ids}::text[]))`;

/** A name as people write it in a search: `Travel/Summer` is `travel-summer`. */
const searchForm = (name: string): string => `translate(lower(normalize(${name})), ' /&', '---')`;

/** Ids of the labels that have a name, below INBOX or not, when labels were last listed. */
const namedLabels = (name: string): string =>
  `ARRAY(SELECT known.label_id FROM label_names known WHERE known.account_id = $1 AND known.type = 'user'
    AND ${searchForm('known.name')} IN (${searchForm(`${name}::text`)}, ${searchForm(`'INBOX/' || ${name}::text`)}))`;

/** The label's id, or the name that imported mail came with, stands for itself. */
const labelIdsOf = (name: string): string => `(${namedLabels(name)} || ${name}::text)`;

const isKnownLabel = (name: string): string => `(cardinality(${namedLabels(name)}) > 0
  OR EXISTS (SELECT FROM archived_mails labelled WHERE labelled.account_id = $1 AND labelled.label_ids @> ARRAY[${name}::text]))`;
