import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../service-process';
import { waitFor } from '../wait';
import { type DovecotLayout, PLAIN_MAILDIR } from './dovecot-layouts';
import { greets } from './imap-test-server';
import { makeCertificate } from './test-certificate';

/** The uid and gid of the user `nobody`, who owns the mail. */
export const NOBODY = 65_534;
const ATTEMPTS = 3;
/** Time that processes of a stopped server have to end by themselves. */
const FORCED_MS = 500;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);

/** Reads a file of a process; null when the process has ended. */
function readProcess(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}

/** Whether a process runs. One that has ended may still be listed when nothing has waited for it. */
function isRunning(pid: number): boolean {
  const stat = readProcess(pid, 'stat');
  return stat !== null && !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
}

/** Sends a signal to a process, unless it has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ends processes of connections, by force when they take their time: by themselves they take up to ten seconds. */
async function endAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGTERM');
  const forced = setTimeout(() => pids.forEach((pid) => signal(pid, 'SIGKILL')), FORCED_MS);
  try {
    await waitFor("the server's connections to end", () => !pids.some(isRunning));
  } finally {
    clearTimeout(forced);
  }
}

const oauthPassdb = (directory: string): string => `passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${directory}/oauth2.conf
}
`;

export interface DovecotOptions {
  /** The capabilities to advertise, instead of all. */
  readonly capability?: string;
  readonly layout?: DovecotLayout;
  /** Address at which it asks about access tokens (RFC 7662), which it takes by XOAUTH2 as Microsoft's servers do; without one it takes passwords only. */
  readonly introspectionUrl?: string;
}

/**
 * A Dovecot on private ports: one without and one with TLS, the certificate self-signed and for `localhost` only. It
 * knows `alice` of every domain, each with mail of its own. It ends with the process that started it.
 */
export class Dovecot {
  /** The number of tests that have used it. */
  users = 0;
  private child: ChildProcess | null = null;

  private constructor(
    private readonly directory: string,
    readonly layout: DovecotLayout,
    readonly port: number,
    readonly tlsPort: number,
  ) {}

  static async start(
    { capability, layout = PLAIN_MAILDIR, introspectionUrl }: DovecotOptions,
    password: string,
  ): Promise<Dovecot> {
    for (let attempt = 1; ; attempt += 1) {
      const directory = mkdtempSync(join(tmpdir(), 'mailroom-imap-'));
      chmodSync(directory, 0o755);
      for (const name of ['run', 'state', 'mail', 'log']) mkdirSync(join(directory, name));
      chownSync(join(directory, 'mail'), NOBODY, NOBODY);
      const dovecot = new Dovecot(directory, layout, await freePort(), await freePort());
      dovecot.configure(capability, password, introspectionUrl);
      try {
        await dovecot.run();
        return dovecot;
      } catch (error) {
        await dovecot.end();
        // Another program may have taken a port that was free a moment ago.
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  get certificatePath(): string {
    return join(this.directory, 'certificate.pem');
  }

  get logPath(): string {
    return join(this.directory, 'log/dovecot.log');
  }

  get isRunning(): boolean {
    const { child } = this;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  homeOf(user: string): string {
    return join(this.directory, 'mail', user);
  }

  async run(): Promise<void> {
    const configuration = join(this.directory, 'dovecot.conf');
    this.child = spawn('setpriv', ['--pdeathsig=TERM', '--', 'dovecot', '-F', '-c', configuration], {
      stdio: 'ignore',
    });
    await waitFor('the IMAP server to greet', () => greets(this.port), 15_000);
  }

  async halt(): Promise<void> {
    if (!this.isRunning) return;
    const child = this.child!;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const processes = childrenOf(child.pid!);
    child.kill('SIGTERM');
    await ended;
    // Until the processes of connections have ended clients are still answered.
    await endAll(processes);
  }

  /** Halts it for good and removes its mail. */
  async end(): Promise<void> {
    await this.halt();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Breaks the connections of all who are logged in, and removes their mail. */
  async forgetUsers(): Promise<void> {
    await endAll(childrenOf(this.child!.pid!).filter((pid) => readProcess(pid, 'comm') === 'imap\n'));
    const mail = join(this.directory, 'mail');
    for (const user of readdirSync(mail)) rmSync(join(mail, user), { recursive: true, force: true });
  }

  /** Keeps this process from ending, or does so no longer. */
  hold(isHeld: boolean): void {
    if (isHeld) this.child?.ref();
    else this.child?.unref();
  }

  writePassword(password: string): void {
    writeFileSync(join(this.directory, 'users'), `alice:{PLAIN}${password}::::::\n`);
  }

  private writeOAuth(introspectionUrl: string): void {
    const settings = [
      `introspection_url = ${introspectionUrl}`,
      'introspection_mode = post',
      'username_attribute = username',
      'active_attribute = active',
      'active_value = true',
    ];
    writeFileSync(join(this.directory, 'oauth2.conf'), `${settings.join('\n')}\n`);
  }

  private configure(capability: string | undefined, password: string, introspectionUrl?: string): void {
    const { directory, layout, port, tlsPort } = this;
    const { plugins = [], imapPlugins = [], pluginSettings = [], namespaces = '' } = layout;
    makeCertificate(join(directory, 'key.pem'), this.certificatePath);
    this.writePassword(password);
    if (introspectionUrl) this.writeOAuth(introspectionUrl);
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
auth_mechanisms = plain login${introspectionUrl ? ' xoauth2' : ''}
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
${capability === undefined ? '' : `imap_capability = ${capability}\n`}${introspectionUrl ? oauthPassdb(directory) : ''}passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%n ${directory}/users
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
  # Wrong passwords of one test do not slow down the next.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  client_limit = 100
}
`,
    );
  }
}
