import { ATTACHED_TEXT_STATES, type AttachedTextState } from '../archived-mail.entity';
import { READER_VERSION } from '../rereading/reader-version';

/**
 * Classes of mails and attachments, of which each is in one. A mail goes by its own text and header; `waiting` are also mails whose words
 * are of an earlier reader.
 */
export const INDEX_CLASSES = ATTACHED_TEXT_STATES;
export type IndexClass = AttachedTextState;

export const INDEXED_KINDS = ['mail', 'attachment'] as const;
export type IndexedKind = (typeof INDEXED_KINDS)[number];

/** Classes of what is not, or not wholly, found by its words, although it could be. */
export const RETRIED_CLASSES = ['failed', 'too-large'] as const satisfies readonly IndexClass[];
export type RetriedClass = (typeof RETRIED_CLASSES)[number];

/** Plain mails that the present reader has read, of table `m`, as SQL. */
const READ = `NOT m.is_encrypted AND m.reader_version >= ${READER_VERSION}`;

/** The mails `m` of each class as SQL, in a form that an index serves. */
export const MAILS_OF_CLASS: Readonly<Record<IndexClass, string>> = {
  indexed: `m.text_state = 'indexed' AND ${READ}`,
  nothing: `m.text_state = 'nothing' AND ${READ}`,
  encrypted: 'm.is_encrypted',
  'too-large': `m.text_state = 'too-large' AND ${READ}`,
  failed: `m.text_state = 'failed' AND ${READ}`,
  waiting: `m.reader_version < ${READER_VERSION} AND NOT m.is_encrypted`,
};

/** The reason why a mail `m` is in its class, as SQL. */
export const MAIL_REASON = `CASE WHEN m.is_encrypted OR m.reader_version < ${READER_VERSION} THEN NULL
    WHEN m.text_state = 'failed' THEN m.reader_problem WHEN m.text_state = 'too-large' THEN 'text-limit' END`;
