import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AuthRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { SessionResponse } from '../auth/dto/auth.response';
import { SessionTransport } from '../auth/session-transport';
import { deviceOf } from '../sessions/device';
import {
  NoLocalPassword,
  PasswordInvalid,
  TotpInvalid,
  TotpUnreadable,
} from '../two-factor/two-factor.errors';
import { SignInBusy } from '../users/users.errors';
import { AddPasskeyDto, BeginAddingPasskeyDto, PasskeySignInDto, RenamePasskeyDto } from './dto/passkeys.dto';
import {
  PasskeyCreationOptionsResponse,
  PasskeyRequestOptionsResponse,
  PasskeyResponse,
  toPasskeyResponse,
} from './dto/passkeys.response';
import { PasskeySignInService } from './passkey-sign-in.service';
import { PasskeyInvalid, PasskeyLimit, PasskeyRefused, PasskeysUnavailable } from './passkeys.errors';
import { PasskeysService } from './passkeys.service';

@ApiTags('passkeys')
@OperationGroup('passkeys')
@Controller('auth/passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly signIns: PasskeySignInService,
    private readonly transport: SessionTransport,
  ) {}

  /** List your passkeys, newest first. Name, kind and last use of each; their keys stay in the service. */
  @Get()
  @Authenticated()
  async list(@CurrentSession() user: SessionUser): Promise<PasskeyResponse[]> {
    return (await this.passkeys.list(user.id)).map(toPasskeyResponse);
  }

  /**
   * Begin to add a passkey. Needs the password, and a one-time code where those are on. Give the answer to
   * `navigator.credentials.create()`, and send its result to `POST /api/auth/passkeys` within five minutes. Answers 409
   * `passkeys-unavailable` where browsers offer none: passkeys need HTTPS and a host name, or `localhost`.
   */
  @Post('options')
  @HttpCode(200)
  @Authenticated()
  @ApiProblems(
    new PasskeysUnavailable(),
    new PasskeyLimit(),
    new NoLocalPassword(),
    new PasswordInvalid(),
    new TotpInvalid(403),
    new TotpUnreadable(),
    new SignInBusy(),
  )
  async beginAdding(
    @CurrentSession() user: SessionUser,
    @Body() { password, totp_code: code }: BeginAddingPasskeyDto,
  ): Promise<PasskeyCreationOptionsResponse> {
    return (await this.passkeys.beginAdding(user, { password, code })) as PasskeyCreationOptionsResponse;
  }

  /** Add a passkey. Takes the result of `navigator.credentials.create()`. From then on it signs in without a password or code. */
  @Post()
  @Authenticated()
  @ApiProblems(new PasskeysUnavailable(), new PasskeyLimit(), new PasskeyInvalid())
  async add(@CurrentSession() user: SessionUser, @Body() body: AddPasskeyDto): Promise<PasskeyResponse> {
    return toPasskeyResponse(await this.passkeys.add(user, body.name, body.credential));
  }

  /** Rename a passkey. The name is for you: it helps to tell your devices apart. */
  @Patch(':passkeyId')
  @Authenticated()
  @ApiProblems(new ResourceNotFound('passkey'))
  async rename(
    @CurrentSession() user: SessionUser,
    @Param('passkeyId') passkeyId: string,
    @Body() { name }: RenamePasskeyDto,
  ): Promise<PasskeyResponse> {
    return toPasskeyResponse(await this.passkeys.rename(user.id, passkeyId, name));
  }

  /** Delete a passkey. It no longer signs in; sessions that it has opened stay until they are ended. */
  @Delete(':passkeyId')
  @HttpCode(204)
  @Authenticated()
  @ApiProblems(new ResourceNotFound('passkey'))
  async delete(@CurrentSession() user: SessionUser, @Param('passkeyId') passkeyId: string): Promise<void> {
    await this.passkeys.delete(user.id, passkeyId);
  }

  /**
   * Begin to sign in with a passkey. Give the answer to `navigator.credentials.get()`, and send its result to
   * `POST /api/auth/passkeys/sign-in` within five minutes.
   */
  @Post('sign-in/options')
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new PasskeysUnavailable())
  async beginSignIn(): Promise<PasskeyRequestOptionsResponse> {
    return (await this.signIns.begin()) as PasskeyRequestOptionsResponse;
  }

  /** Sign in with a passkey. Takes the result of `navigator.credentials.get()`. No password and no one-time code are needed. */
  @Post('sign-in')
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new PasskeysUnavailable(), new PasskeyRefused())
  async signIn(
    @Body() { credential }: PasskeySignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    return this.transport.send(await this.signIns.complete(credential, deviceOf(request)), response);
  }
}
