import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { normalizedHost } from '../../../platform/validation/host-name';
import type { ImapFolderRoles, ImapSecurity } from '../../../providers/imap/login/imap-account.entity';
import type { FolderRole, FolderRoleSource } from '../../../providers/imap/store/imap-index.entity';
import { rolesOf } from '../../../providers/imap/sync/imap-folder-roles';
import {
  type FoundFolder,
  type ImapAccount,
  ImapServersService,
} from '../../../providers/imap/imap-servers.service';
import {
  connectProblemOf,
  type ImapCertificate,
  type ImapServer,
  type LoginSecret,
} from '../../../providers/imap/login/imap-login';
import {
  presetOfDomain,
  presetOfHost,
  USUAL_CONNECTIONS,
  usernameOf,
} from '../../../providers/imap/login/imap-presets';
import { type ConnectedMailbox, MailboxConnector } from '../../../providers/port/mailbox-connector.port';
import type { MailboxCredentials, OAuthCredentials } from '../../../providers/port/provider-credentials.port';
import { isDisconnected, type MailboxAccountEntity } from '../../accounts/mailbox-account.entity';
import { MailboxAccountsService } from '../../accounts/mailbox-accounts.service';
import { ConnectAttempts } from './connect-attempts';
import {
  ALL_MAIL_HIDDEN,
  type ConnectProblem,
  FolderRolesFixed,
  ImapConnectFailed,
  ImapNotConnected,
  refusalOf,
} from './imap-connect.errors';
import { type DiscoveryWithConsent, ImapDiscovery } from './imap-discovery';
import { ImapProbe, type ProbedAmount, type ProbedFolder, type ProbedMailbox } from './imap-probe';

/** Wire name of the provider, besides those of `MailboxConnector.available`. */
export const IMAP_PROVIDER = 'imap';

/** Settings of a server that a user gave. Missing ones follow from the address. */
export interface GivenServer {
  readonly host?: string | null;
  readonly port?: number | null;
  readonly security?: ImapSecurity | null;
  readonly username?: string | null;
  readonly certificateSha256?: string | null;
}

interface WantedMailbox extends GivenServer {
  readonly email: string;
  readonly accountId?: string | null;
  readonly roles?: ImapFolderRoles | null;
}

export interface MailboxToConnect extends WantedMailbox {
  readonly password: string;
}

/** The credentials that log in to a mailbox: a password, or a grant of an issuer. */
interface ImapCredentials {
  readonly credentials: MailboxCredentials;
  readonly scopes: readonly string[];
}

const secretOf = ({ credentials }: ImapCredentials): LoginSecret =>
  credentials.kind === 'password'
    ? { kind: 'password', value: credentials.password }
    : { kind: 'token', value: credentials.accessToken };

const withPassword = (password: string): ImapCredentials => ({
  credentials: { kind: 'password', password },
  scopes: [],
});

export type TestOutcome = { readonly server: ImapServer } & (
  | { readonly mailbox: ProbedMailbox }
  | { readonly problem: ConnectProblem; readonly certificate: ImapCertificate | null }
);

/** A mailbox on an IMAP server, with the data that its owner sees. */
export interface ImapMailboxView {
  readonly account: MailboxAccountEntity;
  readonly imap: ImapAccount;
  readonly folders: readonly ProbedFolder[];
}

/** A mailbox that has just been connected. */
export interface ConnectedImapView extends ImapMailboxView {
  /** Null when the provider has no known limits. */
  readonly amount: ProbedAmount | null;
}

const SERVER_FIELDS = ['host', 'port', 'security', 'username', 'certificateSha256'] as const;

/**
 * Connects mailboxes by IMAP. A server is only stored after a login to it has succeeded, and credentials are sent to no
 * other server.
 */
