/** The storage format and folder names of a Dovecot server; the home of the user is `~`. */
export interface DovecotLayout {
  readonly location: string;
  /** Plugins of everything that opens mailboxes, and those of IMAP alone. */
  readonly plugins?: readonly string[];
  readonly imapPlugins?: readonly string[];
  /** Lines of `plugin`. */
  readonly pluginSettings?: readonly string[];
  /** Lines of the namespace of INBOX. */
  readonly inbox: readonly string[];
  /** Further namespaces. */
  readonly namespaces?: string;
  /** Files under the home of the user that are there from the beginning. */
  readonly files?: Readonly<Record<string, string>>;
}

const SENT = ['separator = /', 'mailbox Sent {\n    auto = subscribe\n    special_use = \\Sent\n  }'];

/** The layout of most specs. */
export const PLAIN_MAILDIR: DovecotLayout = { location: 'maildir:~:LAYOUT=fs', inbox: SENT };

/** Maildir++ as Courier once left it: all folders below `INBOX.`, none declared special, files compressed. */
export const MAILDIR_PLUS_PLUS: DovecotLayout = {
  location: 'maildir:~/Maildir',
  plugins: ['zlib'],
  pluginSettings: ['zlib_save = gz'],
  inbox: ['prefix = INBOX.', 'separator = .'],
};

/** A file for each folder, as in Unix since ever. */
export const MBOX: DovecotLayout = {
  location: 'mbox:~/mail:INBOX=~/inbox',
  inbox: ['separator = /'],
};

/** Two folders that show messages of the others, and do not say so. */
export const VIRTUAL_FOLDERS: DovecotLayout = {
  location: 'sdbox:~/sdbox',
  plugins: ['virtual'],
  inbox: SENT,
  namespaces: `namespace virtual {
  prefix = Virtual/
  separator = /
  location = virtual:~/virtual
  list = yes
}
`,
  files: {
    'virtual/All/dovecot-virtual': '*\n-Virtual/*\n  all\n',
    'virtual/Flagged/dovecot-virtual': '*\n-Virtual/*\n  flagged\n',
  },
};

/** Folders with access rights, see `TestImapServer.restrict`. */
export const ACCESS_RIGHTS: DovecotLayout = {
  location: 'mdbox:~/mdbox',
  plugins: ['acl'],
  imapPlugins: ['imap_acl'],
  pluginSettings: ['acl = vfile'],
  inbox: SENT,
};

export const QUOTA_KIB = 8_192;

/** No more than `QUOTA_KIB` of mail. */
export const QUOTA: DovecotLayout = {
  location: 'mdbox:~/mdbox',
  plugins: ['quota'],
  imapPlugins: ['imap_quota'],
  pluginSettings: ['quota = count:User quota', 'quota_vsizes = yes', `quota_rule = *:storage=${QUOTA_KIB}K`],
  inbox: SENT,
};
