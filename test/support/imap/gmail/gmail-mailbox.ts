/** The one place of a message. */
export type GmailPlace = 'all' | 'spam' | 'trash';

export interface GmailMessage {
  readonly id: bigint;
  readonly threadId: bigint;
  readonly raw: Buffer;
  readonly receivedAt: Date;
  readonly flags: Set<string>;
  /** The labels under their names in X-GM-LABELS, e.g. `\Inbox`. */
  readonly labels: Set<string>;
  place: GmailPlace;
  modseq: number;
}

export interface NewGmailMessage {
  readonly raw: Buffer;
  readonly receivedAt: Date;
  readonly flags?: readonly string[];
  readonly labels?: readonly string[];
  readonly place?: GmailPlace;
}

/** A folder: a view of the messages, with UIDs of its own. */
export class GmailFolder {
  readonly uids = new Map<GmailMessage, number>();
  uidNext = 1;
  modseq = 1;

  constructor(
    public path: string,
    readonly attributes: readonly string[],
    public uidValidity: number,
    readonly shows: (message: GmailMessage) => boolean,
  ) {}

  /** The messages with their UIDs, ascending. */
  get messages(): (readonly [number, GmailMessage])[] {
    return [...this.uids]
      .map(([message, uid]) => [uid, message] as const)
      .sort(([one], [other]) => one - other);
  }
}

const LABELLED = {
  INBOX: '\\Inbox',
  '[Gmail]/Sent Mail': '\\Sent',
  '[Gmail]/Important': '\\Important',
} as const;

/** A mailbox as Gmail shows it by IMAP: three folders that have messages, and one for each label. */
export class GmailMailbox {
  readonly folders: GmailFolder[];
  readonly messages = new Set<GmailMessage>();
  /** Whether giving or taking a label counts as a change of the message in All Mail. */
  labelsCount = true;
  private lastId = 0x18c_0000_0000_0000n;
  private lastUidValidity = 10;
  private modseq = 1;
  /** Whom changes are reported to. */
  readonly listeners = new Set<() => void>();

  constructor() {
    const of =
      (place: GmailPlace) =>
      (message: GmailMessage): boolean =>
        message.place === place;
    this.folders = [
      this.folder('[Gmail]/All Mail', ['\\All'], of('all')),
      this.folder('[Gmail]/Spam', ['\\Junk'], of('spam')),
      this.folder('[Gmail]/Trash', ['\\Trash'], of('trash')),
      this.labelFolder('INBOX', LABELLED.INBOX, []),
      this.labelFolder('[Gmail]/Sent Mail', LABELLED['[Gmail]/Sent Mail'], ['\\Sent']),
      this.labelFolder('[Gmail]/Important', LABELLED['[Gmail]/Important'], ['\\Important']),
      this.folder(
        '[Gmail]/Drafts',
        ['\\Drafts'],
        ({ place, flags }) => place === 'all' && flags.has('\\Draft'),
      ),
      this.folder(
        '[Gmail]/Starred',
        ['\\Flagged'],
        ({ place, flags }) => place === 'all' && flags.has('\\Flagged'),
      ),
    ];
  }

  find(path: string): GmailFolder | undefined {
    return this.folders.find((folder) => folder.path === path);
  }

  add({ raw, receivedAt, flags = [], labels = ['\\Inbox'], place = 'all' }: NewGmailMessage): GmailMessage {
    this.lastId += 1n;
    const message: GmailMessage = {
      id: this.lastId,
      threadId: this.lastId,
      raw,
      receivedAt,
      flags: new Set(flags),
      labels: new Set(labels),
      place,
      modseq: 0,
    };
    this.messages.add(message);
    this.changed([message]);
    return message;
  }

  /** Makes a change as another client would. */
  change(message: GmailMessage, work: (message: GmailMessage) => void, counts = true): void {
    work(message);
    this.changed(counts ? [message] : []);
  }

  /** Moves out of the inbox what goes to the trash or to spam. */
  move(messages: readonly GmailMessage[], place: GmailPlace): void {
    for (const message of messages) {
      message.place = place;
      if (place !== 'all') message.labels.delete('\\Inbox');
    }
    this.changed(messages);
  }

  label(messages: readonly GmailMessage[], sign: '+' | '-', labels: readonly string[]): void {
    const isNew = (label: string): boolean => sign === '+' && !label.startsWith('\\') && !this.find(label);
    for (const label of labels) if (isNew(label)) this.createLabel(label);
    for (const { labels: own } of messages) {
      for (const label of labels) {
        if (sign === '+') own.add(label);
        else own.delete(label);
      }
    }
    this.changed(this.labelsCount ? messages : []);
  }

  remove(messages: readonly GmailMessage[]): void {
    for (const message of messages) this.messages.delete(message);
    this.changed([]);
  }

  createLabel(path: string): void {
    this.folders.push(this.labelFolder(path, path, []));
    this.changed([]);
  }

  renameLabel(path: string, to: string): void {
    const folder = this.find(path);
    if (!folder) throw new Error(`There is no label ${path}`);
    const labelled = [...this.messages].filter(({ labels }) => labels.delete(path));
    for (const { labels } of labelled) labels.add(to);
    const { uidValidity, uids, uidNext } = folder;
    const renamed = new GmailFolder(to, folder.attributes, uidValidity, showing(to));
    for (const [message, uid] of uids) renamed.uids.set(message, uid);
    renamed.uidNext = uidNext;
    this.folders.splice(this.folders.indexOf(folder), 1, renamed);
    this.changed(labelled);
  }

  deleteLabel(path: string): boolean {
    const at = this.folders.findIndex((folder) => folder.path === path);
    if (at < 0 || this.folders[at]!.attributes.length > 0) return false;
    this.folders.splice(at, 1);
    this.changed([...this.messages].filter(({ labels }) => labels.delete(path)));
    return true;
  }

  /** Takes a folder from what IMAP shows. */
  hide(path: string): GmailFolder {
    const at = this.folders.findIndex((folder) => folder.path === path);
    return this.folders.splice(at, 1)[0]!;
  }

  changed(messages: readonly GmailMessage[]): void {
    this.modseq += 1;
    for (const message of messages) message.modseq = this.modseq;
    for (const folder of this.folders) {
      const before = folder.uids.size;
      for (const message of folder.uids.keys()) {
        if (!this.messages.has(message) || !folder.shows(message)) folder.uids.delete(message);
      }
      let hasChanged = folder.uids.size < before;
      for (const message of this.messages) {
        if (!folder.shows(message)) continue;
        hasChanged ||= messages.includes(message);
        if (folder.uids.has(message)) continue;
        folder.uids.set(message, folder.uidNext);
        folder.uidNext += 1;
        hasChanged = true;
      }
      if (hasChanged) folder.modseq = this.modseq;
    }
    for (const listener of this.listeners) listener();
  }

  private labelFolder(path: string, label: string, attributes: readonly string[]): GmailFolder {
    return this.folder(path, attributes, showing(label));
  }

  private folder(
    path: string,
    attributes: readonly string[],
    shows: (message: GmailMessage) => boolean,
  ): GmailFolder {
    this.lastUidValidity += 1;
    return new GmailFolder(path, attributes, this.lastUidValidity, shows);
  }
}

const showing =
  (label: string) =>
  ({ place, labels }: GmailMessage): boolean =>
    place === 'all' && labels.has(label);
