import { Body, Controller, Get, Param, Post, Query, Redirect, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AccountNotOwned } from '../../platform/access/access.errors';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import {
  MailboxAccountLimit,
  MailboxConnectedOtherwise,
  ProviderNotConfigured,
} from '../accounts/mailbox-accounts.errors';
import { ArchiveWithoutMailbox, ProviderUnavailable } from '../../providers/port/mail-provider.errors';
import { DeviceConsents } from './device-consents';
import { ConnectDeviceDto, ConnectQuery } from './dto/mailbox-connect.dto';
import {
  ConnectResponse,
  DeviceConsentResponse,
  DeviceConsentStateResponse,
  toDeviceConsent,
  toDeviceConsentState,
} from './dto/mailbox-connect.response';
import { MailboxConnectService } from './mailbox-connect.service';
import { ConsentCookie } from './consent-states';
import { PresentedSession } from './presented-session';

@ApiTags('mailbox-accounts')
@OperationGroup('mailboxAccounts')
@Controller('auth/mailbox')
export class MailboxConnectController {
  constructor(
    private readonly connections: MailboxConnectService,
    private readonly devices: DeviceConsents,
    private readonly cookie: ConsentCookie,
    private readonly presented: PresentedSession,
  ) {}

  /**
   * Start connecting a mailbox. Open the returned URL in the browser: the provider asks for consent there. The
   * consent is bound to this client, by a cookie in this response or by the access token of this request.
   */
  @Get('connect')
  @Authenticated()
  @ApiProblems(
    new MailboxAccountLimit(),
    new AccountNotOwned(),
    new ArchiveWithoutMailbox(),
    new MailboxConnectedOtherwise(),
    new ProviderNotConfigured(),
  )
  async connect(
    @CurrentSession() user: SessionUser,
    @Query() query: ConnectQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConnectResponse> {
    const { url, consent } = await this.connections.begin(user, query.provider, query.accountId);
    this.cookie.set(response, consent);
    return { url };
  }

  /**
   * Receive the browser from the mail provider. Redirects to the settings page of the application and passes on the
   * outcome.
   */
  @Get('callback')
  @Public()
  @Redirect()
  @ApiQuery({ name: 'state', required: false, type: String, description: 'From the consent URL' })
  @ApiQuery({ name: 'code', required: false, type: String, description: 'Authorisation code' })
  @ApiQuery({
    name: 'error',
    required: false,
    type: String,
    description: 'The provider’s error, instead of a code',
  })
  @ApiResponse({
    status: 302,
    description: 'To `/settings?mailbox=connected&account=…` or `/settings?mailbox=error&code=…`',
  })
  @NotInWebClient('the provider leads the browser there')
  async callback(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query('state') state?: unknown,
    @Query('code') code?: unknown,
    @Query('error') error?: unknown,
  ): Promise<{ url: string; statusCode: number }> {
    const url = await this.connections.complete(
      { state, code, error },
      {
        browserSecret: this.cookie.take(request, response, state),
        sessionId: this.presented.idOf(request),
      },
    );
    return { url, statusCode: 302 };
  }

  /**
   * Start connecting a mailbox with a code. Show the code and the provider's page to the person, then ask for the state. The
   * provider need not be able to reach this service.
   */
  @Post('device')
  @Authenticated()
  @ApiProblems(
    new MailboxAccountLimit(),
    new AccountNotOwned(),
    new ArchiveWithoutMailbox(),
    new MailboxConnectedOtherwise(),
    new ProviderNotConfigured(),
    new ProviderUnavailable(),
  )
  async connectDevice(
    @CurrentSession() user: SessionUser,
    @Body() { provider, accountId }: ConnectDeviceDto,
  ): Promise<DeviceConsentResponse> {
    return toDeviceConsent(await this.devices.begin(user, provider, accountId));
  }

  /** Get the state of a consent with a code. Once the person has consented, this connects the mailbox. */
  @Get('device/:consentId')
  @Authenticated()
  @ApiProblems(new ResourceNotFound('consent'))
  async getDeviceConsent(
    @CurrentSession() user: SessionUser,
    @Param('consentId') consentId: string,
  ): Promise<DeviceConsentStateResponse> {
    return toDeviceConsentState(await this.devices.check(user, consentId));
  }
}
