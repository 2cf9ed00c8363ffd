/** Why an item of an upload is no mail to import. */
export type LeftOutReason =
  /** A message that was deleted in the mail program whose folder it is. */
  | 'deleted'
  /** An entry in which a program keeps data of the folder. */
  | 'folderData'
  /** A file that is no mail. */
  | 'notMail'
  /** A file in which a mail program or an operating system keeps its data. */
  | 'programData'
  /** A file without content. */
  | 'emptyFile'
  /** A link or a device. */
  | 'linkOrDevice'
  /** Items of Outlook that are no mail, by their class. */
  | 'contact'
  | 'calendar'
  | 'task'
  | 'note'
  | 'journal'
  | 'otherItem';

/** States of a message that the archive has no place for; they are counted. */
export type StateNotKept = 'answered' | 'forwarded';
