import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addLogContext } from '../../common/logging/log-context';
import { AccountNotOwned } from '../access.errors';
import { AccountOwnership } from '../account-ownership.port';

/** Keeps routes with `:accountId` for the user who owns the account (403), administrators included. */
@Injectable()
export class AccountOwnerGuard implements CanActivate {
  constructor(private readonly ownership: AccountOwnership) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user, params } = context.switchToHttp().getRequest<Request>();
    if (!('accountId' in params)) return true;
    const { accountId } = params;
    if (!user || typeof accountId !== 'string' || !(await this.ownership.owns(user.id, accountId))) {
      throw new AccountNotOwned();
    }
    addLogContext({ accountId });
    return true;
  }
}
