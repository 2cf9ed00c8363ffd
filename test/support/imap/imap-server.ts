import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../service-process';
import { waitFor } from '../wait';
import { type DovecotLayout, PLAIN_MAILDIR } from './dovecot-layouts';
import { type AppendedMessage, greets, ImapTestServer } from './imap-test-server';
import { makeCertificate } from './test-certificate';

/** uid and gid of the user nobody, who owns the mail. */
const NOBODY = 65_534;
const ATTEMPTS = 3;
/** Time that processes of a stopped server have to end by themselves. */
const FORCED_MS = 500;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

/** Whether a process runs. One that has ended may still be listed when nothing has waited for it. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return false;
    throw error;
  }
}

/** Sends a signal to a process, unless it has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface TestImapOptions {
  /** What the server says it can do, instead of all that it can. */
  readonly capability?: string;
  readonly layout?: DovecotLayout;
}

/**
 * A real IMAP server (Dovecot) of a test's own, on private ports: one without and one with TLS, the certificate
 * self-signed and for `localhost` only. It ends with the process that started it.
 */
export class TestImapServer extends ImapTestServer {
  readonly user = this.email;
  pass = 'imap-pass-7f3a-"q"\\uo te-é';
  private child: ChildProcess | null = null;

  private constructor(
    private readonly directory: string,
    readonly port: number,
    readonly tlsPort: number,
  ) {
    super();
  }

  /** Takes about a second; start one for a whole spec file, in `beforeAll`. */
  static async start(options: TestImapOptions = {}): Promise<TestImapServer> {
    for (let attempt = 1; ; attempt += 1) {
      const directory = mkdtempSync(join(tmpdir(), 'mailroom-imap-'));
      chmodSync(directory, 0o755);
      for (const name of ['run', 'state', 'mail', 'log']) mkdirSync(join(directory, name));
      chownSync(join(directory, 'mail'), NOBODY, NOBODY);
      const server = new TestImapServer(directory, await freePort(), await freePort());
      server.configure(options);
      try {
        await server.run();
        return server;
      } catch (error) {
        await server.stop();
        // Another program may have taken a port that was free a moment ago.
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  get certificatePath(): string {
    return join(this.directory, 'certificate.pem');
  }

  /** Everything a client has said and been answered is not logged; what Dovecot itself notes is. */
  get log(): string {
    return readFileSync(join(this.directory, 'log/dovecot.log'), 'utf8');
  }

  /** Logins so far, of anybody. */
  get logins(): number {
    return this.log.split('imap-login: Info: Login: ').length - 1;
  }

  /** Logins with a wrong password so far. */
  get refusedLogins(): number {
    return this.log.split('Password mismatch').length - 1;
  }

  async run(): Promise<void> {
    const configuration = join(this.directory, 'dovecot.conf');
    this.child = spawn('setpriv', ['--pdeathsig=TERM', '--', 'dovecot', '-F', '-c', configuration], {
      stdio: 'ignore',
    });
    await waitFor('the IMAP server to greet', () => greets(this.port), 15_000);
  }

  async halt(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const connections = childrenOf(child.pid!);
    child.kill('SIGTERM');
    await ended;
    // Until the processes of connections have ended clients are still answered; by themselves they take up to ten seconds.
    for (const pid of connections) signal(pid, 'SIGTERM');
    const forced = setTimeout(() => connections.forEach((pid) => signal(pid, 'SIGKILL')), FORCED_MS);
    try {
      await waitFor("the server's connections to end", () => !connections.some(isRunning));
    } finally {
      clearTimeout(forced);
    }
  }

  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The owner of the mailbox chooses another password: who is logged in is thrown out. */
  async changePassword(pass: string): Promise<void> {
    this.pass = pass;
    this.writeUsers();
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
    return join(this.directory, 'mail', this.user);
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

  private writeUsers(): void {
    writeFileSync(join(this.directory, 'users'), `${this.user}:{PLAIN}${this.pass}::::::\n`);
  }

  private configure({ capability, layout = PLAIN_MAILDIR }: TestImapOptions): void {
    const { directory, port, tlsPort } = this;
    const { plugins = [], imapPlugins = [], pluginSettings = [], namespaces = '', files = {} } = layout;
    for (const [path, content] of Object.entries(files)) this.writeMail(path, content);
    makeCertificate(join(directory, 'key.pem'), this.certificatePath);
    this.writeUsers();
    writeFileSync(
      join(directory, 'dovecot.conf'),
      `protocols = imap
listen = 127.0.0.1
base_dir = ${directory}/run
state_dir = ${directory}/state
instance_name = test-${port}
log_path = ${directory}/log/dovecot.log
default_internal_user = dovecot
default_login_user = dovenull
default_internal_group = dovecot
ssl = yes
ssl_cert = <${directory}/certificate.pem
ssl_key = <${directory}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
auth_verbose = yes
mail_location = ${layout.location}
mail_plugins = ${plugins.join(' ')}
protocol imap {
  mail_plugins = ${[...plugins, ...imapPlugins].join(' ')}
}
plugin {
  ${pluginSettings.join('\n  ')}
}
first_valid_uid = 1
first_valid_gid = 1
mail_fsync = never
${capability === undefined ? '' : `imap_capability = ${capability}\n`}passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${directory}/users
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${directory}/mail/%u
}
namespace inbox {
  inbox = yes
  ${layout.inbox.join('\n  ')}
}
${namespaces}service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = ${tlsPort}
  }
}
service anvil {
  chroot =
}
service stats {
  client_limit = 100
}
`,
    );
  }
}
