import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { decodeModifiedUtf7, encodeModifiedUtf7 } from '../../../../src/providers/imap/session/mailbox-name';
import {
  dateOf,
  dateTime,
  isList,
  textOf,
  type Token,
  type TokenList,
} from '../../../../src/providers/imap/session/imap-answers';
import { testCertificate, type TestCertificate } from '../test-certificate';
import { bodyStructure } from './body-structure';
import { type GmailFolder, GmailMailbox, type GmailMessage } from './gmail-mailbox';

/** The client's own parser reads commands as well as answers. */
const { parser } = createRequire(__filename)('imapflow/lib/handler/imap-handler') as {
  parser(
    command: Buffer,
    options: { literalPlus: boolean },
  ): Promise<{ tag: string; command: string; attributes?: TokenList }>;
};

const CAPABILITY =
  'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID CHILDREN X-GM-EXT-1 UIDPLUS MOVE CONDSTORE ESEARCH LIST-EXTENDED LIST-STATUS LITERAL- SPECIAL-USE';
const PLACES = { '[Gmail]/All Mail': 'all', '[Gmail]/Spam': 'spam', '[Gmail]/Trash': 'trash' } as const;

const placeOf = (path: string): (typeof PLACES)[keyof typeof PLACES] | undefined =>
  (PLACES as Record<string, 'all' | 'spam' | 'trash'>)[path];
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
const textsIn = (token: Token | undefined): string[] =>
  isList(token) ? token.map((item) => textOf(item) ?? '') : [textOf(token) ?? ''];

/**
 * A server that behaves as Gmail does by IMAP, as far as it is documented: labels are attributes (X-GM-EXT-1), folders
 * show what has a label, and messages lie in All Mail, in spam or in the trash. What Gmail leaves to a setting, deleting
 * from All Mail, does nothing here.
 */
