import { Injectable } from '@nestjs/common';
import type { ImapFlow } from 'imapflow';
import {
  folderRoles,
  type GivenRole,
  gmailFolderRoles,
} from '../../../providers/imap/sync/imap-folder-roles';
import type { ImapFolderRoles } from '../../../providers/imap/login/imap-account.entity';
import {
  type ImapCertificate,
  ImapLogin,
  type ImapServer,
  type LoginSecret,
} from '../../../providers/imap/login/imap-login';
import { imapLoginFailure } from '../../../providers/imap/login/imap-login-failure';
import type {
  FolderProblem,
  FolderRole,
  FolderRoleSource,
} from '../../../providers/imap/store/imap-index.entity';
import type { CutFolder } from '../../../providers/imap/forecast/imap-transfers.service';
import { FolderMissing, ImapSession, type ListedFolder } from '../../../providers/imap/session/imap-session';
import { setTimeout } from '../../../platform/concurrency/timers';
import { type LimitedServer, limitsOf, transferLimitsOf } from '../../../providers/imap/login/imap-limits';
import { presetOfHost } from '../../../providers/imap/login/imap-presets';
import { holdsMessages } from '../../../providers/imap/sync/imap-folder-roles';
import { statesExactSizes } from './exact-sizes';
import { averageSize } from './average-size';

/** Timeout of all commands after the login, in milliseconds. */
const PROBE_MS = 45_000;
const MAX_CAPABILITIES = 200;
/** Folders whose messages are counted. Each takes a command. */
const MAX_COUNTED = 200;

export interface ProbedFolder {
  readonly path: string;
  /** Delimiter between the levels of the path; null: there are no levels. */
  readonly delimiter: string | null;
  readonly role: FolderRole;
  /** Source of the role: the user, the server (RFC 6154), or the folder's name. */
  readonly source: FolderRoleSource;
  /**
   * Reason for which its messages cannot be read, or not all of them; null: they can. `count`: the server counts more
   * than it lists.
   */
  readonly problem: FolderProblem | 'count' | null;
}

/** Messages of a mailbox whose provider limits what IMAP reads of it. */
export interface ProbedAmount {
  /** Messages of the folders that are read. */
  readonly folders: readonly CutFolder[];
  /** Average size of a message in bytes, of a sample; null: no limit of bytes is known, or there is no message. */
  readonly averageSize: number | null;
}

/** Properties of a mailbox that a login found. */
export interface ProbedMailbox {
  /** Capabilities after the login, in upper case. */
  readonly capabilities: readonly string[];
  readonly folders: readonly ProbedFolder[];
  /** Whether RFC822.SIZE is the number of bytes. */
  readonly exactSizes: boolean;
  /** Whether messages have Gmail's ids and labels (X-GM-EXT-1). */
  readonly gmailLabels: boolean;
  /** Whether the server has Gmail's labels but hides All Mail, the folder of all messages. */
  readonly hidesAllMail: boolean;
  /** Null when the provider has no known limits. */
  readonly amount: ProbedAmount | null;
}

/** Logs in to a mailbox once and reads its properties, without changing it. */
@Injectable()
export class ImapProbe {
  constructor(private readonly login: ImapLogin) {}

  /**
   * @param roles roles that the user confirmed
   * @param known roles of the mailbox's folders, when it was connected before
   * @throws ImapLoginFailure
   */
  async probe(
    server: ImapServer,
    secret: LoginSecret,
    userId: string,
    roles: ImapFolderRoles,
    known: ReadonlyMap<string, GivenRole> = new Map(),
  ): Promise<ProbedMailbox> {
    const client = await this.login.open(server, secret, { userId });
    const clock = setTimeout(() => client.close(), PROBE_MS);
    try {
      const capabilities = capabilitiesOf(client);
      const listed = await new ImapSession(client).list({ withFigures: false });
      const allMail = listed.find(({ attributes }) => attributes.includes('\\all'));
      const offersLabels = capabilities.includes('X-GM-EXT-1');
      const gmailLabels = offersLabels && !!allMail && (await hasGmailIds(client, allMail.path));
      const given = gmailLabels ? gmailFolderRoles(listed) : folderRoles(listed, roles, known);
      const folders = toProbedFolders(listed, given);
      const exactSizes = await statesExactSizes(client);
      const amount = await measure(client, folders, {
        preset: presetOfHost(server.host)?.id ?? null,
        gmailLabels,
      });
      return {
        capabilities,
        folders,
        exactSizes,
        gmailLabels,
        hidesAllMail: offersLabels && !allMail,
        amount,
      };
    } catch (error) {
      throw imapLoginFailure(error, server.security === 'tls');
    } finally {
      clearTimeout(clock);
      client.close();
    }
  }

  /** Reads the certificate of a server, for the user to compare. @throws ImapLoginFailure */
  fetchCertificate(server: ImapServer, userId: string): Promise<ImapCertificate> {
    return this.login.readCertificate(server, { userId });
  }
}

const capabilitiesOf = ({ capabilities }: ImapFlow): string[] =>
  [...capabilities]
    .map(([name, value]) => (value === true ? name : `${name}=${String(value)}`).toUpperCase())
    .filter((name) => /^[\x21-\x7e]{1,100}$/.test(name))
    .slice(0, MAX_CAPABILITIES);

const toProbedFolders = (
  listed: readonly ListedFolder[],
  roles: ReadonlyMap<string, GivenRole>,
): ProbedFolder[] =>
  listed.map(({ path, delimiter, problem = null }) => {
    const { role, source } = roles.get(path) ?? { role: 'user', source: 'name' };
    return { path, delimiter, role, source, problem };
  });

/** Counts the messages that are read of a mailbox with known limits, and takes a sample of their sizes. */
async function measure(
  client: ImapFlow,
  folders: readonly ProbedFolder[],
  server: LimitedServer,
): Promise<ProbedAmount | null> {
  if (!limitsOf(server)) return null;
  const read = folders.filter(
    ({ role, source, problem }) =>
      holdsMessages(role, server.gmailLabels) && source !== 'view' && problem === null,
  );
  const session = new ImapSession(client);
  const counted: CutFolder[] = [];
  for (const { path } of read.slice(0, MAX_COUNTED)) {
    const messages = await countMessages(session, path);
    if (messages !== null) counted.push({ path, messages });
  }
  const largest = counted.toSorted((one, other) => other.messages - one.messages)[0];
  const isSampled = transferLimitsOf(server) !== null && largest !== undefined && largest.messages > 0;
  return { folders: counted, averageSize: isSampled ? await averageSize(client, largest.path) : null };
}

/** @returns null for a folder that cannot be opened, or whose figures the server does not state */
async function countMessages(session: ImapSession, path: string): Promise<number | null> {
  try {
    return (await session.status(path))?.messages ?? null;
  } catch (error) {
    if (error instanceof FolderMissing) return null;
    throw error;
  }
}

/** Whether messages have all of Gmail's attributes. Some other servers offer only a part of the extension. */
async function hasGmailIds(client: ImapFlow, allMail: string): Promise<boolean> {
  const { exists } = await client.mailboxOpen(allMail, { readOnly: true });
  if (exists === 0) return true;
  const newest = await client.fetchOne('*', { uid: true, threadId: true, labels: true });
  return !!newest && !!newest.emailId && !!newest.threadId && newest.labels !== undefined;
}
