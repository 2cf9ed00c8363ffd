import type { ProviderFailure } from '../../gateway/provider-call';
import { buildRefusal } from '../session/imap-failures';
import type { FolderRole, ImapFolderEntity } from '../store/imap-index.entity';

/** Names in X-GM-LABELS of the system labels that a change can add or remove, by the label's id. */
const SYSTEM_LABELS: Readonly<Record<string, string>> = { INBOX: '\\Inbox', IMPORTANT: '\\Important' };
/**
 * Ids of all system labels that Gmail names, by the name in lower case. Null when the folder or a flag says the same,
 * or no label of the Gmail API corresponds.
 */
export const SYSTEM_LABEL_IDS: Readonly<Record<string, string | null>> = {
  '\\inbox': 'INBOX',
  '\\important': 'IMPORTANT',
  '\\sent': 'SENT',
  '\\draft': 'DRAFT',
  '\\drafts': 'DRAFT',
  '\\starred': null,
  '\\trash': null,
  '\\spam': null,
  '\\junk': null,
  '\\allmail': null,
  '\\all': null,
  '\\muted': null,
};

/** Whether a name of X-GM-LABELS is that of a system label. */
export const isSystemLabel = (name: string): boolean => Object.hasOwn(SYSTEM_LABEL_IDS, name.toLowerCase());

/** Returns the name of a label in X-GM-LABELS; undefined for one that the mailbox does not have. */
export const gmailLabelName = (id: string, folders: readonly ImapFolderEntity[]): string | undefined =>
  SYSTEM_LABELS[id] ?? folders.find(({ role, labelId }) => role === 'user' && labelId === id)?.path;

const FOLDER_NAMES: Readonly<Partial<Record<FolderRole, string>>> = {
  archive: 'All Mail',
  trash: 'Trash',
  junk: 'Spam',
};

/** Builds the error for a missing folder of Gmail: one that holds messages cannot be deleted, only hidden. */
export function hiddenFolder(role: FolderRole): ProviderFailure {
  const name = FOLDER_NAMES[role] ?? role;
  return buildRefusal(
    'unsupported',
    `Gmail does not show the folder ${name} by IMAP: switch on "Show in IMAP" for it in Gmail's settings, under Labels.`,
  );
}
