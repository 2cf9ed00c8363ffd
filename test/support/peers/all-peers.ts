import { TestImapServer } from '../imap/imap-server';
import { ALL_TIERS } from '../nightly';

import { GmailImapPeer } from './gmail-imap-peer';
import { IMAP_PROFILES, NIGHTLY_IMAP_PROFILES } from './imap-profiles';
import { ImapServerPeer } from './imap-server-peer';
import type { MailboxPeer } from './mailbox-peer';
import { REAL_SERVERS } from './real-servers';
import { SandboxPeer } from './sandbox-peer';

/** All kinds of IMAP servers; `imap-profiles` tests what is refused without UIDPLUS or MOVE. */
const PROFILES = ALL_TIERS ? [...IMAP_PROFILES, ...NIGHTLY_IMAP_PROFILES] : [];
/** `real-servers` has a sample of what people do there. */
const SERVERS = ALL_TIERS ? REAL_SERVERS : [];

/** A mailbox of each kind that a feature has to work with, by its name, for `describe.each`. */
export const allPeers = (): (readonly [string, MailboxPeer])[] =>
  [
    new SandboxPeer(),
    new ImapServerPeer('IMAP', () => TestImapServer.start()),
    new GmailImapPeer(),
    ...PROFILES.filter(({ canDelete, canMove }) => canDelete && canMove).map(
      ({ name, capability }) =>
        new ImapServerPeer(`IMAP ${name}`, () => TestImapServer.start({ capability })),
    ),
    ...SERVERS.map(({ name, start }) => new ImapServerPeer(name, start)),
  ].map((peer) => [peer.name, peer] as const);
