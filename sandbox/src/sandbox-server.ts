import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addFault } from './control/control-routes';
import { FaultList } from './control/fault-list';
import { QuotaMeter } from './control/quota-meter';
import { UsageStats } from './control/usage-stats';
import { UNIT_COSTS } from './gmail/unit-costs';
import { handleHttp } from './http/http-listener';
import { addMailDir } from './mailbox/mail-dir';
import { mailboxAccess } from './mailbox/mailbox-access';
import { Mailboxes } from './mailbox/mailboxes';
import { CLIENT_ID, CLIENT_SECRET, Grants } from './grants';
import type { SandboxState } from './sandbox-state';
import type { SandboxOptions, SandboxServer } from './types';

export type {
  InsertOptions,
  SandboxFault,
  SandboxFaultAnswer,
  SandboxLiveOptions,
  SandboxMailbox,
  SandboxOptions,
  SandboxQuota,
  SandboxServer,
  SandboxStats,
  SandboxStatsSnapshot,
} from './types';

const DAY_MS = 86_400_000;
const MAX_MESSAGES = 200_000;

/**
 * Starts the provider simulator on 127.0.0.1. Content is the same for the same options and day; labels, deletions and
 * insertions live until `close`. Rejects when the mail folder cannot be read or the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<SandboxServer> {
  const state = await openState(options);
  const server = createServer((incoming, outgoing) => {
    handleHttp(incoming, outgoing, state).catch((error: unknown) =>
      outgoing.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let closing: Promise<void> | undefined;
  return {
    url,
    authUrl: `${url}/o/oauth2/v2/auth`,
    tokenUrl: `${url}/token`,
    revokeUrl: `${url}/revoke`,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    stats: state.stats,
    fault: (fault) => addFault(state, fault),
    clearFaults: (email) => state.faults.clear(email),
    mailbox: (email) => mailboxAccess(state.mailboxes.get(email)),
    close() {
      closing ??= new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
      return closing;
    },
  };
}

async function openState(options: SandboxOptions): Promise<SandboxState> {
  const { now } = options;
  const clock = now === undefined ? Date.now : () => now.getTime();
  const defaultEmail = (options.email ?? 'demo@sandbox.mailroom.test').toLowerCase();
  const mailboxes = new Mailboxes({
    email: defaultEmail,
    seed: options.seed ?? 1,
    messages: Math.max(0, Math.min(MAX_MESSAGES, options.messages ?? 2000)),
    averageBytes: options.averageBytes,
    rawCacheBytes: options.rawCacheBytes,
    endMs: now?.getTime() ?? Math.floor(Date.now() / DAY_MS) * DAY_MS,
  });
  const mailbox = mailboxes.get();
  if (options.mailDir !== undefined) await addMailDir(mailbox, options.mailDir);
  return {
    defaultEmail,
    live: {
      latencyMs: options.latencyMs ?? 0,
      quota: options.quota ?? null,
      maxConcurrentRequests: options.maxConcurrentRequests ?? null,
    },
    unitCosts: { ...UNIT_COSTS, ...options.unitCosts },
    stats: new UsageStats(),
    faults: new FaultList(),
    quota: new QuotaMeter(),
    grants: new Grants(),
    mailboxes,
    inFlight: new Map(),
    now: clock,
  };
}
