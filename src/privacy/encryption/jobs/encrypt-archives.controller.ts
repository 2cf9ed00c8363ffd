import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  EncryptionNotConfigured,
  PassphraseInvalid,
  PassphrasesBusy,
} from '../../../archive/encryption/encryption.errors';
import type { AuthenticatedUser } from '../../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../../common/auth/policies';
import { ApiProblems } from '../../../common/openapi/api-problems';
import { PassphraseDto } from '../dto/encryption.dto';
import { EncryptionJobResponse } from './encryption-job.response';
import { EncryptionJobsService } from './encryption-jobs.service';

@ApiTags('privacy')
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
  async encrypt(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PassphraseDto,
  ): Promise<EncryptionJobResponse> {
    const { jobId } = await this.encryptions.start(user.id, accountId, body.passphrase);
    return { jobId, message: 'The archive is being encrypted.' };
  }
}
