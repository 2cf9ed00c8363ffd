import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { ImapFlow } from 'imapflow';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../service-process';
import { waitFor } from '../wait';
import { makeCertificate } from './test-certificate';

/** uid and gid of the user nobody, who owns the mail. */
const NOBODY = 65_534;
const ATTEMPTS = 3;

export interface TestImapOptions {
  /** What the server says it can do, instead of all that it can. */
  readonly capability?: string;
}

export interface AppendedMessage {
  readonly raw: Buffer;
  readonly flags?: readonly string[];
  readonly receivedAt?: Date;
}

/**
 * A real IMAP server (Dovecot) of a test's own, on private ports: one without and one with TLS, the certificate
 * self-signed and for `localhost` only. It ends with the process that started it.
 */
export class TestImapServer {
  readonly host = '127.0.0.1';
  readonly user = 'alice@imap.test';
  pass = 'imap-pass-7f3a-"q"\\uo te-é';
  private child: ChildProcess | null = null;

  private constructor(
    private readonly directory: string,
    /** IMAP, with STARTTLS offered. */
    readonly port: number,
    /** IMAP over TLS. */
    readonly tlsPort: number,
  ) {}

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

  /** PEM, for whoever is to trust it. */
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

  /** Starts it, again after `halt`: mail, ports and UIDs are as before. */
  async run(): Promise<void> {
    const configuration = join(this.directory, 'dovecot.conf');
    this.child = spawn('setpriv', ['--pdeathsig=TERM', '--', 'dovecot', '-F', '-c', configuration], {
      stdio: 'ignore',
    });
    await waitFor('the IMAP server to greet', () => greets(this.port), 15_000);
  }

  /** Connections break, new ones are refused. */
  async halt(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
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

  /** Runs `work` with a client that is logged in. */
  async session<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: this.host,
      port: this.port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: this.user, pass: this.pass },
      logger: false,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  }

  /** Appends messages to a folder, which is created when it is missing. */
  async append(folder: string, messages: readonly (AppendedMessage | Buffer)[]): Promise<void> {
    await this.session(async (client) => {
      if (folder !== 'INBOX') await client.mailboxCreate(folder);
      for (const message of messages) {
        const { raw, flags, receivedAt } = Buffer.isBuffer(message)
          ? ({ raw: message } as AppendedMessage)
          : message;
        await client.append(folder, raw, [...(flags ?? [])], receivedAt);
      }
    });
  }

  /** Writes messages into an empty folder as the server keeps them, much faster than it would take them. */
  seed(folder: string, count: number, messageOf: (number: number) => AppendedMessage): void {
    const home = join(this.directory, 'mail', this.user);
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
    const home = join(this.directory, 'mail', this.user);
    const path = folder === 'INBOX' ? home : join(home, folder);
    for (const name of readdirSync(path)) {
      if (/^dovecot(-uidlist|-uidvalidity|\.index)/.test(name)) rmSync(join(path, name));
    }
    for (const name of readdirSync(home))
      if (name.startsWith('dovecot-uidvalidity')) rmSync(join(home, name));
  }

  private writeUsers(): void {
    writeFileSync(join(this.directory, 'users'), `${this.user}:{PLAIN}${this.pass}::::::\n`);
  }

  private configure({ capability }: TestImapOptions): void {
    const { directory, port, tlsPort } = this;
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
mail_location = maildir:${directory}/mail/%u:LAYOUT=fs
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
  separator = /
  mailbox Sent {
    auto = subscribe
    special_use = \\Sent
  }
}
service imap-login {
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

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => undefined);
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
