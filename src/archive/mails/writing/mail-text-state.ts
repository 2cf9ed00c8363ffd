import { ATTACHED_TEXT_CUT } from '../../../platform/mime/attached-text';
import { TEXT_CUT } from '../../../platform/mime/body-text';
import type { MailTextState } from '../archived-mail.entity';
import { isUnparsed } from '../archiving/message-parser';
import { type ArchiveParse, WORDS_LEFT_OUT } from '../archiving/parse-message.task';
import { FIELDS_KNOWN } from '../search/field-words';

/** Defects of a mail of whose text only a part is indexed. */
const CUT: readonly string[] = [TEXT_CUT, ATTACHED_TEXT_CUT, WORDS_LEFT_OUT];

/** The vector of a mail that has no word anywhere. */
const ONLY_THE_SIGN = new RegExp(`^'${FIELDS_KNOWN}':\\d+C$`);

/** The state of the text of a mail that was read, without what is in its attachments. */
export function mailTextState(parsed: Pick<ArchiveParse, 'defects' | 'words'>): MailTextState {
  if (isUnparsed(parsed)) return 'failed';
  if (parsed.defects.some((defect) => CUT.includes(defect))) return 'too-large';
  return hasWords(parsed) ? 'indexed' : 'nothing';
}

const hasWords = ({ words: { vector, passages } }: Pick<ArchiveParse, 'words'>): boolean =>
  passages.length > 0 || (vector !== '' && !ONLY_THE_SIGN.test(vector));
