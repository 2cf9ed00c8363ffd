import { MboxFormat } from '../mbox/mbox-format';
import { EmlFormat } from './eml-format';
import type { MailFormat } from './mail-format';

/** The formats of files that hold mail, in the order in which a file is tried. */
export const MAIL_FORMATS: readonly MailFormat[] = [new EmlFormat(), new MboxFormat()];
