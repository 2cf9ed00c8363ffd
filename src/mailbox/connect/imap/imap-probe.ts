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
import { ImapSession, type ListedFolder } from '../../../providers/imap/session/imap-session';
import { setTimeout } from '../../../platform/concurrency/timers';
import { statesExactSizes } from './exact-sizes';

/** Timeout of all commands after the login, in milliseconds. */
const PROBE_MS = 45_000;
const MAX_CAPABILITIES = 200;

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
      return { capabilities, folders, exactSizes, gmailLabels, hidesAllMail: offersLabels && !allMail };
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

/** Whether messages have all of Gmail's attributes. Some other servers offer only a part of the extension. */
async function hasGmailIds(client: ImapFlow, allMail: string): Promise<boolean> {
  const { exists } = await client.mailboxOpen(allMail, { readOnly: true });
  if (exists === 0) return true;
  const newest = await client.fetchOne('*', { uid: true, threadId: true, labels: true });
  return !!newest && !!newest.emailId && !!newest.threadId && newest.labels !== undefined;
}
