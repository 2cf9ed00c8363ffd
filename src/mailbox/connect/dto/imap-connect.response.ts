import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  MailboxAccountResponse,
  toMailboxAccountResponse,
} from '../../accounts/dto/mailbox-accounts.response';
import { IMAP_SECURITIES, type ImapSecurity } from '../../../providers/imap/login/imap-account.entity';
import type { ImapCertificate, ImapServer } from '../../../providers/imap/login/imap-login';
import { cutFoldersOf, providerOf } from '../../../providers/imap/forecast/imap-transfers.service';
import { completionOf, HEADER_BYTES } from '../../../providers/imap/forecast/transfer-forecast';
import { type LimitedServer, transferLimitsOf } from '../../../providers/imap/login/imap-limits';
import { type ImapHint, presetOfHost } from '../../../providers/imap/login/imap-presets';
import { FOLDER_PROBLEMS, type FolderRole } from '../../../providers/imap/store/imap-index.entity';
import type { ConnectedImapView, ImapMailboxView, TestOutcome } from '../imap/imap-connect.service';
import { type DiscoveryWithConsent, DISCOVERY_SOURCES, type DiscoverySource } from '../imap/imap-discovery';
import { toTransferForecast, TransferForecastResponse } from './transfer-forecast.response';
import type { ProbedAmount, ProbedFolder } from '../imap/imap-probe';

const HINTS = ['app-password', 'switch-on-imap', 'bridge', 'oauth-only', 'connect-with-google'] as const;
const ROLES = ['inbox', 'sent', 'drafts', 'junk', 'trash', 'archive', 'user', 'ignored'] as const;
const ROLE_SOURCES = ['user', 'server', 'name', 'view'] as const;
const FOLDER_STATES = [...FOLDER_PROBLEMS, 'count'] as const;
const FINGERPRINT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A server that may host the mailbox. */
export class ImapCandidateResponse {
  /** @example imap.example.com */
  host: string;
  @ApiProperty({ type: 'integer', example: 993 })
  port: number;
  @ApiProperty({ enum: IMAP_SECURITIES })
  security: ImapSecurity;
  /** User name of the login.
   * @example ada@example.com */
  username: string;
  /**
   * `provider`: known for the address; `mail-exchange`: known for the host that receives the domain's mail (MX); `autoconfig`: the domain
   * publishes it; `database`: a public collection has it; `dns`: SRV records; `guess`: there is a host of the usual name.
   */
  @ApiProperty({ enum: DISCOVERY_SOURCES })
  source: DiscoverySource;
}

/** Step that the provider requires before IMAP works. */
export class ImapHintResponse {
  /** Name of the provider.
   * @example iCloud */
  provider: string;
  /**
   * `app-password`: make a password for this service at the provider; `switch-on-imap`: allow IMAP at the provider;
   * `bridge`: run the provider's bridge beside this service; `oauth-only`: the provider takes no passwords;
   * `connect-with-google`: better connected with Google, by IMAP with an app password. null: nothing.
   */
  @ApiProperty({ enum: HINTS, nullable: true, type: String })
  code: ImapHint | null;
  /** `provider` of `GET /api/auth/mailbox/connect` that connects the mailbox by consent; null: none is set up.
   * @example microsoft */
  @ApiProperty({ type: String, nullable: true })
  consent_provider: string | null;
}

/** Servers of an address, the most certain first. */
export class ImapDiscoveryResponse {
  @ApiProperty({ type: () => [ImapCandidateResponse] })
  candidates: ImapCandidateResponse[];
  /** Step that the provider requires; null when the provider is not known. */
  @ApiProperty({ type: () => ImapHintResponse, nullable: true })
  hint: ImapHintResponse | null;
}

/** Server and login of a mailbox. */
export class ImapServerResponse {
  /** @example imap.example.com */
  host: string;
  @ApiProperty({ type: 'integer', example: 993 })
  port: number;
  @ApiProperty({ enum: IMAP_SECURITIES })
  security: ImapSecurity;
  /** @example ada@example.com */
  username: string;
  /** SHA-256 of the only certificate that is accepted; null: any that verifies. */
  @ApiProperty({ type: String, nullable: true, example: FINGERPRINT })
  certificateSha256: string | null;
}