export class GmailImapServer {
  readonly user = 'alice@gmail.test';
  readonly pass = 'abcd efgh ijkl mnop';
  readonly mailbox = new GmailMailbox();
  capability = CAPABILITY;
  /** Lines, or beginnings of lines, without literals. */
  readonly said: string[] = [];
  /** Answers a command in place of the usual answer; undefined for the usual one. */
  misbehave: (command: string, socket: Socket, tag: string) => boolean | undefined = () => undefined;
  /** The answer to MOVE: correct, without COPYUID, or with that of other messages. */
  copyUid: 'right' | 'missing' | 'wrong' = 'right';
  /** MOVE breaks off after so many messages, once. */
  movesBeforeCut: number | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly certificate: TestCertificate,
  ) {
    server.on('secureConnection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      new GmailConnection(this, socket).greet();
    });
  }

  static async start(): Promise<GmailImapServer> {
    const certificate = testCertificate();
    const server = createServer(certificate);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new GmailImapServer(server, certificate);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks all connections off. */
  hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

class GmailConnection {
  private rest = Buffer.alloc(0);
  private selected: GmailFolder | null = null;
  private working: Promise<void> = Promise.resolve();
  private idle: string | null = null;

  constructor(
    private readonly server: GmailImapServer,
    private readonly socket: Socket,
  ) {}

  greet(): void {
    const report = (): void => {
      if (this.idle !== null && this.selected) this.say(`* ${this.selected.uids.size} EXISTS`);
    };
    this.mailbox.listeners.add(report);
    this.socket.on('close', () => this.mailbox.listeners.delete(report));
    this.socket.on('data', (chunk) => {
      this.rest = Buffer.concat([this.rest, chunk]);
      for (;;) {
        const command = this.takeCommand();
        if (!command) break;
        this.working = this.working.then(() => this.answer(command));
      }
    });
    this.say('* OK Gimap ready');
  }

  private get mailbox(): GmailMailbox {
    return this.server.mailbox;
  }

  /** A whole command with its literals; asks for those that wait to be asked for. */
  private takeCommand(): Buffer | null {
    for (let from = 0; ;) {
      const end = this.rest.indexOf('\r\n', from);
      if (end < 0) return null;
      const literal = /\{(\d+)(\+?)\}$/.exec(this.rest.toString('latin1', 0, end));
      if (!literal) {
        const command = this.rest.subarray(0, end);
        this.rest = this.rest.subarray(end + 2);
        this.asked = 0;
        return command;
      }
      const start = end + 2;
      if (!literal[2] && this.asked < start) {
        this.asked = start;
        this.say('+ go ahead');
      }
      from = start + Number(literal[1]);
      if (this.rest.length < from) return null;
    }
  }
  private asked = 0;

  private say(line: string): void {
    this.socket.write(`${line}\r\n`, 'latin1');
  }

  private async answer(bytes: Buffer): Promise<void> {
    if (this.idle !== null) {
      this.say(`${this.idle} OK IDLE terminated`);
      this.idle = null;
      return;
    }
    const { tag, command, attributes = [] } = await parser(bytes, { literalPlus: true });
    const line = bytes.toString('latin1').split('\r\n')[0] ?? '';
    const said = line.slice(line.indexOf(' ') + 1);
    this.server.said.push(said);
    if (this.server.misbehave(said, this.socket, tag)) return;
    const answer = this.run(command.toUpperCase(), attributes, tag);
    if (answer !== null) this.say(`${tag} ${answer}`);
  }

  /** @returns the tagged answer; null when there is none yet */
  private run(command: string, attributes: TokenList, tag: string): string | null {
    switch (command) {
      case 'CAPABILITY':
        this.say(`* CAPABILITY ${this.server.capability}`);
        return 'OK done';
      case 'LOGIN':
        return this.login(textOf(attributes[0]) ?? '', textOf(attributes[1]) ?? '');
      case 'NAMESPACE':
        this.say('* NAMESPACE (("" "/")) NIL NIL');
        return 'OK done';
      case 'LIST':
      case 'LSUB':
        return this.list(command, attributes);
      case 'STATUS':
        return this.status(textOf(attributes[0]) ?? '');
      case 'SELECT':
      case 'EXAMINE':
        return this.select(textOf(attributes[0]) ?? '');
      case 'FETCH':
      case 'UID FETCH':
        return this.fetch(command === 'UID FETCH', attributes);
      case 'UID STORE':
        return this.store(attributes);
      case 'UID MOVE':
        return this.move(attributes);
      case 'UID EXPUNGE':
        return this.expunge(attributes);
      case 'UID SEARCH':
        return this.search(attributes, tag);
      case 'APPEND':
        return this.append(attributes);
      case 'CREATE':
        this.mailbox.createLabel(this.pathOf(attributes[0]));
        return 'OK done';
      case 'DELETE':
        return this.mailbox.deleteLabel(this.pathOf(attributes[0])) ? 'OK done' : 'NO [CANNOT] not allowed';
      case 'UNSELECT':
        this.selected = null;
        return 'OK done';
      case 'IDLE':
        this.idle = tag;
        this.say('+ idling');
        return null;
      case 'LOGOUT':
        this.say('* BYE');
        this.say(`${tag} OK done`);
        this.socket.end();
        return null;
      case 'ID':
      case 'NOOP':
      case 'SUBSCRIBE':
        return 'OK done';
      default:
        return `BAD unknown command ${command}`;
    }
  }

  private login(user: string, pass: string): string {
    const { user: known, pass: right } = this.server;
    return user === known && pass === right ? 'OK done' : 'NO [ALERT] Application-specific password required';
  }

  private pathOf(token: Token | undefined): string {
    return decodeModifiedUtf7(textOf(token) ?? '');
  }

  private list(command: string, attributes: TokenList): string {
    this.say(`* ${command} (\\HasChildren \\NonExistent) "/" "[Gmail]"`);
    const wantsStatus = attributes.some((token) => isList(token) && textsIn(token).includes('STATUS'));
    for (const folder of this.mailbox.folders) {
      this.say(
        `* ${command} (${folder.attributes.join(' ')}) "/" ${quoted(encodeModifiedUtf7(folder.path))}`,
      );
      if (wantsStatus) this.sayStatus(folder);
    }
    return 'OK done';
  }

  private status(name: string): string {
    const folder = this.mailbox.find(decodeModifiedUtf7(name));
    if (!folder) return 'NO [NONEXISTENT] no such folder';
    this.sayStatus(folder);
    return 'OK done';
  }

  private sayStatus({ path, uids, uidNext, uidValidity, modseq }: GmailFolder): void {
    const unseen = [...uids.keys()].filter(({ flags }) => !flags.has('\\Seen')).length;
    const figures = `MESSAGES ${uids.size} UIDNEXT ${uidNext} UIDVALIDITY ${uidValidity} UNSEEN ${unseen} HIGHESTMODSEQ ${modseq}`;
    this.say(`* STATUS ${quoted(encodeModifiedUtf7(path))} (${figures})`);
  }

  private select(name: string): string {
    const folder = this.mailbox.find(decodeModifiedUtf7(name));
    this.selected = folder ?? null;
    if (!folder) return 'NO [NONEXISTENT] no such folder';
    this.say('* FLAGS (\\Answered \\Flagged \\Draft \\Deleted \\Seen)');
    this.say('* OK [PERMANENTFLAGS (\\Answered \\Flagged \\Draft \\Deleted \\Seen \\*)] ok');
    this.say(`* OK [UIDVALIDITY ${folder.uidValidity}] ok`);
    this.say(`* ${folder.uids.size} EXISTS`);
    this.say('* 0 RECENT');
    this.say(`* OK [UIDNEXT ${folder.uidNext}] ok`);
    this.say(`* OK [HIGHESTMODSEQ ${folder.modseq}]`);
    return 'OK [READ-WRITE] selected';
  }

  /** Messages of the open folder with their numbers and UIDs. */
  private chosen(set: string, byUid: boolean): { number: number; uid: number; message: GmailMessage }[] {
    const all = (this.selected?.messages ?? []).map(([uid, message], index) => ({
      number: index + 1,
      uid,
      message,
    }));
    const last = all.at(-1);
    const ranges = set
      .split(',')
      .map((part) =>
        part.split(':').map((end) => (end === '*' ? ((byUid ? last?.uid : last?.number) ?? 0) : Number(end))),
      );
    return all.filter(({ number, uid }) => {
      const value = byUid ? uid : number;
      return ranges.some(
        ([from = 0, to = from]) => value >= Math.min(from, to) && value <= Math.max(from, to),
      );
    });
  }

  private fetch(byUid: boolean, [set, asked, modifiers]: TokenList): string {
    const modifier = isList(modifiers) ? textsIn(modifiers) : [];
    const since = modifier[0] === 'CHANGEDSINCE' ? Number(modifier[1]) : null;
    const items = isList(asked) ? asked : [asked ?? null];
    for (const { number, uid, message } of this.chosen(textOf(set) ?? '', byUid)) {
      if (since !== null && message.modseq <= since) continue;
      const parts = items.map((item) => this.item(item, uid, message));
      if (since !== null) parts.push(Buffer.from(`MODSEQ (${message.modseq})`));
      if (byUid && !items.some((item) => textOf(item) === 'UID')) parts.push(Buffer.from(`UID ${uid}`));
      const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(' '), part]));
      this.socket.write(Buffer.concat([Buffer.from(`* ${number} FETCH (`), ...joined, Buffer.from(')\r\n')]));
    }
    return 'OK done';
  }

  private item(
    token: Token,
    uid: number,
    { id, threadId, raw, flags, labels, receivedAt }: GmailMessage,
  ): Buffer {
    const name = textOf(token) ?? '';
    switch (name) {
      case 'UID':
        return Buffer.from(`UID ${uid}`);
      case 'FLAGS':
        return Buffer.from(`FLAGS (${[...flags].join(' ')})`);
      case 'INTERNALDATE':
        return Buffer.from(`INTERNALDATE "${dateTime(receivedAt)}"`);
      case 'RFC822.SIZE':
        return Buffer.from(`RFC822.SIZE ${raw.length}`);
      case 'X-GM-MSGID':
        return Buffer.from(`X-GM-MSGID ${id}`);
      case 'X-GM-THRID':
        return Buffer.from(`X-GM-THRID ${threadId}`);
      case 'X-GM-LABELS': {
        const shown = [...labels].map((label) => quoted(encodeModifiedUtf7(label)));
        return Buffer.from(`X-GM-LABELS (${shown.join(' ')})`);
      }
      case 'BODYSTRUCTURE':
        return Buffer.from(`BODYSTRUCTURE ${bodyStructure(raw)}`, 'latin1');
      default:
        return this.body(token, raw);
    }
  }

  private body(token: Token, raw: Buffer): Buffer {
    const { section = [], partial } = token as { section?: TokenList; partial?: readonly number[] };
    const fields = section.find(isList);
    const label = fields ? `HEADER.FIELDS (${textsIn(fields).join(' ')})` : '';
    const whole = fields ? headerFields(raw, textsIn(fields)) : raw;
    const [start = 0, length = whole.length] = partial ?? [];
    const bytes = whole.subarray(start, start + length);
    const origin = partial ? `<${start}>` : '';
    return Buffer.concat([Buffer.from(`BODY[${label}]${origin} {${bytes.length}}\r\n`), bytes]);
  }

  private store([set, operation, values]: TokenList): string {
    const [, sign, what] = /^([+-])(FLAGS|X-GM-LABELS)/.exec(textOf(operation) ?? '') ?? [];
    const messages = this.chosen(textOf(set) ?? '', true).map(({ message }) => message);
    if (sign !== '+' && sign !== '-') return 'BAD what';
    const named = textsIn(values);
    if (what === 'X-GM-LABELS') {
      this.mailbox.label(messages, sign, named.map(decodeModifiedUtf7));
      return 'OK done';
    }
    for (const { flags } of messages)
      for (const flag of named) {
        if (sign === '+') flags.add(flag);
        else flags.delete(flag);
      }
    this.mailbox.changed(messages);
    return 'OK done';
  }

  private move([set, target]: TokenList): string | null {
    const path = this.pathOf(target);
    const place = placeOf(path);
    const to = this.mailbox.find(path);
    if (!place || !to) return 'NO [TRYCREATE] no such folder';
    const all = this.chosen(textOf(set) ?? '', true);
    const most = this.server.movesBeforeCut;
    this.server.movesBeforeCut = null;
    const chosen = all.slice(0, most ?? all.length);
    this.mailbox.move(
      chosen.map(({ message }) => message),
      place,
    );
    if (most !== null) {
      this.socket.destroy();
      return null;
    }
    if (chosen.length > 0 && this.server.copyUid !== 'missing') {
      const shift = this.server.copyUid === 'wrong' ? 1_000 : 0;
      const from = chosen.map(({ uid }) => uid + shift).join(',');
      const copies = chosen.map(({ message }) => to.uids.get(message)).join(',');
      this.say(`* OK [COPYUID ${to.uidValidity} ${from} ${copies}] moved`);
    }
    return 'OK done';
  }

  private expunge([set]: TokenList): string {
    const path = this.selected?.path ?? '';
    const deleted = this.chosen(textOf(set) ?? '', true).filter(({ message }) =>
      message.flags.has('\\Deleted'),
    );
    if (path === '[Gmail]/Trash' || path === '[Gmail]/Spam') {
      for (const { number } of [...deleted].reverse()) this.say(`* ${number} EXPUNGE`);
      this.mailbox.remove(deleted.map(({ message }) => message));
    }
    return 'OK done';
  }

  /** TEXT only: all words, anywhere. */
  private search(criteria: TokenList, tag: string): string {
    const words = criteria.flatMap((token, index) =>
      textOf(token) === 'TEXT' ? [(textOf(criteria[index + 1]) ?? '').toLowerCase()] : [],
    );
    const found = (this.selected?.messages ?? []).filter(([, { raw }]) => {
      const text = raw.toString('utf8').toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const uids = found.map(([uid]) => uid).join(',');
    this.say(`* ESEARCH (TAG "${tag}") UID${uids === '' ? '' : ` ALL ${uids}`}`);
    return 'OK done';
  }

  private append(attributes: TokenList): string {
    const path = this.pathOf(attributes[0]);
    const folder = this.mailbox.find(path);
    if (!folder) return 'NO [TRYCREATE] no such folder';
    const flags = attributes.filter(isList).flatMap(textsIn);
    const date = attributes.slice(1, -1).flatMap((token) => (isList(token) ? [] : [dateOf(token)]));
    const last = attributes.at(-1) as { value: Buffer | string };
    const raw = Buffer.isBuffer(last.value) ? last.value : Buffer.from(last.value, 'latin1');
    // Gmail has each message once.
    const twin = [...this.mailbox.messages].find((known) => known.raw.equals(raw));
    const place = placeOf(path);
    const labels = place ? [] : [path === 'INBOX' ? '\\Inbox' : path];
    const receivedAt = date.find((found) => found !== null) ?? new Date();
    const message = twin ?? this.mailbox.add({ raw, receivedAt, flags, labels, place: place ?? 'all' });
    return `OK [APPENDUID ${folder.uidValidity} ${folder.uids.get(message) ?? 0}] done`;
  }
}

/** Some fields of a header as they stand there, and the empty line. */
function headerFields(raw: Buffer, names: readonly string[]): Buffer {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw.toString('latin1', 0, end < 0 ? raw.length : end).split('\r\n');
  let isWanted = false;
  const kept = lines.filter((line) => {
    if (!/^[ \t]/.test(line)) isWanted = wanted.has(line.slice(0, line.indexOf(':')).trim().toLowerCase());
    return isWanted;
  });
  return Buffer.from(`${kept.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1');
}
