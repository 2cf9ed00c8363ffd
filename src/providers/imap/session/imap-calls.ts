import { Injectable } from '@nestjs/common';
import type { CallAttempt } from '../../gateway/provider-call';
import { ProviderGateway } from '../../gateway/provider-gateway';
import type { CallOptions, ProviderAccount } from '../../port/mailbox-provider.port';
import { ImapConnections, type UsedSession } from './imap-connections';
import { FolderMissing } from './imap-session';
import { ImapTransferLimits } from './imap-transfer-limits';
import { unavailable } from './imap-failures';

export interface ImapCall extends CallOptions {
  /** Main command of the call, e.g. `FETCH`. Further commands that it needs are counted too. */
  readonly command: string;
  readonly expectedBytes?: number;
  /** False for calls that would take effect twice when repeated. */
  readonly repeatable?: boolean;
}

export interface ImapAttempt extends UsedSession {
  readonly attempt: CallAttempt;
}

/** Makes calls to IMAP servers, each through the gateway and with a connection of the account. */
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
    work: (attempt: ImapAttempt) => Promise<T>,
  ): Promise<T> {
    const { command, priority, signal, fence, expectedBytes, repeatable } = call;
    await this.transfers.check(account.id, priority);
    return this.gateway.call(
      { account, endpoint: command, priority, signal, fence, expectedBytes, repeatable },
      async (attempt) => {
        const secret = { kind: attempt.secretKind, value: attempt.secret };
        const use = { account, secret, priority, signal: attempt.signal };
        return this.connections.use(use, async ({ session, server }) => {
          try {
            // The call may have waited for a connection.
            fence?.();
            return await work({ session, server, attempt });
          } catch (error) {
            // The folder disappeared during the call. A later attempt may succeed, after the next sync of the mailbox.
            throw error instanceof FolderMissing ? unavailable('folder', error) : error;
          } finally {
            countCommands(session.commands.takeSent(), command, attempt);
            attempt.countBytes(session.commands.takeTransferred());
          }
        });
      },
    );
  }
}

/** Counts the commands that were sent, but for the one that the gateway has counted as the call. */
export function countCommands(
  sent: ReadonlyMap<string, number>,
  command: string,
  attempt: CallAttempt,
): void {
  for (const [name, commands] of sent) {
    const more = name === command ? commands - 1 : commands;
    if (more > 0) attempt.countFurtherCalls(name, more);
  }
}
