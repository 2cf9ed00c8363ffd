import { Transactions } from '../../../src/platform/database/transactions';
import { GmailLabelWrites } from '../../../src/providers/imap/writes/gmail-label-writes';
import {
  type ImapAccount,
  ImapAccountsRepository,
} from '../../../src/providers/imap/login/imap-accounts.repository';
import { ImapBodies } from '../../../src/providers/imap/messages/imap-bodies';
import { ImapFolderChecks } from '../../../src/providers/imap/imap-folder-checks';
import { ImapFoldersRepository } from '../../../src/providers/imap/store/imap-folders.repository';
import {
  type HistoryEntry,
  ImapHistoryRepository,
} from '../../../src/providers/imap/store/imap-history.repository';
import type { ImapFolderEntity } from '../../../src/providers/imap/store/imap-index.entity';
import { ImapListingRepository } from '../../../src/providers/imap/store/imap-listing.repository';
import { type Place, ImapPlacesRepository } from '../../../src/providers/imap/store/imap-places.repository';
import { ImapSync } from '../../../src/providers/imap/sync/imap-sync';
import { ImapWrites } from '../../../src/providers/imap/writes/imap-writes';
import type {
  CallOptions,
  LabelChange,
  ProviderAccount,
  RawMessage,
} from '../../../src/providers/port/mailbox-provider.port';
import { ProviderGateway } from '../../../src/providers/gateway/provider-gateway';
import { ImapCalls } from '../../../src/providers/imap/session/imap-calls';
import type { ImapConnections, UsedSession } from '../../../src/providers/imap/session/imap-connections';
import { unavailable } from '../../../src/providers/imap/session/imap-failures';
import { ImapTransferLimits } from '../../../src/providers/imap/session/imap-transfer-limits';
import { ProviderUnavailable } from '../../../src/providers/port/mail-provider.errors';
import { MailboxAccountsService } from '../../../src/mailbox/accounts/mailbox-accounts.service';
import type { TestApp } from '../app';
import { FickleMailbox } from './fickle-mailbox';

const interactive: CallOptions = { priority: 'interactive' };

/** A connected account whose server is a mailbox in memory. */
export class FickleAccount {
  /** Whether calls go through the gateway, which repeats those that fail for the moment. */
  usesGateway = false;

  private constructor(
    private readonly sut: TestApp,
    readonly mailbox: FickleMailbox,
    readonly account: ProviderAccount,
    readonly server: ImapAccount,
  ) {}

  static async connect(sut: TestApp, { gmailLabels = false } = {}): Promise<FickleAccount> {
    const user = await sut.user();
    const email = 'fickle@imap.test';
    const credentials = { kind: 'password' as const, password: 'x' };
    const id = await sut.app
      .get(MailboxAccountsService)
      .connect(user.id, 'imap', { email, credentials, scopes: [] });
    const server: ImapAccount = {
      ...{ accountId: id, host: 'imap.test', port: 993, security: 'tls', username: 'fickle' },
      ...{ certificateSha256: null, capabilities: [], preset: null, maxConnections: 3, exactSizes: true },
      ...{ gmailLabels, roles: {}, oauthIssuer: null },
    };
    await sut.app.get(ImapAccountsRepository).save(server);
    const account = { id, userId: user.id, email, provider: 'imap' };
    const mailbox = new FickleMailbox();
    mailbox.gmailLabels = gmailLabels;
    return new FickleAccount(sut, mailbox, account, server);
  }

  /** Looks at the whole mailbox. */
  async look(): Promise<void> {
    const sync = this.sut.app.get(ImapSync);
    const session = this.mailbox.session();
    const { account, server } = this;
    await sync.run({ account, server }, session);
    while (await sync.readHeaders({ account, server }, session, 500)) continue;
  }

  read(id: string): Promise<RawMessage> {
    const { app } = this.sut;
    const bodies = new ImapBodies(
      this.calls(),
      app.get(ImapFoldersRepository),
      app.get(ImapPlacesRepository),
      app.get(ImapListingRepository),
      app.get(ImapSync),
    );
    return bodies.readRaw(this.account, id, interactive);
  }

  writes(): ImapWrites {
    const { app } = this.sut;
    return new ImapWrites(
      this.calls(),
      app.get(ImapFoldersRepository),
      app.get(ImapPlacesRepository),
      app.get(ImapSync),
      app.get(GmailLabelWrites),
      app.get(Transactions),
      app.get(ImapFolderChecks),
    );
  }

  change(ids: readonly string[], change: LabelChange): Promise<void> {
    return this.writes().modify(this.account, ids, change, interactive);
  }

  delete(...ids: string[]): Promise<void> {
    return this.writes().delete(this.account, ids, interactive);
  }

  private calls(): ImapCalls {
    if (!this.usesGateway) return this.mailbox.calls(this.server);
    const { app } = this.sut;
    const { mailbox, server } = this;
    const connections = {
      use: async <T>(_use: object, work: (used: UsedSession) => Promise<T>): Promise<T> => {
        try {
          return await work({ session: mailbox.newSession(), server });
        } catch (error) {
          throw error instanceof ProviderUnavailable ? unavailable('connection', error) : error;
        }
      },
    };
    return new ImapCalls(
      app.get(ProviderGateway),
      connections as unknown as ImapConnections,
      app.get(ImapTransferLimits),
    );
  }

  /** The history from its beginning. */
  told(): Promise<(HistoryEntry & { readonly seq: number })[]> {
    return this.sut.app.get(ImapHistoryRepository).listSince(this.account.id, 0, 1_000);
  }

  /** A folder as it is known. */
  async folder(path: string): Promise<ImapFolderEntity> {
    const folders = await this.sut.app.get(ImapFoldersRepository).list(this.account.id);
    return folders.find((folder) => folder.path === path)!;
  }

  /** Messages at UIDs of a folder, as they are known. */
  async at(path: string, ...uids: number[]): Promise<Place[]> {
    return this.sut.app.get(ImapPlacesRepository).findAt((await this.folder(path)).id, uids);
  }
}
