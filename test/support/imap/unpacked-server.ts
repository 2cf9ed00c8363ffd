import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The uid and gid of the user `nobody`, as whom the servers run. */
const NOBODY = 65_534;
const FOLDER = join(__dirname, '../../../.mailroom/imap-servers');
/** The path of `chroot` in Debian's coreutils, since the environment of the servers is empty. */
const CHROOT = '/usr/sbin/chroot';
const PASSWD = `root:x:0:0::/:/bin/false\nnobody:x:${NOBODY}:${NOBODY}::/srv:/bin/false\n`;
const GROUP = `root:x:0:\nnogroup:x:${NOBODY}:\n`;

/**
 * A copy of a server's unpacked Debian packages, to which its processes are confined (chroot): it has files of its own
 * under the paths that are compiled in, beside servers of the same kind.
 */
export class UnpackedServer {
  private readonly children: ChildProcess[] = [];

  private constructor(readonly root: string) {}

  /** @param name of a folder that `scripts/lib/unpacked-servers.mjs` fills */
  static create(name: 'cyrus' | 'courier'): UnpackedServer {
    const original = join(FOLDER, name, 'root');
    if (!existsSync(original))
      throw new Error(
        `${name} is not unpacked: run \`node scripts/setup.mjs --no-build --test-peers\` as root`,
      );
    const copies = join(FOLDER, 'running');
    mkdirSync(copies, { recursive: true });
    removeAbandoned(copies);
    // Hard links need the same file system, and devices one that allows them, which that of temporary files may not be.
    const root = mkdtempSync(join(copies, `${process.pid}-`));
    execFileSync('cp', ['-al', `${original}/.`, root]);
    chmodSync(root, 0o755);
    const server = new UnpackedServer(root);
    server.write('etc/passwd', PASSWD);
    server.write('etc/group', GROUP);
    server.directory('srv');
    return server;
  }

  /** The path outside. */
  path(inside: string): string {
    return join(this.root, inside);
  }

  /** Makes a directory that the server may write into. */
  directory(path: string, mode = 0o755): void {
    mkdirSync(this.path(path), { recursive: true });
    chmodSync(this.path(path), mode);
    chownSync(this.path(path), NOBODY, NOBODY);
  }

  /** Writes a file that the server can read, in place of that of the package. */
  write(path: string, content: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    // The original has the same inode.
    rmSync(this.path(path), { force: true });
    writeFileSync(this.path(path), content, { mode: 0o600 });
    chownSync(this.path(path), NOBODY, NOBODY);
  }

  /** The output of the server's processes. */
  get log(): string {
    return readFileSync(this.path('srv/output.log'), 'utf8');
  }

  /** Runs a program to its end, as the user `nobody`. */
  exec(program: string, args: readonly string[], input = ''): void {
    execFileSync(CHROOT, [`--userspec=${NOBODY}:${NOBODY}`, this.root, program, ...args], {
      input,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: {},
    });
  }

  /** Starts a daemon, which ends with this process. */
  spawn(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const output = openSync(this.path('srv/output.log'), 'a', 0o600);
    try {
      // The signal of the parent's death is forgotten when the user changes: first that, then setpriv.
      const confined = ['/usr/bin/setpriv', '--pdeathsig=TERM', '--', program, ...args];
      this.children.push(
        spawn(CHROOT, [`--userspec=${NOBODY}:${NOBODY}`, this.root, ...confined], {
          stdio: ['ignore', output, output],
          env: { ...env },
        }),
      );
    } finally {
      closeSync(output);
    }
  }

  /** Ends all daemons and their connections. */
  async halt(): Promise<void> {
    await Promise.all(this.children.splice(0).map(ended));
  }

  async remove(): Promise<void> {
    await this.halt();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes the copies of processes that were killed. */
function removeAbandoned(copies: string): void {
  for (const name of readdirSync(copies))
    if (!existsSync(`/proc/${name.split('-')[0]}`))
      rmSync(join(copies, name), { recursive: true, force: true });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
