import { Injectable } from '@nestjs/common';
import type { CallAttempt } from '../../gateway/provider-call';
import { ProviderGateway } from '../../gateway/provider-gateway';
import type { CallOptions, ProviderAccount } from '../../port/mailbox-provider.port';
import { ImapConnections, type UsedSession } from './imap-connections';
import { FolderMissing } from './imap-session';
import { ImapTransferLimits } from './imap-transfer-limits';
import { unavailable } from './imap-failures';

export interface ImapCall extends CallOptions {
  /** The command that the call is about, e.g. `FETCH`; others that it needs are counted with it. */
  readonly command: string;
  readonly expectedBytes?: number;
  /** False for what would have its effect twice. */
  readonly repeatable?: boolean;
}

export interface ImapAttempt extends UsedSession {
  readonly attempt: CallAttempt;
}

/** Calls to IMAP servers: each through the gateway, with a connection of the account. */
@Injectable()
export class ImapCalls {
  constructor(
    private readonly gateway: ProviderGateway,
    private readonly connections: ImapConnections,
    private readonly transfers: ImapTransferLimits,
  ) {}

  /** @throws the errors of `mail-provider.errors.ts` */
  async run<T>(
    account: ProviderAccount,
    call: ImapCall,
    work: (means: ImapAttempt) => Promise<T>,
  ): Promise<T> {
    const { command, priority, signal, fence, expectedBytes, repeatable } = call;
    await this.transfers.check(account.id, priority);
    return this.gateway.call(
      { account, endpoint: command, priority, signal, fence, expectedBytes, repeatable },
      async (attempt) => {
        const use = { account, password: attempt.secret, priority, signal: attempt.signal };
        return this.connections.use(use, async ({ session, server }) => {
          try {
            // A connection may have been waited for.
            fence?.();
            return await work({ session, server, attempt });
          } catch (error) {
            // A folder that went while we worked in it: after the next look at the mailbox it is another story.
            throw error instanceof FolderMissing ? unavailable('folder', error) : error;
          } finally {
            countCommands(session.commands.takeSent(), command, attempt);
            attempt.transferred(session.commands.takeTransferred());
          }
        });
      },
    );
  }
}

/** The gateway has counted the call as one command of its name. */
export function countCommands(
  sent: ReadonlyMap<string, number>,
  command: string,
  attempt: CallAttempt,
): void {
  for (const [name, commands] of sent) {
    const more = name === command ? commands - 1 : commands;
    if (more > 0) attempt.alsoSpent(name, more);
  }
}
