import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnBound } from '../../support/run/bound-process';
import { freePort } from '../../support/service-process';
import { waitFor } from '../../support/wait';

const ROOT = join(__dirname, '..', '..', '..');
const ENTRY = join(ROOT, 'dist', 'src', 'main.js');
const PAGE = join(ROOT, 'web', 'dist', 'index.html');
const READY_MS = 60_000;

export const ADMINISTRATOR = 'administrator@example.org';

/** The service, as an identity provider knows it. */
export const OPENID_CLIENT = { clientId: 'mailroom', clientSecret: 'a-secret-of-the-journeys' } as const;

export interface WebServiceOptions {
  /** Of the sandbox mailbox. */
  readonly messages?: number;
  /** A folder of EML files that the sandbox mailbox has beside them. */
  readonly mailDir?: string;
  /** The address of an identity provider, which may start later. */
  readonly openIdIssuer?: string;
  /** Without any user: otherwise there is an administrator. */
  readonly unused?: boolean;
}

/** The built service with the built page, its own database and a sandbox mailbox, as `npm run demo` has it. */
export class WebService {
  private adminToken = '';

  private constructor(
    private child: ChildProcess,
    readonly url: string,
    private readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start({
    messages = 600,
    mailDir,
    openIdIssuer,
    unused = false,
  }: WebServiceOptions = {}): Promise<WebService> {
    for (const file of [ENTRY, PAGE])
      if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first`);
    const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-web-'));
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: dataDir,
      PORT: String(port),
      APP_URL: url,
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      SANDBOX_MESSAGES: String(messages),
      ...(mailDir !== undefined && { SANDBOX_MAIL_DIR: mailDir }),
      ...(openIdIssuer !== undefined && {
        OIDC_ISSUER: openIdIssuer,
        OIDC_CLIENT_ID: OPENID_CLIENT.clientId,
        OIDC_CLIENT_SECRET: OPENID_CLIENT.clientSecret,
        OIDC_NAME: 'Our house',
      }),
      RATE_LIMIT_AUTH_PER_MINUTE: '1000',
      // Journeys need not wait for a provider's quota.
      PROVIDER_UNITS_PER_SECOND: '10000000',
      PROVIDER_UNITS_PER_MINUTE: '600000000',
      LOG_LEVEL: 'warn',
    };
    const service = new WebService(launch(env, dataDir), url, dataDir, env);
    await service.ready();
    if (!unused) service.adminToken = await service.register(ADMINISTRATOR);
    return service;
  }

  /** Ends all sessions of a person, as an administrator does. */
  async deactivate(email: string): Promise<void> {
    const found = await this.ask('GET', `/api/admin/users?search=${encodeURIComponent(email)}`);
    const [user] = (found as { users: { id: string }[] }).users;
    await this.ask('PATCH', `/api/admin/users/${user!.id}`, { is_active: false });
  }

  /** While it is away, pages stay open. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    await this.end();
    await meanwhile();
    this.child = launch(this.env, this.dataDir);
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async register(email: string): Promise<string> {
    const session = await this.ask('POST', '/api/auth/register', {
      email,
      password: 'correct horse battery',
    });
    return (session as { access_token: string }).access_token;
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      ...(this.adminToken && { authorization: `Bearer ${this.adminToken}` }),
    };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  private async ready(): Promise<void> {
    try {
      await waitFor(
        'the service to be ready',
        () => {
          if (this.child.exitCode !== null) throw new Error(`It ended with code ${this.child.exitCode}`);
          return fetch(`${this.url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          );
        },
        READY_MS,
      );
    } catch (error) {
      this.child.kill('SIGKILL');
      throw new Error(readFileSync(logOf(this.dataDir), 'utf8'), { cause: error });
    }
  }

  private async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}

const logOf = (dataDir: string): string => join(dataDir, 'service.log');

function launch(env: Readonly<Record<string, string>>, dataDir: string): ChildProcess {
  const log = openSync(logOf(dataDir), 'a');
  const child = spawnBound(process.execPath, [ENTRY], { cwd: ROOT, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}
