import type { ImapFlow } from 'imapflow';
import { responseCode, type UntaggedAnswer } from '../session/imap-answers';
import { atom, type Argument, ImapCommands } from '../session/imap-commands';
import { imapFailure } from '../session/imap-failures';
import { ProviderFailure } from '../../gateway/provider-call';
import { setTimeout } from '../../../platform/concurrency/timers';

/**
 * Time after which IDLE is restarted, in milliseconds: servers close silent connections (RFC 2177: after 30 minutes;
 * some after ten).
 */
export const IDLE_RESTART_MS = 9 * 60_000;
/** Untagged responses that report a change. */
const CHANGES = ['EXISTS', 'EXPUNGE', 'VANISHED', 'FETCH', 'STATUS', 'LIST'];

/** Methods of the client for IDLE, which its types do not declare. */
interface Idling {
  exec(
    command: string,
    attributes: false,
    options: { untagged: Record<string, (answer: UntaggedAnswer) => void>; onPlusTag: () => Promise<void> },
  ): Promise<{ next(): void }>;
  write(line: string): void;
}

export interface IdleOptions {
  readonly signal: AbortSignal;
  readonly restartMs: number;
  /** Called once the server reports changes. */
  readonly onReady: () => void;
  readonly onChange: () => void;
}

/**
 * Asks the server to report changes in all folders, not only in the open one (NOTIFY, RFC 5465).
 * @returns false where it does not support that, or refuses
 */
export async function notifyOfAllFolders(commands: ImapCommands): Promise<boolean> {
  if (!commands.client.capabilities.has('NOTIFY')) return false;
  const events = (...names: string[]): Argument => names.map(atom);
  const messages = ['MessageNew', 'MessageExpunge', 'FlagChange'];
  try {
    await commands.send('NOTIFY', [
      atom('SET'),
      [atom('SELECTED'), events(...messages)],
      [atom('PERSONAL'), events(...messages, 'MailboxName')],
    ]);
    return true;
  } catch (error) {
    if (error instanceof ProviderFailure && commands.usable) return false;
    throw error;
  }
}

/**
 * Listens in IDLE (RFC 2177) until the signal or the server ends it, or the server says that it has dropped notifications
 * (NOTIFICATIONOVERFLOW).
 */
export async function idle(client: ImapFlow, options: IdleOptions): Promise<void> {
  const { signal, restartMs, onReady, onChange } = options;
  const connection = client as unknown as Idling;
  let hasOverflowed = false;
  let isFirst = true;
  const close = (): void => client.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    while (!signal.aborted && !hasOverflowed && client.usable) {
      let clock: NodeJS.Timeout | undefined;
      const done = (): void => connection.write('DONE');
      const { next } = await connection
        .exec('IDLE', false, {
          untagged: {
            ...Object.fromEntries(CHANGES.map((name) => [name, onChange])),
            OK: (answer) => {
              if (responseCode(answer)[0] !== 'NOTIFICATIONOVERFLOW') return;
              hasOverflowed = true;
              done();
            },
          },
          onPlusTag: async () => {
            clock = setTimeout(done, restartMs);
            if (isFirst) onReady();
            isFirst = false;
          },
        })
        .finally(() => clearTimeout(clock));
      next();
    }
  } catch (error) {
    // A connection that ended ends the watch, whichever side closed it.
    if (client.usable) throw imapFailure(error);
  } finally {
    signal.removeEventListener('abort', close);
  }
}