/** A folder and its role. */
export class ImapFolderResponse {
  /** @example Sent */
  path: string;
  /**
   * Role of the folder. `user`: an ordinary folder with a label; `ignored`: a folder that shows mail of others, or
   * none.
   */
  @ApiProperty({ enum: ROLES })
  role: FolderRole;
  /**
   * Source of the role: the user, the server, or the folder's name. `view`: the folder was found to show the messages
   * of others (a virtual folder, or a second name of a folder) and is never written to.
   */
  @ApiProperty({ enum: ROLE_SOURCES })
  source: (typeof ROLE_SOURCES)[number];
  /**
   * Reason for which its messages cannot be read, or not all of them. `name`: no command can use its name; `closed`: it
   * cannot be opened; `answer`: the server's answers about it are invalid; `limit`: there are too many folders;
   * `count`: the server counts more messages than it lists. Null: all messages are read.
   */
  @ApiProperty({ type: String, enum: [...FOLDER_STATES, null], nullable: true, example: null })
  problem: (typeof FOLDER_STATES)[number] | null;
}

/** A certificate that could not be verified. */
export class ImapCertificateResponse {
  /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
  sha256: string;
  /** Subject of the certificate.
   * @example mail.example.com */
  subject: string;
  /** Issuer of the certificate.
   * @example mail.example.com */
  issuer: string;
  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  validFrom: string;
  @ApiProperty({ format: 'date-time', example: '2027-01-01T00:00:00.000Z' })
  validTo: string;
}

/** Result of a login: the mailbox, or the reason for which it failed. */
export class ImapTestResponse {
  success: boolean;
  /** The server that was tried. */
  @ApiProperty({ type: () => ImapServerResponse })
  server: ImapServerResponse;
  /** Capabilities that the server announces after the login.
   * @example ["IMAP4REV1", "UIDPLUS"] */
  @ApiPropertyOptional({ type: [String] })
  capabilities?: string[];
  @ApiPropertyOptional({ type: () => [ImapFolderResponse] })
  folders?: ImapFolderResponse[];
  /** Whether the server states exact sizes of messages. */
  @ApiPropertyOptional()
  exactSizes?: boolean;
  /** Whether the provider fixes the roles of folders, as Gmail does. Then `roles` are refused. */
  @ApiPropertyOptional()
  rolesFixed?: boolean;
  /** Code of the problem, for programs.
   * @example imap-login-failed */
  @ApiPropertyOptional()
  code?: string;
  /** Description of the problem, for people.
   * @example "The server refused the user name or the password." */
  @ApiPropertyOptional()
  error?: string;
  /** The field to correct; null: none, it may work later.
   * @example password */
  @ApiPropertyOptional({ type: String, nullable: true })
  field?: string | null;
  /** Text of the server.
   * @example "Application-specific password required" */
  @ApiPropertyOptional({ type: String, nullable: true })
  serverText?: string | null;
  /** With `imap-certificate-untrusted` and `imap-certificate-changed`: the certificate of the server, to be compared by a person. */
  @ApiPropertyOptional({ type: () => ImapCertificateResponse, nullable: true })
  certificate?: ImapCertificateResponse | null;
  /** Effect of the provider's limits on reading the whole mailbox; null: no limits are known. */
  @ApiPropertyOptional({ type: () => TransferForecastResponse, nullable: true })
  forecast?: TransferForecastResponse | null;
}

/** A mailbox that is connected by IMAP. */
export class ImapAccountResponse {
  @ApiProperty({ type: () => ImapServerResponse })
  server: ImapServerResponse;
  /** Name of the provider; null when it is not known.
   * @example iCloud */
  @ApiProperty({ type: String, nullable: true })
  provider: string | null;
  /** Provider whose consent logs in, to be connected again by consent; null: a password logs in.
   * @example microsoft */
  @ApiProperty({ type: String, nullable: true })
  consent_provider: string | null;
  /** Capabilities that the server announced last.
   * @example ["IMAP4REV1", "UIDPLUS"] */
  @ApiProperty({ type: [String] })
  capabilities: string[];
  /** Whether the server states exact sizes of messages. */
  exactSizes: boolean;
  /** Whether the provider fixes the roles of folders, as Gmail does. Then `roles` are refused. */
  rolesFixed: boolean;
  /** Most connections that are open at the same time. */
  @ApiProperty({ type: 'integer', example: 3 })
  maxConnections: number;
  /** Folders of the mailbox at the last sync. */
  @ApiProperty({ type: () => [ImapFolderResponse] })
  folders: ImapFolderResponse[];
}

