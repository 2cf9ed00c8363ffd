import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListsRows } from '../../platform/access/lists-rows';
import { AdminOnly } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import { UserCannotSignIn, UserHasSignedIn } from '../../identity/auth/auth.errors';
import { EmailTaken, LastActiveAdmin, UserBeingDeleted } from '../../identity/users/users.errors';
import { AdminUsersService } from './admin-users.service';
import { InviteUserDto, ListUsersQuery, UpdateUserDto } from './dto/admin-users.dto';
import {
  AdminUserDetailResponse,
  AdminUserResponse,
  AdminUsersResponse,
  InvitedUserResponse,
  PasswordResetLinkResponse,
} from './dto/admin-users.response';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/users')
export class AdminUsersController {
  constructor(private readonly users: AdminUsersService) {}

  /**
   * List the users, newest first. With the number of their mailboxes and the size of their archives. `search` matches
   * e-mail addresses and names.
   */
  @Get()
  @ListsRows()
  listUsers(@Query() query: ListUsersQuery): Promise<AdminUsersResponse> {
    return this.users.list(query);
  }

  /**
   * Add a user. Answers the address of a page where they choose their password, within seven days. Works also where
   * registration is closed.
   */
  @Post()
  @ApiProblems(new EmailTaken())
  inviteUser(@Body() body: InviteUserDto): Promise<InvitedUserResponse> {
    return this.users.invite(body);
  }

  /** Invite a user again. For users who have not signed in yet. The address they were given before ends. */
  @Post(':userId/invitation')
  @ApiProblems(new ResourceNotFound('user'), new UserHasSignedIn())
  inviteUserAgain(@Param('userId') userId: string): Promise<InvitedUserResponse> {
    return this.users.inviteAgain(userId);
  }

  /**
   * Make a link with which a user chooses another password. For users who have lost theirs. It works once, within a day, and
   * ends the user's sessions when it is used; an earlier link ends at once.
   */
  @Post(':userId/password-reset')
  @ApiProblems(new ResourceNotFound('user'), new UserCannotSignIn())
  createPasswordReset(@Param('userId') userId: string): Promise<PasswordResetLinkResponse> {
    return this.users.resetPassword(userId);
  }

  /** Get a user, their mailboxes and their last 20 jobs. Administrators cannot see the user's mail. */
  @Get(':userId')
  @ApiProblems(new ResourceNotFound('user'))
  getUser(@Param('userId') userId: string): Promise<AdminUserDetailResponse> {
    return this.users.getDetail(userId);
  }

  /**
   * Change the role, the activation or the limits of a user. Setting the role also decides for a user who waits for that of
   * an administrator (`awaits_admin_role`). Deactivation ends the user's sessions and stops their
   * jobs at once, in every process. Lower limits delete nothing. The last active administrator cannot be changed (409
   * `last-active-admin`), nor can a user who is being deleted (409 `user-being-deleted`).
   */
  @Patch(':userId')
  @ApiProblems(new ResourceNotFound('user'), new LastActiveAdmin(), new UserBeingDeleted())
  updateUser(
    @Param('userId') userId: string,
    @Body(SomeFieldsPipe) body: UpdateUserDto,
  ): Promise<AdminUserResponse> {
    return this.users.update(userId, body);
  }
}