@Injectable()
export class ImapConnectService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly servers: ImapServersService,
    private readonly discovery: ImapDiscovery,
    private readonly probe: ImapProbe,
    private readonly connector: MailboxConnector,
    private readonly attempts: ConnectAttempts,
    private readonly audit: AuditTrail,
  ) {}

  /** Finds servers that may host the mailbox of an address. @throws TooManyRequests */
  async discover(userId: string, email: string): Promise<DiscoveryWithConsent> {
    await this.attempts.count(userId);
    const discovery = await this.discovery.discover(email, userId);
    const id = discovery.preset?.id ?? '';
    return { ...discovery, consentProvider: this.connector.available.includes(id) ? id : null };
  }

  /** Tries a server without storing anything. @throws ValidationFailed, AccountNotOwned, TooManyRequests */
  async test(userId: string, wanted: MailboxToConnect): Promise<TestOutcome> {
    const server = await this.serverOf(userId, wanted);
    await this.attempts.count(userId);
    const known = wanted.accountId ? await this.servers.findOwned(userId, wanted.accountId) : null;
    try {
      const mailbox = await this.probeMailbox(
        userId,
        server,
        { kind: 'password', value: wanted.password },
        wanted.roles ?? known?.roles ?? {},
        wanted.accountId,
      );
      return { server, mailbox };
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) throw error;
      return { server, problem, certificate: await this.certificateFor(problem, server, userId) };
    }
  }

  /**
   * Connects a mailbox, or reconnects one.
   * @throws ImapConnectFailed, ValidationFailed, AnotherMailbox, AccountNotOwned, MailboxAccountLimit,
   *   MailboxBeingPurged, TooManyRequests
   */
  connect(userId: string, wanted: MailboxToConnect): Promise<ConnectedImapView> {
    return this.connectWith(userId, wanted, withPassword(wanted.password));
  }

  /**
   * Connects the mailbox of a grant, or reconnects one.
   * @param server IMAP server that takes the issuer's tokens
   * @throws the errors of `connect`
   */
  connectWithGrant(
    userId: string,
    { email, username, credentials, scopes }: ConnectedMailbox<OAuthCredentials>,
    server: { readonly host: string; readonly port: number },
    accountId?: string,
  ): Promise<ConnectedImapView> {
    const wanted = { email, accountId, username: username ?? email, ...server, security: 'tls' } as const;
    return this.connectWith(userId, wanted, { credentials, scopes });
  }

  private async connectWith(
    userId: string,
    wanted: WantedMailbox,
    login: ImapCredentials,
  ): Promise<ConnectedImapView> {
    const { accountId } = wanted;
    const earlier = accountId ? await this.accounts.requireMailbox(userId, accountId) : null;
    if (!earlier || isDisconnected(earlier)) await this.accounts.requireBelowLimit(userId);
    const server = await this.serverOf(userId, wanted);
    await this.attempts.count(userId);
    const known = accountId ? await this.servers.findOwned(userId, accountId) : null;
    const roles = wanted.roles ?? known?.roles ?? {};
    const mailbox = await this.probeToConnect(userId, server, secretOf(login), roles, accountId);
    if (wanted.roles && mailbox.gmailLabels && Object.keys(wanted.roles).length > 0)
      throw new FolderRolesFixed();
    if (wanted.roles)
      requireFolders(
        wanted.roles,
        mailbox.folders.map(({ path }) => path),
      );

    const preset = presetOfHost(server.host);
    const email = wanted.email.toLowerCase();
    const id = await this.accounts.connect(
      userId,
      IMAP_PROVIDER,
      { email, ...login },
      async (connectedId, transaction) => {
        const entry: ImapAccount = {
          accountId: connectedId,
          ...server,
          capabilities: mailbox.capabilities,
          preset: preset?.id ?? null,
          maxConnections: preset?.maxConnections ?? USUAL_CONNECTIONS,
          exactSizes: mailbox.exactSizes,
          gmailLabels: mailbox.gmailLabels,
          roles: mailbox.gmailLabels ? {} : roles,
          oauthIssuer: (login.credentials.kind !== 'password' && login.credentials.issuer) || null,
        };
        await this.servers.store(entry, mailbox.folders.map(toFound), transaction);
      },
      accountId ?? undefined,
    );
    return { ...(await this.describe(userId, id)), folders: mailbox.folders, amount: mailbox.amount };
  }

  /** @throws AccountNotOwned, ImapNotConnected */
  async describe(userId: string, accountId: string): Promise<ImapMailboxView> {
    const account = await this.accounts.requireOwned(userId, accountId);
    const imap = await this.servers.findOwned(userId, accountId);
    if (!imap) throw new ImapNotConnected();
    const folders = await this.servers.listFolders(accountId);
    // The stored folders get the confirmed roles with the next sync.
    const confirmed = new Set<FolderRole>(Object.values(imap.roles));
    return {
      account,
      imap,
      folders: folders.map(({ path, delimiter, role, roleSource, problem, uidValidity, isComplete }) => ({
        path,
        delimiter,
        role: imap.roles[path] ?? (confirmed.has(role) ? 'user' : role),
        source: imap.roles[path] ? ('user' as const) : sourceWithoutUser(roleSource),
        problem:
          roleSource === 'view'
            ? null
            : (problem ?? (uidValidity > 0 && !isComplete ? ('count' as const) : null)),
      })),
    };
  }

  /** @throws AccountNotOwned, ImapNotConnected, and the errors of `connect` */
  async update(
    userId: string,
    accountId: string,
    changes: GivenServer & { password?: string; roles?: ImapFolderRoles },
  ): Promise<ImapMailboxView> {
    const { account, imap, folders } = await this.describe(userId, accountId);
    const { password, roles } = changes;
    // A stolen session must not be enough to send the password to another server.
    const moved = SERVER_FIELDS.filter((field) => changes[field] !== undefined);
    if (moved.length > 0 && password === undefined)
      throw new ValidationFailed([
        { field: 'password', message: `password is needed to change ${moved.join(', ')}` },
      ]);
    if (password !== undefined) {
      // Port and certificate of the former host do not apply to another one.
      const isOther = changes.host && normalizedHost(changes.host) !== imap.host;
      const kept = isOther ? { username: imap.username } : serverFields(imap);
      const wanted = { ...kept, ...pickGiven(changes), password, email: account.email, accountId, roles };
      return this.connect(userId, wanted);
    }
    if (roles) {
      if (imap.gmailLabels) throw new FolderRolesFixed();
      requireFolders(
        roles,
        folders.map(({ path }) => path),
      );
      await this.servers.setRoles(accountId, roles);
      await this.audit.record({ action: 'account.folders-changed', userId, accountId });
    }
    return this.describe(userId, accountId);
  }

  /** @throws ValidationFailed when the host is neither given nor known; AccountNotOwned */
  private async serverOf(userId: string, wanted: WantedMailbox): Promise<ImapServer> {
    const { email, accountId } = wanted;
    if (accountId) await this.accounts.requireMailbox(userId, accountId);
    const stored = accountId ? await this.servers.findOwned(userId, accountId) : null;
    if (!wanted.host && stored)
      return { ...serverFields(stored), ...(pickGiven(wanted) as Partial<ImapServer>), host: stored.host };
    const ofDomain = presetOfDomain(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
    const host = wanted.host ? normalizedHost(wanted.host) : (ofDomain?.host ?? null);
    if (host === null)
      throw new ValidationFailed([{ field: 'host', message: 'host is not known for this address' }]);
    const preset = presetOfHost(host) ?? (wanted.host ? null : ofDomain);
    const security = wanted.security ?? preset?.security ?? 'tls';
    return {
      host,
      port: wanted.port ?? (preset?.security === security ? preset.port : security === 'tls' ? 993 : 143),
      security,
      username: wanted.username ?? usernameOf(preset, email),
      certificateSha256: wanted.certificateSha256 ?? null,
    };
  }

  /** Probes the mailbox of a user who wants to connect it, and records a refusal. @throws ImapConnectFailed */
  private async probeToConnect(
    userId: string,
    server: ImapServer,
    secret: LoginSecret,
    roles: ImapFolderRoles,
    accountId: string | null | undefined,
  ): Promise<ProbedMailbox> {
    try {
      return await this.probeMailbox(userId, server, secret, roles, accountId);
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) throw error;
      const details = { provider: IMAP_PROVIDER, code: problem.code };
      await this.audit.recordRefusal({ action: 'account.refused', userId, actorId: userId, details });
      throw new ImapConnectFailed(problem);
    }
  }

  private async probeMailbox(
    userId: string,
    server: ImapServer,
    secret: LoginSecret,
    roles: ImapFolderRoles,
    accountId: string | null | undefined,
  ): Promise<ProbedMailbox> {
    const preset = presetOfHost(server.host);
    if (preset?.refused && secret.kind === 'password') throw new ImapConnectFailed(refusalOf(preset));
    const known = accountId ? rolesOf(await this.servers.listFolders(accountId)) : undefined;
    const mailbox = await this.probe.probe(server, secret, userId, roles, known);
    if (mailbox.hidesAllMail) throw new ImapConnectFailed(ALL_MAIL_HIDDEN);
    return mailbox;
  }

  /** Reads the certificate that the user has to check; null when it cannot be read, or is not the problem. */
  private async certificateFor(
    { field }: ConnectProblem,
    server: ImapServer,
    userId: string,
  ): Promise<ImapCertificate | null> {
    if (field !== 'certificateSha256') return null;
    try {
      return await this.probe.fetchCertificate(server, userId);
    } catch (error) {
      if (!connectProblemOf(error)) throw error;
      return null;
    }
  }
}