/** The account of a mailbox that has just been connected. */
export class ConnectedImapResponse extends MailboxAccountResponse {
  @ApiProperty({ type: () => ImapAccountResponse })
  imap: ImapAccountResponse;
  /** Effect of the provider's limits on reading the whole mailbox; null: no limits are known. */
  @ApiProperty({ type: () => TransferForecastResponse, nullable: true })
  forecast: TransferForecastResponse | null;
}

const toServer = ({ host, port, security, username, certificateSha256 }: ImapServer): ImapServerResponse => ({
  host,
  port,
  security,
  username,
  certificateSha256,
});

const toFolders = (folders: readonly ProbedFolder[]): ImapFolderResponse[] =>
  folders.map(({ path, role, source, problem }) => ({ path, role, source, problem }));

export function toDiscovery({
  candidates,
  preset,
  consentProvider,
}: DiscoveryWithConsent): ImapDiscoveryResponse {
  const servers = candidates.map(({ host, port, security, username, source }) => ({
    host,
    port,
    security,
    username,
    source,
  }));
  return {
    candidates: servers,
    hint: preset && { provider: preset.name, code: preset.hint, consent_provider: consentProvider },
  };
}

export function toTest(outcome: TestOutcome): ImapTestResponse {
  const server = toServer(outcome.server);
  if ('mailbox' in outcome) {
    const { capabilities, folders, exactSizes, gmailLabels } = outcome.mailbox;
    return {
      success: true,
      server,
      capabilities: [...capabilities],
      folders: toFolders(folders),
      exactSizes,
      rolesFixed: gmailLabels,
      forecast: toProbedForecast(
        { preset: presetOfHost(outcome.server.host)?.id ?? null, gmailLabels },
        outcome.mailbox.amount,
      ),
    };
  }
  const { problem, certificate } = outcome;
  const { code, detail, field, serverText } = problem;
  return {
    success: false,
    server,
    code,
    error: detail,
    field,
    serverText,
    certificate: toCertificate(certificate),
  };
}

const toCertificate = (found: ImapCertificate | null): ImapCertificateResponse | null =>
  found && {
    sha256: found.sha256,
    subject: found.subject,
    issuer: found.issuer,
    validFrom: found.validFrom.toISOString(),
    validTo: found.validTo.toISOString(),
  };

export function toImapAccount({ imap, folders }: ImapMailboxView): ImapAccountResponse {
  return {
    server: toServer(imap),
    provider: presetOfHost(imap.host)?.name ?? null,
    consent_provider: imap.oauthIssuer,
    capabilities: [...imap.capabilities],
    exactSizes: imap.exactSizes,
    rolesFixed: imap.gmailLabels,
    maxConnections: imap.maxConnections,
    folders: toFolders(folders),
  };
}

/** Forecasts from a sample: nothing has been read yet, and no bytes of the day are used. */
function toProbedForecast(
  server: LimitedServer,
  amount: ProbedAmount | null,
  now = new Date(),
): TransferForecastResponse | null {
  if (!amount) return null;
  const messages = amount.folders.reduce((sum, folder) => sum + folder.messages, 0);
  const limits = transferLimitsOf(server);
  const received = limits && { limit: limits.receivedBytes, used: 0 };
  const bytes = amount.averageSize === null ? null : Math.round(messages * amount.averageSize);
  return toTransferForecast({
    provider: providerOf(server),
    messages,
    bytes,
    isApproximate: true,
    received,
    completesAt:
      received && bytes !== null ? completionOf(bytes + messages * HEADER_BYTES, received, now) : null,
    cutFolders: cutFoldersOf(server, amount.folders),
  });
}

export const toConnected = (view: ConnectedImapView, now: Date): ConnectedImapResponse => ({
  ...toMailboxAccountResponse(view.account, now),
  imap: toImapAccount(view),
  forecast: toProbedForecast(view.imap, view.amount, now),
});
