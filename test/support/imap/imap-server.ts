import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Dovecot, type DovecotOptions, NOBODY } from './dovecot';
import { returnDovecot, takeDovecot } from './dovecot-pool';
import { type AppendedMessage, ImapTestServer } from './imap-test-server';

const PASSWORD = 'imap-pass-7f3a-"q"\\uo te-é';

export interface TestImapOptions extends DovecotOptions {
  /** A server that no other test has used or will use: its user is the same each time. */
  readonly own?: boolean;
}

/**
 * A user of a real IMAP server (Dovecot), with a mailbox of its own. The server itself may be one that
 * an earlier test of the worker has stopped: its ports and its certificate are the same, its mail is gone.
 */
export class TestImapServer extends ImapTestServer {
  readonly user: string;
  pass = PASSWORD;
  /** Length of the log when the user came. */
  private readonly logStart: number;
  private isStopped = false;

  private constructor(
    private readonly dovecot: Dovecot,
    private readonly options: TestImapOptions,
  ) {
    super();
    dovecot.users += 1;
    this.user = dovecot.users === 1 ? this.email : `alice@imap-${dovecot.users}.test`;
    this.logStart = readFileSync(dovecot.logPath, 'utf8').length;
    for (const [path, content] of Object.entries(dovecot.layout.files ?? {})) this.writeMail(path, content);
  }

  static async start({ own = false, ...options }: TestImapOptions = {}): Promise<TestImapServer> {
    const dovecot = (own ? undefined : takeDovecot(options)) ?? (await Dovecot.start(options, PASSWORD));
    return new TestImapServer(dovecot, { own, ...options });
  }

  get port(): number {
    return this.dovecot.port;
  }

  get tlsPort(): number {
    return this.dovecot.tlsPort;
  }

  get certificatePath(): string {
    return this.dovecot.certificatePath;
  }

  /** The log of Dovecot since the user was added, which is not a full transcript. */
  get log(): string {
    return readFileSync(this.dovecot.logPath, 'utf8').slice(this.logStart);
  }

  /** Logins of the user so far. */
  get logins(): number {
    return this.log.split(`imap-login: Info: Login: user=<${this.user}>`).length - 1;
  }

  /** Logins of the user with a wrong password so far. */
  get refusedLogins(): number {
    return this.log
      .split('\n')
      .filter((line) => line.includes(`(${this.user},`) && line.includes('Password mismatch')).length;
  }

  run(): Promise<void> {
    return this.dovecot.run();
  }

  halt(): Promise<void> {
    return this.dovecot.halt();
  }

  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    const { own = false, ...options } = this.options;
    await (own || this.pass !== PASSWORD ? this.dovecot.end() : returnDovecot(options, this.dovecot));
  }

  /** The owner of the mailbox chooses another password: who is logged in is thrown out. */
  async changePassword(pass: string): Promise<void> {
    this.pass = pass;
    this.dovecot.writePassword(pass);
    await this.halt();
    await this.run();
  }

  /** Writes messages into an empty folder as the server keeps them, much faster than it would take them. */
  seed(folder: string, count: number, messageOf: (number: number) => AppendedMessage): void {
    const { home } = this;
    const path = folder === 'INBOX' ? home : join(home, folder);
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(path, name), { recursive: true });
    for (let number = 1; number <= count; number += 1) {
      const { raw, receivedAt = new Date() } = messageOf(number);
      const file = join(path, 'cur', `${1_700_000_000 + number}.M${number}.seed,W=${raw.length}:2,`);
      writeFileSync(file, raw);
      utimesSync(file, receivedAt, receivedAt);
      chownSync(file, NOBODY, NOBODY);
    }
    for (const each of [home, path, ...['cur', 'new', 'tmp'].map((name) => join(path, name))]) {
      chownSync(each, NOBODY, NOBODY);
    }
  }

  /** Gives the messages of a folder other UIDs under another UIDVALIDITY; while the server is stopped. */
  renewUidValidity(folder: string): void {
    const { home } = this;
    const path = folder === 'INBOX' ? home : join(home, folder);
    for (const name of readdirSync(path)) {
      if (/^dovecot(-uidlist|-uidvalidity|\.index)/.test(name)) rmSync(join(path, name));
    }
    for (const name of readdirSync(home))
      if (name.startsWith('dovecot-uidvalidity')) rmSync(join(home, name));
  }

  /** Gives a folder of the home a second name, as a symbolic link. */
  link(existing: string, name: string): void {
    symlinkSync(existing, join(this.home, name));
  }

  /** Takes a second name away again. */
  unlink(name: string): void {
    unlinkSync(join(this.home, name));
  }

  /**
   * Copies a folder file by file, as an administrator may: the copy has the same UIDVALIDITY, UIDs and dates.
   * @param change bytes of messages in the copy, of the same length
   */
  duplicate(existing: string, name: string, change: (raw: Buffer) => Buffer = (raw) => raw): void {
    const target = join(this.home, name);
    cpSync(join(this.home, existing), target, { recursive: true, preserveTimestamps: true });
    chownSync(target, NOBODY, NOBODY);
    for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      chownSync(path, NOBODY, NOBODY);
      if (entry.name.startsWith('dovecot.index')) rmSync(path);
      else if (entry.isFile() && /\/(cur|new)\//.test(path)) {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, change(readFileSync(path)));
        utimesSync(path, atime, mtime);
      }
    }
  }

  /** Leaves the user these rights in a folder (RFC 4314); of `ACCESS_RIGHTS`. */
  restrict(folder: string, rights: string): void {
    this.writeMail(`mdbox/mailboxes/${folder}/dbox-Mails/dovecot-acl`, `owner ${rights}\n`);
  }

  private get home(): string {
    return this.dovecot.homeOf(this.user);
  }

  /** Writes a file of the user's. */
  private writeMail(path: string, content: string): void {
    const file = join(this.home, path);
    const made = mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chownSync(file, NOBODY, NOBODY);
    for (let folder = dirname(file); made && folder.length >= made.length; folder = dirname(folder))
      chownSync(folder, NOBODY, NOBODY);
  }
}
