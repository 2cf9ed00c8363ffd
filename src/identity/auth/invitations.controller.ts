import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AuthRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { deviceOf } from '../sessions/device';
import { SignInBusy } from '../users/users.errors';
import { InvitationInvalid } from './auth.errors';
import { SessionResponse } from './dto/auth.response';
import { AcceptInvitationDto, ReadInvitationDto } from './dto/invitations.dto';
import { InvitationResponse, toInvitationResponse } from './dto/invitations.response';
import { InvitationsService } from './invitations.service';
import { SessionTransport } from './session-transport';

@ApiTags('auth')
@OperationGroup('auth')
@Controller('auth/invitation')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly transport: SessionTransport,
  ) {}

  /** Read an invitation. Says whom it is for. The token stays good. */
  @Post()
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new InvitationInvalid())
  async readInvitation(@Body() { token }: ReadInvitationDto): Promise<InvitationResponse> {
    return toInvitationResponse(await this.invitations.read(token));
  }

  /** Accept an invitation and sign in. Sets the user's first password; the token is used up. */
  @Post('accept')
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new InvitationInvalid(), new SignInBusy())
  async acceptInvitation(
    @Body() { token, password }: AcceptInvitationDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    return this.transport.send(await this.invitations.accept(token, password, deviceOf(request)), response);
  }
}
