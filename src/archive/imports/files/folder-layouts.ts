import { decodeModifiedUtf7 } from '../../../providers/imap/session/mailbox-name';

/** Folders of a Maildir in which its messages lie. */
const MAILDIR = new Set(['cur', 'new', 'tmp']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Folders of Apple Mail between a mailbox and its messages, or above all mailboxes. */
const APPLE_INSIDE = /^(?:Data|Messages|Attachments|\d+|V\d+)$/;
/** The folder of a server, or of local mail, in a profile of Thunderbird. */
const THUNDERBIRD_SERVER = /^(?:Local Folders.*|smart mailboxes|[\w-]+(?:\.[\w-]+)+)$/i;
/** Files in which programs keep data about their folders, by the last level of their names. */
const PROGRAM_DATA =
  /(?:\.msf|\.mbox\.idx|\.plist|\.dat)$|^(?:table_of_contents|\.mh_sequences|\.xmhcache|\.mbsyncstate|\.uidvalidity|\.isyncuidmap\.db|maildirfolder|maildirsize|subscriptions|dovecot.*|courierimap.*|\.dovecot.*|\.imap.*|filterlog\.html|popstate\.dat|prefs\.js|.*\.sqlite(?:-wal|-shm)?)$/i;

/**
 * The levels of the mail folder that a file lies in, without what mail programs put between folder and messages: `cur` and `new` of
 * Maildir, `.Folder.Sub` of Maildir++, `Inbox.sbd` and the server's folder of Thunderbird, `Inbox.mbox/…/Messages` of Apple
 * Mail, `.Inbox.directory` of KMail. Takeout's own folders are left out as well.
 * @param levels of the file's name; the last one is the file
 */
export function folderLevels(levels: readonly string[]): readonly string[] {
  // Google names the folder of each product in the user's language.
  if (levels[0] === 'Takeout' && levels.length > 2) return levels.slice(2, -1);
  const folders = levels.slice(0, -1);
  if (MAILDIR.has(folders.at(-1) ?? '')) return maildirLevels(folders.slice(0, -1));
  const first = folders.findIndex((level) => level.endsWith('.mbox'));
  if (first !== -1) return appleLevels(folders, first);
  const own = thunderbirdLevels(folders);
  return own.map((level) => level.replace(/\.sbd$/, '').replace(/^\.(.+)\.directory$/, '$1'));
}

function maildirLevels(folders: readonly string[]): readonly string[] {
  const last = folders.at(-1) ?? '';
  const above = thunderbirdLevels(folders.filter((level) => level !== 'Maildir'));
  if (!/^\.[^.]/.test(last)) return above.map((level) => level.replace(/\.sbd$/, ''));
  const names = last.slice(1).split('.').map(decodeModifiedUtf7);
  const isBelowInbox = names.length > 1 && names[0]!.toUpperCase() === 'INBOX';
  return [...above.slice(0, -1), ...(isBelowInbox ? names.slice(1) : names)];
}

function appleLevels(folders: readonly string[], first: number): readonly string[] {
  const above = folders.slice(0, first).filter((level) => !UUID.test(level) && !APPLE_INSIDE.test(level));
  const mailboxes = folders.slice(first).filter((level) => level.endsWith('.mbox'));
  return [...above, ...mailboxes.map((level) => level.slice(0, -'.mbox'.length))];
}

function thunderbirdLevels(folders: readonly string[]): readonly string[] {
  const server = folders.findIndex(
    (level, at) =>
      level === 'ImapMail' || (level === 'Mail' && THUNDERBIRD_SERVER.test(folders[at + 1] ?? '')),
  );
  return server === -1 ? folders : folders.slice(server + 2);
}

/** Whether a file lies where the messages of a Maildir do. */
export const isInMaildir = (levels: readonly string[]): boolean => MAILDIR.has(levels.at(-2) ?? '');

/** Whether a file is one that is still being delivered to a Maildir. */
export const isUnfinished = (levels: readonly string[]): boolean =>
  levels.at(-2) === 'tmp' && /^\d{9,}\./.test(levels.at(-1) ?? '');

/** Whether a file is the mbox of a package of Apple Mail, whose name is that of its folder. */
export const isApplePackage = (levels: readonly string[]): boolean =>
  levels.at(-1) === 'mbox' && (levels.at(-2) ?? '').endsWith('.mbox');

/** Whether a program keeps data of its folders in a file that is no mail. */
export const isProgramData = (levels: readonly string[]): boolean => PROGRAM_DATA.test(levels.at(-1) ?? '');
