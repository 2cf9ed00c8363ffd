import { Injectable } from '@nestjs/common';
import { UsageHistory } from '../../gateway/usage-history';
import { ImapServersService } from '../imap-servers.service';
import { type LimitedServer, mayHideMessages, transferLimitsOf } from '../login/imap-limits';
import { IMAP_PRESETS, presetOfHost } from '../login/imap-presets';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import { holdsMessages } from '../sync/imap-folder-roles';
import { completionOf, type DailyBytes } from './transfer-forecast';

/** A folder that shows so many messages that its provider may hide older ones. */
export interface CutFolder {
  readonly path: string;
  readonly messages: number;
}

/** Limits of a connected IMAP mailbox, and what is known of it. */
export interface ImapTransfers {
  /** Name of the provider; null when it is not known. */
  readonly provider: string | null;
  /** Bytes that may be read in a day; null when no limit is known. `sent` likewise. */
  readonly received: DailyBytes | null;
  readonly sent: DailyBytes | null;
  readonly cutFolders: readonly CutFolder[];
  /** Whether every message of the mailbox is listed, with its exact size. */
  readonly isListed: boolean;
}

/** Limits of bytes and messages of mailboxes on IMAP servers. */
@Injectable()
export class ImapTransfersService {
  constructor(
    private readonly servers: ImapServersService,
    private readonly usage: UsageHistory,
  ) {}

  /** Describes the limits of the user's account; null: it is not connected by IMAP, or not the user's. */
  async find(userId: string, accountId: string): Promise<ImapTransfers | null> {
    const server = await this.servers.findOwned(userId, accountId);
    if (!server) return null;
    const limits = transferLimitsOf(server);
    const used = limits && (await this.usage.sum(userId, accountId)).imap;
    const folders = (await this.servers.listFolders(accountId)).filter((folder) => isRead(folder, server));
    return {
      provider: providerOf(server),
      received: limits && { limit: limits.receivedBytes, used: used?.receivedBytes ?? 0 },
      sent: limits && { limit: limits.sentBytes, used: used?.sentBytes ?? 0 },
      cutFolders: cutFoldersOf(
        server,
        folders.map(({ path, messageCount }) => ({ path, messages: messageCount })),
      ),
      isListed: server.exactSizes && folders.every(({ uidValidity }) => uidValidity > 0),
    };
  }

  /**
   * Forecasts when so many bytes have been sent to a connected mailbox, or to a server that a job names.
   * @returns null when the day's limit is enough, or none is known
   */
  async forecastSending(
    userId: string,
    target: { readonly accountId: string | null; readonly host: string | null },
    bytes: number,
    now: Date,
  ): Promise<Date | null> {
    const { accountId, host } = target;
    const sent = accountId !== null ? (await this.find(userId, accountId))?.sent : sentLimitOf(host ?? '');
    return sent ? completionOf(bytes, sent, now) : null;
  }
}

/** The use of a mailbox that is not connected is not known: it counts as none. */
function sentLimitOf(host: string): DailyBytes | null {
  const limits = transferLimitsOf({ preset: presetOfHost(host)?.id ?? null, gmailLabels: false });
  return limits && { limit: limits.sentBytes, used: 0 };
}

const isRead = (
  { role, roleSource, problem }: ImapFolderEntity,
  { gmailLabels }: { readonly gmailLabels: boolean },
): boolean => holdsMessages(role, gmailLabels) && roleSource !== 'view' && problem === null;

/** Returns the name of the provider of a server; null when it is not known. */
export const providerOf = ({ preset, gmailLabels }: LimitedServer): string | null =>
  IMAP_PRESETS.find(({ id }) => id === (gmailLabels ? 'gmail' : preset))?.name ?? null;

/** Returns the folders that may have older messages that the provider hides. */
export const cutFoldersOf = (server: LimitedServer, folders: readonly CutFolder[]): CutFolder[] =>
  folders.filter(({ messages }) => mayHideMessages(server, messages));
