import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OpenToApiKeys, ReadsOnly } from '../../common/auth/api-key-policies';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { Authenticated, CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ApiProblems } from '../../common/openapi/api-problems';
import { DecryptMailDto, PassphraseDto, SetUpEncryptionDto } from './dto/encryption.dto';
import {
  DecryptedMailResponse,
  EncryptionSetUpResponse,
  EncryptionStatusResponse,
  PassphraseCheckResponse,
  toEncryptionStatusResponse,
} from './dto/encryption.response';
import { EncryptionService } from './encryption.service';

@ApiTags('privacy')
@Controller('privacy')
export class EncryptionController {
  constructor(private readonly encryption: EncryptionService) {}

  /**
   * Once: mail is encrypted with it, so it can neither be changed nor asked for again. Signed-in people only: a program
   * that sets it up would keep its user from their own mail.
   */
  @Post('encryption/setup')
  @Authenticated()
  @HttpCode(200)
  @ApiOperation({ summary: 'Set up the passphrase of the caller' })
  @ApiProblems(400, 409, 503)
  async setUpEncryption(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: SetUpEncryptionDto,
  ): Promise<EncryptionSetUpResponse> {
    await this.encryption.setUp(user.id, body.passphrase);
    return { ok: true };
  }

  /** After 10 wrong ones in 15 minutes it is 429 for a while. */
  @Post('encryption/verify')
  @Authenticated()
  @OpenToApiKeys()
  @ReadsOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Check a passphrase' })
  @ApiProblems(400, 409, 503)
  async verifyPassphrase(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: PassphraseDto,
  ): Promise<PassphraseCheckResponse> {
    return { valid: await this.encryption.verify(user.id, body.passphrase) };
  }

  @Get(':accountId/encryption/status')
  @OwnsAccount()
  @ApiOperation({ summary: 'How much of an archive is encrypted' })
  async getEncryptionStatus(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<EncryptionStatusResponse> {
    return toEncryptionStatusResponse(await this.encryption.status(user.id, accountId));
  }

  /** A mail above 25 MiB is to be downloaded from its `/eml` address instead. */
  @Post(':accountId/encryption/decrypt-mail')
  @ReadsOnly()
  @OwnsAccount()
  @HttpCode(200)
  @ApiOperation({ summary: 'Read an encrypted mail' })
  @ApiProblems(404, 409, 503)
  async decryptMail(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: DecryptMailDto,
  ): Promise<DecryptedMailResponse> {
    return { content: await this.encryption.decryptMail(user.id, accountId, body) };
  }
}
