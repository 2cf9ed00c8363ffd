import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OwnsAccount } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchiveIntegrityService } from './archive-integrity.service';
import { ArchiveIntegrityResponse, toArchiveIntegrityResponse } from './dto/integrity.response';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId/integrity')
export class ArchiveIntegrityController {
  constructor(private readonly integrity: ArchiveIntegrityService) {}

  /**
   * Get what the checks of the archive have found. Every file is hashed again within a week and compared with the hash of
   * its mail. Remains available after the mailbox is disconnected.
   */
  @Get()
  async getIntegrity(@Param('accountId') accountId: string): Promise<ArchiveIntegrityResponse> {
    return toArchiveIntegrityResponse(await this.integrity.summarize(accountId));
  }
}
