import { Injectable } from '@nestjs/common';
import { type Invitation, InvitationsService } from '../../identity/auth/invitations.service';
import { PasswordResetsService } from '../../identity/auth/password-resets.service';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { offsetOf } from '../../platform/validation/page.dto';
import { toMailboxAccountResponse } from '../../mailbox/accounts/dto/mailbox-accounts.response';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { UsersService } from '../../identity/users/users.service';
import { AdminUsersRepository } from './admin-users.repository';
import { AdminRepository } from './admin.repository';
import type { InviteUserDto, ListUsersQuery, UpdateUserDto } from './dto/admin-users.dto';
import {
  AdminUserDetailResponse,
  AdminUserResponse,
  AdminUsersResponse,
  InvitedUserResponse,
  PasswordResetLinkResponse,
  toAdminUserResponse,
} from './dto/admin-users.response';
import { toAdminJobSummaryResponse } from './dto/admin.response';

const RECENT_JOBS = 20;

/** The users of the installation, their roles and their limits, for administrators. */
@Injectable()
export class AdminUsersService {
  constructor(
    private readonly repository: AdminUsersRepository,
    private readonly installation: AdminRepository,
    private readonly users: UsersService,
    private readonly invitations: InvitationsService,
    private readonly passwordResets: PasswordResetsService,
    private readonly accounts: MailboxAccountsService,
  ) {}

  async list(query: ListUsersQuery): Promise<AdminUsersResponse> {
    const { page, limit } = query;
    const search = query.search?.trim() || null;
    const [users, total] = await Promise.all([
      this.repository.listPage(search, limit, offsetOf(query)),
      this.repository.count(search),
    ]);
    return { users: users.map(toAdminUserResponse), total, page, limit };
  }

  /** @throws ResourceNotFound */
  async getDetail(userId: string): Promise<AdminUserDetailResponse> {
    const [user, accounts, jobs] = await Promise.all([
      this.find(userId),
      this.accounts.listByUser(userId),
      this.installation.listRecentJobsOf(userId, RECENT_JOBS),
    ]);
    const now = new Date();
    return {
      user,
      mailboxAccounts: accounts.map((account) => toMailboxAccountResponse(account, now)),
      recentJobs: jobs.map(toAdminJobSummaryResponse),
    };
  }

  /** @throws EmailTaken */
  async invite({ email, name = null, role }: InviteUserDto): Promise<InvitedUserResponse> {
    return this.toInvited(await this.invitations.invite({ email, name, role }));
  }

  /** @throws ResourceNotFound, UserHasSignedIn */
  async inviteAgain(userId: string): Promise<InvitedUserResponse> {
    return this.toInvited(await this.invitations.inviteAgain(userId));
  }

  /** @throws ResourceNotFound, UserCannotSignIn */
  async resetPassword(userId: string): Promise<PasswordResetLinkResponse> {
    const { url, expiresAt } = await this.passwordResets.issue(userId);
    return { resetUrl: url, expires_at: expiresAt.toISOString() };
  }

  /** @throws ResourceNotFound, LastActiveAdmin, UserBeingDeleted */
  async update(userId: string, body: UpdateUserDto): Promise<AdminUserResponse> {
    await this.users.update(userId, {
      role: body.role,
      isActive: body.is_active,
      maxMailboxAccounts: body.max_mailbox_accounts,
      storageQuotaBytes: body.storage_quota_bytes,
    });
    return this.find(userId);
  }

  private async toInvited({ userId, url, expiresAt }: Invitation): Promise<InvitedUserResponse> {
    return { user: await this.find(userId), inviteUrl: url, expires_at: expiresAt.toISOString() };
  }

  private async find(userId: string): Promise<AdminUserResponse> {
    const user = await this.repository.find(userId);
    if (!user) throw new ResourceNotFound('user');
    return toAdminUserResponse(user);
  }
}
