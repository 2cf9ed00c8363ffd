import type { SandboxServer } from '../../../sandbox/src/sandbox-server';
import type { TestUser } from '../test-user';

/** The built service in a process of its own, with a provider and a database that trials may reach into. */
export interface TenancyHost {
  readonly url: string;
  readonly databaseUrl: string;
  readonly sandbox: SandboxServer;
  /** Registers a user. */
  user(name: string): Promise<TestUser>;
}

/**
 * The service's own limits, which the environment of tests lifts: they are part of what users have against each other.
 * Signing in is limited by address, and in a trial all clients have the same.
 */
export const TENANCY_ENVIRONMENT: Readonly<Record<string, string>> = { RATE_LIMIT_PER_MINUTE: '1200' };
