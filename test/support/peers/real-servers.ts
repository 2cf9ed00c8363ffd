import { CourierServer } from '../imap/courier-server';
import { CyrusServer } from '../imap/cyrus-server';
import { DistantServer } from '../imap/distant-server';
import {
  ACCESS_RIGHTS,
  type DovecotLayout,
  MAILDIR_PLUS_PLUS,
  MBOX,
  QUOTA,
  VIRTUAL_FOLDERS,
} from '../imap/dovecot-layouts';
import { TestImapServer } from '../imap/imap-server';
import type { ImapTestServer } from '../imap/imap-test-server';

const DISTANCE_MS = 10;

/** A kind of server as people run it. */
export interface RealServer {
  readonly name: string;
  readonly start: () => Promise<ImapTestServer>;
}

const dovecot = (name: string, layout: DovecotLayout): RealServer => ({
  name: `Dovecot, ${name}`,
  start: () => TestImapServer.start({ layout }),
});

/** Maildir++ whose folder `Work` is also `Twin`, by a symbolic link. */
async function startWithTwin(): Promise<TestImapServer> {
  const server = await TestImapServer.start({ layout: MAILDIR_PLUS_PLUS });
  await server.append('Work', []);
  server.link('.Work', 'Maildir/.Twin');
  return server;
}

/** A folder `Shared` that can only be read. */
async function startWithReadOnlyFolder(): Promise<TestImapServer> {
  const server = await TestImapServer.start({ layout: ACCESS_RIGHTS });
  await server.append('Shared', []);
  server.restrict('Shared', 'lr');
  return server;
}

/** Servers and set-ups that differ from plain Dovecot in what they list, keep or allow. */
export const REAL_SERVERS: readonly RealServer[] = [
  { name: 'Cyrus', start: () => CyrusServer.start() },
  { name: 'Cyrus, alternative namespace', start: () => CyrusServer.start('alternative') },
  {
    name: 'Courier, 10 ms away',
    start: async () => DistantServer.before(await CourierServer.start(), DISTANCE_MS),
  },
  dovecot('Maildir++ below INBOX.', MAILDIR_PLUS_PLUS),
  { name: 'Dovecot, one folder under two names', start: startWithTwin },
  dovecot('mbox', MBOX),
  dovecot('virtual folders', VIRTUAL_FOLDERS),
  { name: 'Dovecot, access rights', start: startWithReadOnlyFolder },
  dovecot('quota', QUOTA),
];
