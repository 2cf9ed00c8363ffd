import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { AdminOnly, CurrentUser } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { LastActiveAdmin } from '../../identity/users/users.errors';
import { OffloadRunning } from '../../keep/offload/offload.errors';
import { OwnAccount } from './user-deletion.errors';
import { UserDeletionResponse } from './dto/user-deletion.response';
import { UserDeletionsService } from './user-deletions.service';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/users')
export class UserDeletionController {
  constructor(private readonly deletions: UserDeletionsService) {}

  /**
   * Delete a user and all their data. Deactivates the user at once and deletes everything they own in a job:
   * mailboxes with their grants, archived mail with its files in every store, uploads, settings and history. This
   * cannot be undone: a deletion that fails or is cancelled is retried within the hour. Repeating the request returns
   * the running job. Refused while messages of theirs are being offloaded. Backups and the audit log are not affected.
   */
  @Delete(':userId')
  @HttpCode(202)
  @ApiParam({
    name: 'userId',
    schema: { type: 'string', format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' },
  })
  @ApiProblems(new ResourceNotFound('user'), new OwnAccount(), new LastActiveAdmin(), new OffloadRunning())
  async deleteUser(
    @CurrentUser() admin: AuthenticatedUser,
    @Param('userId') userId: string,
  ): Promise<UserDeletionResponse> {
    const { jobId } = await this.deletions.request(userId, admin.id);
    return { jobId, message: 'The user is locked out, and everything of theirs is being removed.' };
  }
}
