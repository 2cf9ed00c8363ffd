import { ConsoleLogger, DynamicModule } from '@nestjs/common';
import { Test, TestingModule } from '@nestjs/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import * as net from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { AuditModule } from '../../src/platform/audit/audit.module';
import { CryptoModule } from '../../src/platform/crypto/crypto.module';
import { DatabaseModule } from '../../src/platform/database/database.module';
import { EgressModule } from '../../src/platform/egress/egress.module';
import { RedisModule } from '../../src/platform/redis/redis.module';
import { ConfigModule } from '../../src/platform/config/config.module';
import { loadConfig } from '../../src/platform/config/load-config';
import {
  MailboxProvider,
  MailboxProviders,
  ProviderAccount,
} from '../../src/providers/port/mailbox-provider.port';
import { OAuthCredentials, ProviderCredentials } from '../../src/providers/port/provider-credentials.port';
import { ReauthRequired } from '../../src/providers/port/mail-provider.errors';
import { ProvidersModule } from '../../src/providers/providers.module';
import { SandboxServer } from '../../sandbox/src/sandbox-server';
import { signIn } from '../../sandbox/src/sign-in';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createTestDatabase } from './database';
import { testEnvironment } from './environment';

/** Credentials in memory, with a record of what the providers module did with them. */
export class RecordingCredentials extends ProviderCredentials {
  readonly held = new Map<string, OAuthCredentials>();
  readonly saved: OAuthCredentials[] = [];
  readonly reauthRequired: string[] = [];
  readonly pauses: Date[] = [];

  async load(accountId: string): Promise<OAuthCredentials> {
    const credentials = this.held.get(accountId);
    if (!credentials || this.reauthRequired.includes(accountId)) throw new ReauthRequired();
    return credentials;
  }

  async save(
    accountId: string,
    credentials: OAuthCredentials,
    replacing?: OAuthCredentials,
  ): Promise<boolean> {
    if (this.holdsAnother(accountId, replacing)) return false;
    this.held.set(accountId, credentials);
    this.saved.push(credentials);
    return true;
  }

  async markReauthRequired(accountId: string, refused?: OAuthCredentials): Promise<boolean> {
    if (this.holdsAnother(accountId, refused)) return false;
    this.reauthRequired.push(accountId);
    return true;
  }

  private holdsAnother(accountId: string, expected?: OAuthCredentials): boolean {
    return expected !== undefined && expected.refreshToken !== this.held.get(accountId)?.refreshToken;
  }

  async setPausedUntil(_accountId: string, until: Date): Promise<void> {
    this.pauses.push(until);
  }

  expire(accountId: string): void {
    this.held.set(accountId, { ...this.held.get(accountId)!, expiresAt: new Date(Date.now() - 1_000) });
  }
}

/** Stands in for the accounts, whose credentials the gateway reads. */
class TestCredentialsModule {
  static with(credentials: ProviderCredentials): DynamicModule {
    const provider = { provide: ProviderCredentials, useValue: credentials };
    return { module: TestCredentialsModule, global: true, providers: [provider], exports: [provider] };
  }
}

/** One process's providers module over a sandbox, real Redis and a real database. */
export class ProviderProcess {
  private constructor(
    private readonly module: TestingModule,
    private readonly cleanups: (() => Promise<void>)[],
  ) {}

  static async start(
    sandbox: SandboxServer,
    credentials: RecordingCredentials,
    env: Record<string, string> = {},
    databaseUrl?: string,
  ): Promise<ProviderProcess> {
    const database = databaseUrl ? undefined : await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-provider-'));
    const base = {
      ...testEnvironment(databaseUrl ?? database!.url, sandbox, dataDir),
      // One prefix for all processes of a run: accounts are unique anyway, and processes must share their quota.
      REDIS_PREFIX: 'test-providers',
    };
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.with(loadConfig({ ...base, ...env })),
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS }),
        RedisModule,
        CryptoModule,
        EgressModule,
        AuditModule,
        TestCredentialsModule.with(credentials),
        ProvidersModule,
      ],
    })
      .setLogger(new ConsoleLogger({ logLevels: ['fatal'] }))
      .compile();
    await module.init();
    return new ProviderProcess(module, [
      async () => database?.drop(),
      async () => rmSync(dataDir, { recursive: true, force: true }),
    ]);
  }

  get<T>(token: abstract new (...parameters: never[]) => T): T {
    return this.module.get(token as never);
  }

  get dataSource(): DataSource {
    return this.module.get(DataSource);
  }

  mailbox(account: ProviderAccount): MailboxProvider {
    return this.get(MailboxProviders).forAccount(account);
  }

  /** Rows the usage records refer to. */
  async insertAccount(account: ProviderAccount): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO users (id, email, password_hash, role, is_active) VALUES ($1, $2, 'x', 'user', true)`,
      [account.userId, `${account.userId}@users.test`],
    );
    await this.dataSource.query(
      `INSERT INTO mailbox_accounts (id, user_id, email, provider) VALUES ($1, $2, $3, $4)`,
      [account.id, account.userId, account.email, account.provider],
    );
  }

  async stop(): Promise<void> {
    await this.module.close();
    for (const cleanup of this.cleanups) await cleanup();
  }
}

/** An account connected to the sandbox; a fresh address has a mailbox of its own. */
export async function connectAccount(
  sandbox: SandboxServer,
  credentials: RecordingCredentials,
  email: string,
): Promise<ProviderAccount> {
  const tokens = await signIn(sandbox, email);
  const account = { id: randomUUID(), userId: randomUUID(), email, provider: 'gmail' };
  credentials.held.set(account.id, { ...tokens, expiresAt: new Date(Date.now() + 3_600_000) });
  return account;
}

export const freshEmail = (messages: number): string =>
  `box${randomBytes(4).toString('hex')}-${messages}@sandbox.mailroom.test`;

export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

/** Returns the reason with which `promise` rejects; fails the test when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It should have been rejected');
    },
    (error: unknown) => error,
  );
}

/** Notes the port of every connection this process opens, until restored. */
export function recordConnections(): { ports: Set<string>; restore: () => void } {
  const ports = new Set<string>();
  const connect = net.Socket.prototype.connect;
  const spy = jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
    this: net.Socket,
    ...parameters: unknown[]
  ) {
    // Either already normalised to [options, listener], or (options), or (port, host).
    const [first] = (Array.isArray(parameters[0]) ? parameters[0] : parameters) as unknown[];
    ports.add(String(typeof first === 'object' ? (first as net.TcpNetConnectOpts).port : Number(first)));
    return connect.apply(this, parameters as never);
  });
  return { ports, restore: () => spy.mockRestore() };
}
