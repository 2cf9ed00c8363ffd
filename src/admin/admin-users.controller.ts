import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { SomeFieldsPipe } from '../common/validation/some-fields.pipe';
import { LastActiveAdmin, UserBeingDeleted } from '../users/users.errors';
import { AdminUsersService } from './admin-users.service';
import { ListUsersQuery, UpdateUserDto } from './dto/admin-users.dto';
import { AdminUserDetailResponse, AdminUserResponse, AdminUsersResponse } from './dto/admin-users.response';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/users')
export class AdminUsersController {
  constructor(private readonly users: AdminUsersService) {}

  /**
   * With the number of their mailboxes and the bytes of their archives. `search` looks in e-mail addresses and names.
   */
  @Get()
  @ApiOperation({ summary: 'The users, newest first' })
  listUsers(@Query() query: ListUsersQuery): Promise<AdminUsersResponse> {
    return this.users.list(query);
  }

  /** What an administrator sees of a user; their mail is not part of it. */
  @Get(':userId')
  @ApiOperation({ summary: 'A user, their mailboxes and their last 20 jobs' })
  @ApiProblems(new ResourceNotFound('user'))
  getUser(@Param('userId') userId: string): Promise<AdminUserDetailResponse> {
    return this.users.detail(userId);
  }

  /**
   * Deactivation ends the user's sessions and stops their jobs at once, in every process. Limits below what is there
   * take nothing away. The last active administrator stays one (409 `last-active-admin`), and a user who is being deleted
   * stays as they are (409 `user-being-deleted`).
   */
  @Patch(':userId')
  @ApiOperation({ summary: "Change a user's role, activation or limits" })
  @ApiProblems(new ResourceNotFound('user'), new LastActiveAdmin(), new UserBeingDeleted())
  updateUser(
    @Param('userId') userId: string,
    @Body(SomeFieldsPipe) body: UpdateUserDto,
  ): Promise<AdminUserResponse> {
    return this.users.update(userId, body);
  }
}
