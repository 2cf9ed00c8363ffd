import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import {
  Authenticated,
  CurrentUser,
  OpenToApiKeys,
  OwnsAccount,
  ReadsOnly,
} from '../../platform/access/policies';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { StoreProblems } from '../../archive/files/archive-store.errors';
import { MailTooLarge } from '../../archive/mails/archive.errors';
import { ClientSignal } from '../../platform/http/client-signal';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import {
  EncryptionAlreadyConfigured,
  EncryptionNotConfigured,
  MailNotEncrypted,
  MailUndecryptable,
  PassphraseInvalid,
  PassphrasesBusy,
} from '../../archive/passphrases/encryption.errors';
import { DecryptMailDto, PassphraseDto, SetUpEncryptionDto } from './dto/encryption.dto';
import {
  DecryptedMailResponse,
  EncryptionJobResponse,
  EncryptionSetUpResponse,
  EncryptionStatusResponse,
  PassphraseCheckResponse,
  toEncryptionStatusResponse,
} from './dto/encryption.response';
import { EncryptionService } from './encryption.service';

@ApiTags('privacy')
@OperationGroup('privacy')
@Controller('privacy')
export class ArchiveEncryptionController {
  constructor(private readonly encryption: EncryptionService) {}

  /**
   * Set the encryption passphrase. Works once: the passphrase can be neither changed nor recovered. API keys cannot
   * call this, because a program could lock users out of their own mail.
   */
  @Post('encryption/setup')
  @Authenticated()
  @HttpCode(200)
  @ApiProblems(new EncryptionAlreadyConfigured(), new PassphrasesBusy())
  async setUpEncryption(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: SetUpEncryptionDto,
  ): Promise<EncryptionSetUpResponse> {
    await this.encryption.setUp(user.id, body.passphrase);
    return { ok: true };
  }

  /**
   * Check the encryption passphrase. Returns whether it is right. After 10 wrong attempts within 15 minutes the
   * answer is 429 for a while.
   */
  @Post('encryption/verify')
  @Authenticated()
  @OpenToApiKeys()
  @ReadsOnly()
  @HttpCode(200)
  @ApiProblems(new EncryptionNotConfigured(), new PassphrasesBusy())
  @NotInWebClient('a passphrase is tried by opening what it opens')
  async verifyPassphrase(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: PassphraseDto,
  ): Promise<PassphraseCheckResponse> {
    return { valid: await this.encryption.verify(user.id, body.passphrase) };
  }

  /**
   * Get how much of an archive is encrypted. Returns the number of encrypted mails of the account, and whether a
   * passphrase is set.
   */
  @Get(':accountId/encryption/status')
  @OwnsAccount()
  async getEncryptionStatus(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<EncryptionStatusResponse> {
    return toEncryptionStatusResponse(await this.encryption.readStatus(user.id, accountId));
  }

  /**
   * Decrypt a mail for reading. The stored mail stays encrypted. Download mails above 25 MiB from their `/eml`
   * address instead.
   */
  @Post(':accountId/encryption/decrypt-mail')
  @SendsMail('whole')
  @ReadsOnly()
  @OwnsAccount()
  @HttpCode(200)
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
  @NotInWebClient('pages read encrypted mail by the routes of other mail, with a header')
  async decryptMail(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: DecryptMailDto,
    @ClientSignal() signal: AbortSignal,
  ): Promise<DecryptedMailResponse> {
    return { content: await this.encryption.decryptMail(user.id, accountId, body, signal) };
  }

  /**
   * Encrypt the archive of an account. Starts a job that encrypts every unencrypted archived mail of the account with
   * AES-256-GCM. This cannot be undone, and the mail cannot be read without the passphrase. Answers 403
   * `passphrase-invalid` to a wrong passphrase, and 429 after ten of them within 15 minutes.
   */
  @Post(':accountId/encryption/encrypt')
  @OwnsAccount()
  @HttpCode(202)
  @ApiAcceptedResponse({ type: EncryptionJobResponse })
  @ApiProblems(new PassphraseInvalid(), new EncryptionNotConfigured(), new PassphrasesBusy())
  async encryptArchive(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PassphraseDto,
  ): Promise<EncryptionJobResponse> {
    const { jobId } = await this.encryption.start(user.id, accountId, body.passphrase);
    return { jobId, message: 'The archive is being encrypted.' };
  }
}
