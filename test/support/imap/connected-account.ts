import { readFileSync } from 'node:fs';
import { ImapAccounts } from '../../../src/mail-provider/imap/imap-accounts.repository';
import { MailboxAccountsService } from '../../../src/mailbox/mailbox-accounts.service';
import type { TestApp } from '../app';
import type { TestUser } from '../test-user';
import type { TestImapServer } from './imap-server';
import { fingerprintOf } from './test-certificate';

/**
 * Connects a mailbox of a test's IMAP server as the connecting routes do, without their test of the server.
 * @returns the account id
 */
export async function connectImap(
  sut: TestApp,
  user: TestUser,
  server: TestImapServer,
  maxConnections = 3,
): Promise<string> {
  const mailbox = {
    email: server.user,
    credentials: { kind: 'password' as const, password: server.pass },
    scopes: [],
  };
  return sut.app.get(MailboxAccountsService).connect(user.id, 'imap', mailbox, (accountId, transaction) =>
    sut.app.get(ImapAccounts).save(
      {
        accountId,
        host: 'localhost',
        port: server.tlsPort,
        security: 'tls',
        username: server.user,
        certificateSha256: fingerprintOf(readFileSync(server.certificatePath, 'utf8')),
        capabilities: [],
        preset: null,
        maxConnections,
        exactSizes: true,
        roles: {},
      },
      transaction,
    ),
  );
}
