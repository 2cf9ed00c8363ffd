import type { INestApplicationContext } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { ImapAccountsRepository } from '../../../src/providers/imap/login/imap-accounts.repository';
import { MailboxAccountsService } from '../../../src/mailbox/accounts/mailbox-accounts.service';
import type { ImapTestServer } from './imap-test-server';
import { fingerprintOf } from './test-certificate';

/**
 * Connects a mailbox of a test's IMAP server as the connecting routes do, without their test of the server.
 * @returns the account id
 */
export async function connectImap(
  { app }: { readonly app: INestApplicationContext },
  user: { readonly id: string },
  server: ImapTestServer,
  {
    maxConnections = 3,
    port = server.tlsPort,
    certificate = readFileSync(server.certificatePath, 'utf8'),
  } = {},
): Promise<string> {
  const mailbox = {
    email: server.email,
    credentials: { kind: 'password' as const, password: server.pass },
    scopes: [],
  };
  return app.get(MailboxAccountsService).connect(user.id, 'imap', mailbox, (accountId, transaction) =>
    app.get(ImapAccountsRepository).save(
      {
        accountId,
        host: 'localhost',
        port,
        security: 'tls',
        username: server.user,
        certificateSha256: fingerprintOf(certificate),
        capabilities: [],
        preset: null,
        maxConnections,
        exactSizes: true,
        gmailLabels: false,
        roles: {},
        oauthIssuer: null,
      },
      transaction,
    ),
  );
}
