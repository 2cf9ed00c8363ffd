import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser, SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, CurrentUser } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SignInBusy } from '../users/users.errors';
import { EnableTwoFactorDto, SetUpTwoFactorDto, TwoFactorProofDto } from './dto/two-factor.dto';
import {
  RecoveryCodesResponse,
  TwoFactorDisabledResponse,
  TwoFactorSetupResponse,
  TwoFactorStatusResponse,
} from './dto/two-factor.response';
import {
  NoLocalPassword,
  PasswordInvalid,
  TotpAlreadyEnabled,
  TotpInvalid,
  TotpNotEnabled,
  TotpNotSetUp,
  TotpUnreadable,
} from './two-factor.errors';
import { TwoFactorService } from './two-factor.service';

@ApiTags('two-factor')
@OperationGroup('twoFactor')
@Controller('auth/2fa')
@Authenticated()
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  /** Get the state of two-factor sign-in. Includes the number of unused recovery codes. */
  @Get()
  async getStatus(@CurrentUser() user: AuthenticatedUser): Promise<TwoFactorStatusResponse> {
    const { enabled, recoveryCodesLeft } = await this.twoFactor.status(user.id);
    return { enabled, recovery_codes_left: recoveryCodesLeft };
  }

  /**
   * Create a secret for an authenticator app. It takes effect when a code from the app is sent to `enable`. Until
   * then, repeating the request creates a new secret.
   */
  @Post('setup')
  @HttpCode(200)
  @ApiProblems(new PasswordInvalid(), new TotpAlreadyEnabled(), new NoLocalPassword(), new SignInBusy())
  async setUp(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: SetUpTwoFactorDto,
  ): Promise<TwoFactorSetupResponse> {
    const { secret, otpauthUrl, expiresAt } = await this.twoFactor.setUp(user, body.password);
    return { secret, otpauth_url: otpauthUrl, expires_at: expiresAt.toISOString() };
  }

  /**
   * Switch two-factor sign-in on. From now on, signing in with the password requires a code. The user's other
   * sessions end. The recovery codes are shown only once.
   */
  @Post('enable')
  @HttpCode(200)
  @ApiProblems(new TotpInvalid(403), new TotpNotSetUp(), new TotpAlreadyEnabled(), new TotpUnreadable())
  async enable(
    @CurrentSession() user: SessionUser,
    @Body() body: EnableTwoFactorDto,
  ): Promise<RecoveryCodesResponse> {
    return { recovery_codes: await this.twoFactor.enable(user, body.totp_code) };
  }

  /** Switch two-factor sign-in off. Signing in no longer requires a code, and the recovery codes become invalid. */
  @Post('disable')
  @HttpCode(200)
  @ApiProblems(
    new PasswordInvalid(),
    new TotpInvalid(403),
    new TotpNotEnabled(),
    new TotpUnreadable(),
    new SignInBusy(),
  )
  async disable(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: TwoFactorProofDto,
  ): Promise<TwoFactorDisabledResponse> {
    await this.twoFactor.disable(user.id, { password: body.password, code: body.totp_code });
    return { ok: true };
  }

  /** Create new recovery codes. They are shown only once. The earlier codes become invalid. */
  @Post('recovery-codes')
  @HttpCode(200)
  @ApiProblems(
    new PasswordInvalid(),
    new TotpInvalid(403),
    new TotpNotEnabled(),
    new TotpUnreadable(),
    new SignInBusy(),
  )
  async renewRecoveryCodes(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: TwoFactorProofDto,
  ): Promise<RecoveryCodesResponse> {
    const proof = { password: body.password, code: body.totp_code };
    return { recovery_codes: await this.twoFactor.renewRecoveryCodes(user.id, proof) };
  }
}
