import { MboxFormat } from '../mbox/mbox-format';
import { MsgFormat } from '../outlook/msg-format';
import type { OutlookRebuilder } from '../outlook/outlook-rebuilder';
import { PstFormat } from '../outlook/pst-format';
import { EmlFormat } from './eml-format';
import { EmlxFormat } from './emlx-format';
import type { MailFormat } from './mail-format';

/** The formats of files that hold mail, in the order in which a file is tried. */
export const mailFormats = (rebuilder: OutlookRebuilder): readonly MailFormat[] => [
  new PstFormat(rebuilder),
  new MsgFormat(rebuilder),
  new EmlxFormat('emlx'),
  new EmlxFormat('partialEmlx'),
  new EmlFormat(),
  new MboxFormat(),
];
