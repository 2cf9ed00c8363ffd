import { Controller, Get, Query, Redirect, Req } from '@nestjs/common';
import { ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { AuthenticatedUser } from '../../../common/auth/authenticated-user';
import { Authenticated, CurrentUser, Public } from '../../../common/auth/policies';
import { ApiProblems } from '../../../common/openapi/api-problems';
import { ConnectQuery } from './connect.dto';
import { ConnectResponse } from './connect.response';
import { ConnectService } from './connect.service';
import { PresentedSession } from './presented-session';

@ApiTags('mailbox accounts')
@Controller('auth/mailbox')
export class MailboxConnectController {
  constructor(
    private readonly connections: ConnectService,
    private readonly presented: PresentedSession,
  ) {}

  /** Begins to connect a mailbox: the answer's URL is where the provider asks for consent. */
  @Get('connect')
  @Authenticated()
  @ApiProblems(400, 403, 503)
  async connect(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ConnectQuery,
  ): Promise<ConnectResponse> {
    return { url: await this.connections.begin(user, query.provider, query.accountId) };
  }

  /** Where the provider sends the browser back; leads on to the application's settings page. */
  @Get('callback')
  @Public()
  @Redirect()
  @ApiQuery({ name: 'state', required: false, type: String, description: 'From the consent URL' })
  @ApiQuery({ name: 'code', required: false, type: String, description: 'Authorisation code' })
  @ApiQuery({ name: 'error', required: false, type: String, description: 'Why there is no code' })
  @ApiResponse({
    status: 302,
    description: 'To `/settings?mailbox=connected&account=…` or `/settings?mailbox=error&code=…`',
  })
  @ApiProblems(429)
  async callback(
    @Req() request: Request,
    @Query('state') state?: unknown,
    @Query('code') code?: unknown,
    @Query('error') error?: unknown,
  ): Promise<{ url: string; statusCode: number }> {
    const returning = await this.presented.userOf(request);
    const url = await this.connections.complete({ state, code, error }, returning);
    return { url, statusCode: 302 };
  }
}