function problemOf(error: unknown): ConnectProblem | null {
  return error instanceof ImapConnectFailed ? error.problem : connectProblemOf(error);
}

/** Returns `name` for a role that the user has withdrawn, until the next sync determines its source. */
const sourceWithoutUser = (source: FolderRoleSource): FolderRoleSource =>
  source === 'user' ? 'name' : source;

const toFound = ({ path, delimiter, role, source, problem }: ProbedFolder): FoundFolder => ({
  path,
  delimiter,
  role,
  roleSource: source,
  problem: problem === 'count' ? null : problem,
});

function serverFields({ host, port, security, username, certificateSha256 }: ImapAccount): ImapServer {
  return { host, port, security, username, certificateSha256 };
}

/** Returns the settings that were given. A null certificate counts, as it removes a pinned one. */
const pickGiven = (wanted: GivenServer): GivenServer =>
  Object.fromEntries(
    SERVER_FIELDS.filter((field) => wanted[field] !== undefined)
      .filter((field) => wanted[field] !== null || field === 'certificateSha256')
      .map((field) => [field, wanted[field]]),
  );

function requireFolders(roles: ImapFolderRoles, paths: readonly string[]): void {
  const known = new Set(paths);
  const unknown = Object.keys(roles).filter((path) => !known.has(path) || path === 'INBOX');
  if (unknown.length > 0)
    throw new ValidationFailed([
      { field: 'roles', message: 'roles names folders that the mailbox does not have' },
    ]);
}
