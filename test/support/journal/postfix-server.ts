import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { spawnBound } from '../run/bound-process';
import { freePort } from '../service-process';
import { waitFor } from '../wait';

const MASTER = '/usr/lib/postfix/sbin/master';

/** Whether Debian's Postfix is there, and may be started: its master process needs root. */
export const HAS_POSTFIX = existsSync(MASTER) && process.getuid?.() === 0;

const idOf = (option: '-u' | '-g', user: string): number =>
  Number(execFileSync('id', [option, user], { encoding: 'utf8' }));

/** A message that Postfix has not delivered yet, as postqueue(1) lists it. */
export interface QueuedMail {
  readonly sender: string;
  readonly recipients: readonly { readonly address: string; readonly delay_reason?: string }[];
}

export interface PostfixOptions {
  /** Further lines of main.cf. */
  readonly main: readonly string[];
  /** Further lines of master.cf. */
  readonly master: readonly string[];
}

/**
 * A Postfix with a configuration, a queue and a port that no other has. It takes mail for everybody from this machine, and
 * throws it away unless `main` says otherwise. It tries deferred mail again each second.
 */
export class PostfixServer {
  private constructor(
    private readonly directory: string,
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(options: (directory: string) => PostfixOptions): Promise<PostfixServer> {
    const directory = mkdtempSync(join(tmpdir(), 'mailroom-postfix-'));
    chmodSync(directory, 0o755);
    const port = await freePort();
    writeConfiguration(directory, port, options(directory));
    // Makes the folders of the queue, with their owners.
    execFileSync('postfix', ['-c', directory, 'check'], { stdio: 'pipe' });
    const child = spawnBound(MASTER, ['-c', directory], { stdio: 'ignore' });
    const server = new PostfixServer(directory, child, port);
    try {
      await waitFor('Postfix to take connections', () => server.verify());
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** The log so far. */
  get log(): string {
    return readFileSync(join(this.directory, 'log'), 'utf8');
  }

  /** Hands it a message, as a mail program does. */
  async submit(envelope: { readonly from: string; readonly to: string }, raw: Buffer): Promise<void> {
    const transport = createTransport({ host: '127.0.0.1', port: this.port, secure: false, ignoreTLS: true });
    await transport.sendMail({ envelope, raw });
    transport.close();
  }

  /** Messages that wait for their delivery. */
  queue(): QueuedMail[] {
    return execFileSync('postqueue', ['-c', this.directory, '-j'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as QueuedMail);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async verify(): Promise<boolean> {
    const transport = createTransport({ host: '127.0.0.1', port: this.port, secure: false, ignoreTLS: true });
    try {
      return await transport.verify();
    } catch {
      return false;
    } finally {
      transport.close();
    }
  }
}

function writeConfiguration(directory: string, port: number, { main, master }: PostfixOptions): void {
  const [queue, data] = ['queue', 'data'].map((name) => join(directory, name)) as [string, string];
  for (const folder of [queue, data]) mkdirSync(folder);
  chownSync(data, idOf('-u', 'postfix'), idOf('-g', 'postfix'));
  const lines = [
    'compatibility_level = 3.6',
    `queue_directory = ${queue}`,
    `data_directory = ${data}`,
    'myhostname = mail.example.com',
    'mydestination =',
    'mynetworks = 127.0.0.0/8',
    'inet_interfaces = loopback-only',
    'inet_protocols = ipv4',
    'alias_maps =',
    'default_transport = discard:',
    'relay_transport = discard:',
    `maillog_file = ${join(directory, 'log')}`,
    `maillog_file_prefixes = ${directory}`,
    ...['queue_run_delay', 'minimal_backoff_time', 'maximal_backoff_time'].map((name) => `${name} = 1s`),
    ...main,
  ];
  writeFileSync(join(directory, 'main.cf'), `${lines.join('\n')}\n`);
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 1 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'discard unix - - n - - discard',
    'showq unix n - n - - showq',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
    ...master,
  ];
  writeFileSync(join(directory, 'master.cf'), `${services.join('\n')}\n`);
}
