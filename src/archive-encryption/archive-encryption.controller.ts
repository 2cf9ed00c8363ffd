import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys, OwnsAccount, ReadsOnly } from '../access/policies';
import { StoreProblems } from '../archive-storage/archive-store.errors';
import { MailTooLarge } from '../archive/archive.errors';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import {
  EncryptionAlreadyConfigured,
  EncryptionNotConfigured,
  MailNotEncrypted,
  MailUndecryptable,
  PassphraseInvalid,
  PassphrasesBusy,
} from '../encryption/encryption.errors';
import { DecryptMailDto, PassphraseDto, SetUpEncryptionDto } from './dto/encryption.dto';
import {
  DecryptedMailResponse,
  EncryptionJobResponse,
  EncryptionSetUpResponse,
  EncryptionStatusResponse,
  PassphraseCheckResponse,
  toEncryptionStatusResponse,
} from './dto/encryption.response';
import { EncryptionJobsService, EncryptionService } from './encryption.service';

@ApiTags('privacy')
@OperationGroup('privacy')
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
  @ApiProblems(new EncryptionAlreadyConfigured(), new PassphrasesBusy())
  async setUpEncryption(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: SetUpEncryptionDto,
  ): Promise<EncryptionSetUpResponse> {
    await this.encryption.setUp(user.id, body.passphrase);
    return { ok: true };
  }

  /** Says whether it is the right one. After 10 wrong ones in 15 minutes it is 429 for a while. */
  @Post('encryption/verify')
  @Authenticated()
  @OpenToApiKeys()
  @ReadsOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Check a passphrase' })
  @ApiProblems(new EncryptionNotConfigured(), new PassphrasesBusy())
  async verifyPassphrase(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: PassphraseDto,
  ): Promise<PassphraseCheckResponse> {
    return { valid: await this.encryption.verify(user.id, body.passphrase) };
  }

  /** How many archived mails of the account are encrypted, and whether there is a passphrase. */
  @Get(':accountId/encryption/status')
  @OwnsAccount()
  @ApiOperation({ summary: 'How much of an archive is encrypted' })
  async getEncryptionStatus(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<EncryptionStatusResponse> {
    return toEncryptionStatusResponse(await this.encryption.status(user.id, accountId));
  }

  /**
   * Decrypts one mail for reading; it stays encrypted where it is stored. A mail above 25 MiB is to be downloaded
   * from its `/eml` address instead.
   */
  @Post(':accountId/encryption/decrypt-mail')
  @ReadsOnly()
  @OwnsAccount()
  @HttpCode(200)
  @ApiOperation({ summary: 'Read an encrypted mail' })
  @ApiProblems(
    new ResourceNotFound('mail'),
    new MailNotEncrypted(),
    new MailTooLarge(),
    new PassphraseInvalid(),
    new EncryptionNotConfigured(),
    new MailUndecryptable(),
    new PassphrasesBusy(),
  )
  @StoreProblems()
  async decryptMail(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: DecryptMailDto,
  ): Promise<DecryptedMailResponse> {
    return { content: await this.encryption.decryptMail(user.id, accountId, body) };
  }
}

@ApiTags('privacy')
@OperationGroup('privacy')
@OwnsAccount()
@Controller('privacy/:accountId/encryption')
export class EncryptArchivesController {
  constructor(private readonly encryptions: EncryptionJobsService) {}

  /** Starts a job that encrypts every archived mail of the account that is not, AES-256-GCM, one file after another.
   * It cannot be undone, and without the passphrase nobody can read the mail. 403 `passphrase-invalid` on a wrong
   * passphrase, 429 after ten of them in 15 minutes. */
  @Post('encrypt')
  @HttpCode(202)
  @ApiOperation({ summary: 'Encrypt the archive of an account' })
  @ApiAcceptedResponse({ type: EncryptionJobResponse })
  @ApiProblems(new PassphraseInvalid(), new EncryptionNotConfigured(), new PassphrasesBusy())
  async encryptArchive(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PassphraseDto,
  ): Promise<EncryptionJobResponse> {
    const { jobId } = await this.encryptions.start(user.id, accountId, body.passphrase);
    return { jobId, message: 'The archive is being encrypted.' };
  }
}
