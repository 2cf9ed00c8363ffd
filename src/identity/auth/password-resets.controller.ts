import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AuthRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { deviceOf } from '../sessions/device';
import { SignInBusy } from '../users/users.errors';
import { PasswordResetInvalid } from './auth.errors';
import { CompletePasswordResetDto, ReadPasswordResetDto } from './dto/password-resets.dto';
import { PasswordResetResponse, toPasswordResetResponse } from './dto/password-resets.response';
import { PasswordResetsService } from './password-resets.service';

@ApiTags('auth')
@OperationGroup('auth')
@Controller('auth/password-reset')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResetsService) {}

  /** Read a link for another password. Says whose password it is. The token stays good. */
  @Post()
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new PasswordResetInvalid())
  async readPasswordReset(@Body() { token }: ReadPasswordResetDto): Promise<PasswordResetResponse> {
    return toPasswordResetResponse(await this.resets.read(token));
  }

  /**
   * Choose another password by a link. The token is used up, and all sessions of the user end. It opens no session: sign in
   * with the new password then, and with a code where one-time codes are on.
   */
  @Post('complete')
  @HttpCode(204)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new PasswordResetInvalid(), new SignInBusy())
  async completePasswordReset(
    @Body() { token, password }: CompletePasswordResetDto,
    @Req() request: Request,
  ): Promise<void> {
    await this.resets.complete(token, password, deviceOf(request));
  }
}
