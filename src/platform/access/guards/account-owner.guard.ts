import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { addLogContext } from '../../logging/log-context';
import { AccountNotOwned } from '../access.errors';
import { AccountOwnership } from '../account-ownership.port';

/** Keeps routes with `:accountId` for the user who owns the account (403), administrators included. */
@Injectable()
export class AccountOwnerGuard implements CanActivate {
  constructor(private readonly ownership: AccountOwnership) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { user, params } = context.switchToHttp().getRequest<Request>();
    if (!('accountId' in params)) return true;
    const { accountId } = params;
    if (!user || typeof accountId !== 'string') throw new AccountNotOwned();
    if (!this.ownership.isKnown(user.id, accountId)) return this.lookUp(user.id, accountId);
    addLogContext({ accountId });
    return true;
  }

  private async lookUp(userId: string, accountId: string): Promise<boolean> {
    if (!(await this.ownership.owns(userId, accountId))) throw new AccountNotOwned();
    addLogContext({ accountId });
    return true;
  }
}
