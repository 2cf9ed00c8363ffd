const ALL = [
  'IMAP4rev1', 'SASL-IR', 'ENABLE', 'IDLE', 'LITERAL+', 'AUTH=PLAIN', 'NAMESPACE', 'UIDPLUS', 'LIST-EXTENDED',
  'LIST-STATUS', 'SPECIAL-USE', 'UNSELECT', 'CONDSTORE', 'QRESYNC', 'ESEARCH', 'MOVE',
]; // prettier-ignore
const without = (...names: readonly string[]): string =>
  ALL.filter((name) => !names.includes(name)).join(' ');

/** The capabilities that a server advertises. */
export interface ImapProfile {
  readonly name: string;
  readonly capability: string;
  /** Whether single messages can be removed safely. */
  readonly canDelete: boolean;
  /** Whether messages can leave a folder at all. */
  readonly canMove: boolean;
}

const profile = (name: string, capability: string, canDelete = true, canMove = true): ImapProfile => ({
  name,
  capability,
  canDelete,
  canMove,
});
const BARE = 'IMAP4rev1 AUTH=PLAIN';

export const IMAP_PROFILES: readonly ImapProfile[] = [
  profile('with everything', without()),
  profile('without MOVE, CONDSTORE and LIST-STATUS', without('MOVE', 'CONDSTORE', 'QRESYNC', 'LIST-STATUS')),
  profile('without UIDPLUS', without('UIDPLUS'), false),
];
export const NIGHTLY_IMAP_PROFILES: readonly ImapProfile[] = [
  profile('without QRESYNC', without('QRESYNC')),
  profile('without CONDSTORE', without('QRESYNC', 'CONDSTORE')),
  profile('without MOVE', without('MOVE')),
  profile('without LIST-STATUS', without('LIST-STATUS')),
  profile('without ESEARCH', without('ESEARCH')),
  profile('without any extension', BARE, false, false),
];
