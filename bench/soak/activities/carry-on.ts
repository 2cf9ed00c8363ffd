import { read } from '../../load/reader';
import { Random } from '../../load/reads';
import type { Journal } from '../journal';
import type { SoakAccount, SoakWorld } from '../soak-world';
import {
  beAGuest,
  cancelJob,
  changeSettings,
  checkIntegrity,
  leaveInTheMiddle,
  renewSession,
  signInAndOut,
  useApiKey,
  watchEvents,
} from './comings-and-goings';
import { importFromImap } from './imap-round';
import { MailRound } from './mail-round';

const READERS = 12;
const THINK_MS = [400, 1_200] as const;
const STREAMS = 6;
const RENEWAL_MS = 300_000;

/** Everything that goes on at once. Resolves some time after the signal, when what has begun is done. */
export async function carryOn(world: SoakWorld, journal: Journal, signal: AbortSignal): Promise<void> {
  const { users, accounts } = world;
  const random = new Random(7);
  const anyUser = () => random.of(users)!;
  const anyAccount = () => random.of(accounts)!;
  const rounds = roundNumbers();
  const repeat = (name: string, restMs: number, round: () => Promise<void>): Promise<void> =>
    journal.repeat(name, restMs, signal, round);

  await Promise.all([
    ...readers(world, journal, signal),
    ...users.map((user) => {
      const own = accounts.filter((account) => account.user === user);
      // Retention takes the mail of all accounts of a user: one of them has its round at a time.
      let turn = 0;
      return repeat('rounds of mail', 1_000, () =>
        new MailRound(world, own[turn++ % own.length]!, journal, rounds()).run(),
      );
    }),
    ...users.map((user) => repeat('renewed sessions', RENEWAL_MS, () => renewSession(user))),
    ...Array.from({ length: STREAMS }, () =>
      repeat('event streams', 500, () => watchEvents(anyUser(), random)),
    ),
    repeat('sign-ins', 2_000, () => signInAndOut(anyUser())),
    repeat('API keys', 10_000, () => useApiKey(anyUser())),
    repeat('aborted transfers', 3_000, () => leaveInTheMiddle(anyAccount())),
    repeat('settings', 3_000, () => changeSettings(anyAccount())),
    repeat('cancelled jobs', 10_000, () => cancelJob(anyAccount())),
    repeat('guests', 15_000, () => beAGuest(world, rounds())),
    repeat('integrity checks', 60_000, () => checkIntegrity(world)),
    repeat('IMAP imports', 20_000, () => importFromImap(world, anyAccount(), rounds())),
  ]);
}

function readers({ users, accounts }: SoakWorld, journal: Journal, signal: AbortSignal): Promise<void>[] {
  return Array.from({ length: READERS }, (_, index) => {
    const user = users[index % users.length]!;
    return read({
      api: user.api,
      accounts: accounts.filter((account: SoakAccount) => account.user === user),
      seed: index + 1,
      thinkMs: THINK_MS,
      signal,
      onRead: ({ failure }) => {
        if (failure === null) journal.count('reads');
        else journal.fail(failure);
      },
    });
  });
}

function roundNumbers(): () => number {
  let last = 0;
  return () => (last += 1);
}
