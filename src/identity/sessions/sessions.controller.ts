import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { DeviceSessionResponse, toDeviceSessionResponse } from './dto/sessions.response';
import { SessionsService } from './sessions.service';

@ApiTags('auth')
@OperationGroup('sessions')
@Authenticated()
@Controller('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * List your sessions, the one used last first. One for each sign-in that has neither ended nor expired: its device, its
   * address and its times. At most 500.
   */
  @Get()
  async list(@CurrentSession() user: SessionUser): Promise<DeviceSessionResponse[]> {
    const sessions = await this.sessions.list(user.id);
    return sessions.map((session) => toDeviceSessionResponse(session, user.sessionId));
  }

  /**
   * End a session. Its device is signed out at once, in every process, and its event streams end. Ending the current one
   * is signing out.
   */
  @Delete(':sessionId')
  @HttpCode(204)
  @ApiProblems(new ResourceNotFound('session'))
  async end(@CurrentSession() user: SessionUser, @Param('sessionId') sessionId: string): Promise<void> {
    await this.sessions.endOwned(user.id, sessionId);
  }

  /** End all your other sessions. Only the one that asks stays; API keys stay too. */
  @Delete()
  @HttpCode(204)
  async endOthers(@CurrentSession() user: SessionUser): Promise<void> {
    await this.sessions.endOthers(user.id, user.sessionId);
  }
}
