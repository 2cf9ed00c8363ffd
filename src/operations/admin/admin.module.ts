import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { UsersModule } from '../../identity/users/users.module';
import { AdminUsersController } from './admin-users.controller';
import { AdminUsersRepository } from './admin-users.repository';
import { AdminUsersService } from './admin-users.service';
import { AdminController } from './admin.controller';
import { AdminRepository } from './admin.repository';
import { AdminService } from './admin.service';

/** Administration of users and figures of the installation. It gives no access to users' mail. */
@Module({
  imports: [AuthModule, MailboxAccountsModule, UsersModule],
  controllers: [AdminController, AdminUsersController],
  providers: [AdminRepository, AdminService, AdminUsersRepository, AdminUsersService],
})
export class AdminModule {}
