import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned } from '../../../platform/access/access.errors';
import type { SessionUser } from '../../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, OwnsAccount, SessionOnly } from '../../../platform/access/policies';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../../platform/validation/some-fields.pipe';
import { ArchiveWithoutMailbox } from '../../../providers/port/mail-provider.errors';
import {
  AnotherMailbox,
  MailboxAccountLimit,
  MailboxBeingPurged,
  MailboxConnectedOtherwise,
} from '../../accounts/mailbox-accounts.errors';
import { ConnectImapDto, DiscoverImapDto, UpdateImapDto } from '../dto/imap-connect.dto';
import {
  ConnectedImapResponse,
  ImapAccountResponse,
  ImapDiscoveryResponse,
  ImapTestResponse,
  toConnected,
  toDiscovery,
  toImapAccount,
  toTest,
} from '../dto/imap-connect.response';
import { ImapConnectFailed, ImapNotConnected } from './imap-connect.errors';
import { ImapConnectService } from './imap-connect.service';

const PROBLEM = { detail: 'The server refused the user name or the password.', serverText: null };
const REFUSED = new ImapConnectFailed({ ...PROBLEM, code: 'imap-login-failed', field: 'password' });
const UNAVAILABLE = new ImapConnectFailed({
  code: 'imap-unavailable',
  detail: 'The server says that it is not available at the moment.',
  field: null,
  serverText: null,
});

@ApiTags('mailbox-accounts')
@OperationGroup('imapAccounts')
@SessionOnly()
@Controller('auth/mailbox')
export class ImapConnectController {
  constructor(private readonly connections: ImapConnectService) {}

  /**
   * Find the IMAP servers of an address. The servers come from known providers, the domain's own data (autoconfig, SRV
   * records) and the usual host name, the most certain first, within 8 seconds. No password is involved: choose a
   * server before you send one.
   */
  @Post('imap/discover')
  @Authenticated()
  @HttpCode(200)
  async discover(
    @CurrentSession() user: SessionUser,
    @Body() { email }: DiscoverImapDto,
  ): Promise<ImapDiscoveryResponse> {
    return toDiscovery(await this.connections.discover(user.id, email));
  }

  /**
   * Test the login to a mailbox by IMAP, without connecting it. Resolves the host, connects with TLS, logs in, lists
   * the folders, opens INBOX for reading, and compares the size of three messages. A failure is a normal answer: it
   * names the field to change, and has the certificate when it could not be verified.
   */
  @Post('imap/test')
  @Authenticated()
  @HttpCode(200)
  @ApiProblems(new AccountNotOwned(), new ArchiveWithoutMailbox())
  async test(@CurrentSession() user: SessionUser, @Body() wanted: ConnectImapDto): Promise<ImapTestResponse> {
    return toTest(await this.connections.test(user.id, wanted));
  }

  /**
   * Connect a mailbox by IMAP. The login is tested first; when the server refuses it, its text is in `serverText`. With
   * `accountId` an account is connected again: only the password is needed when its server is the same.
   */
  @Post('imap')
  @Authenticated()
  @ApiProblems(
    new MailboxAccountLimit(),
    new AccountNotOwned(),
    new ArchiveWithoutMailbox(),
    new AnotherMailbox(),
    new MailboxBeingPurged(),
    new MailboxConnectedOtherwise(),
    REFUSED,
    UNAVAILABLE,
  )
  async connect(
    @CurrentSession() user: SessionUser,
    @Body() wanted: ConnectImapDto,
  ): Promise<ConnectedImapResponse> {
    return toConnected(await this.connections.connect(user.id, wanted), new Date());
  }

  /** Get the IMAP server of a mailbox. Capabilities and roles of folders are those of the last sync. */
  @Get(':accountId/imap')
  @OwnsAccount()
  @ApiProblems(new ImapNotConnected())
  async get(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
  ): Promise<ImapAccountResponse> {
    return toImapAccount(await this.connections.describe(user.id, accountId));
  }

  /**
   * Change the IMAP server of a mailbox, or the roles of its folders. Host, port, protection, user name and certificate
   * can only be changed together with the password, and only when the login succeeds.
   */
  @Patch(':accountId/imap')
  @OwnsAccount()
  @ApiProblems(new ImapNotConnected(), REFUSED, UNAVAILABLE)
  async update(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
    @Body(SomeFieldsPipe) changes: UpdateImapDto,
  ): Promise<ImapAccountResponse> {
    return toImapAccount(await this.connections.update(user.id, accountId, changes));
  }
}
