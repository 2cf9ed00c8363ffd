import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { Transactions } from '../../platform/database/transactions';
import { AppConfig } from '../../platform/config/app-config';
import type { UserEntity } from '../users/user.entity';
import { EmailTaken } from '../users/users.errors';
import { UsersService } from '../users/users.service';
import { NoLocalPassword } from '../two-factor/two-factor.errors';
import { IdentityNotLinked, OidcRefused } from './oidc.errors';
import type { ProviderIdentity } from './openid-provider';
import { UserIdentitiesRepository } from './user-identities.repository';

/** The way in which an identity was linked to a user. */
type LinkedBy = 'registration' | 'email' | 'session';

/** Finds the user of a provider's identity, and links users to identities. */
@Injectable()
export class IdentityLinkService {
  constructor(
    private readonly users: UsersService,
    private readonly identities: UserIdentitiesRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    private readonly config: AppConfig,
  ) {}

  /**
   * The user the identity is linked to, whatever their addresses are now; else the one with the address the provider
   * has verified; else a new one. Only the first is done without a verified address.
   * @throws OidcRefused
   */
  async findOrCreateUser(identity: ProviderIdentity): Promise<UserEntity> {
    const { issuer, subject, verifiedEmail } = identity;
    const linkedId = await this.identities.findUserId(issuer, subject);
    if (linkedId) {
      await this.identities.recordUse(issuer, subject);
      return requireActive(await this.users.get(linkedId));
    }
    if (!verifiedEmail) throw new OidcRefused('oidc-email-unverified');
    const user = await this.users.findByEmail(verifiedEmail);
    return user ? this.linkByEmail(user, identity) : this.create(verifiedEmail, identity);
  }

  /**
   * Links an identity to a signed-in user who asked for it.
   * @throws OidcRefused when either is linked otherwise
   */
  async linkTo(userId: string, identity: ProviderIdentity): Promise<void> {
    await this.link(userId, identity, 'session');
  }

  /**
   * Unlinks the user from the provider.
   * @throws IdentityNotLinked; NoLocalPassword when they could not sign in any more
   */
  async unlink(user: UserEntity): Promise<void> {
    if (user.passwordHash === null) throw new NoLocalPassword();
    await this.transactions.run(async (transaction) => {
      if ((await this.identities.deleteAllOf(user.id, transaction)) === 0) throw new IdentityNotLinked();
      await this.audit.record({ action: 'identity.unlinked', userId: user.id }, transaction);
    });
  }

  private async linkByEmail({ id }: UserEntity, identity: ProviderIdentity): Promise<UserEntity> {
    return this.link(id, identity, 'email', (user) => this.requireAdoptable(user));
  }

  /**
   * The first link does not bypass a second factor: control of the address at the provider does not prove that the person
   * has it. Nor is a user who registered with a password surely the same person, however long ago it was: an attacker may
   * have registered the address to wait for its owner, and would then share their mail. Those users link from a session.
   * An administrator's word for the address is enough.
   */
  private requireAdoptable(user: UserEntity): void {
    requireActive(user);
    if (user.totpEnabled) throw new OidcRefused('oidc-link-needs-totp', { userId: user.id });
    if (user.passwordHash !== null && !user.addedByAdministrator)
      throw new OidcRefused('oidc-link-needs-password', { userId: user.id });
  }

  private async create(email: string, identity: ProviderIdentity): Promise<UserEntity> {
    if (!this.config.oidc?.registrationOpen) throw new OidcRefused('registration-closed');
    try {
      const user = await this.users.create({ email, name: identity.name, passwordHash: null });
      // If the process ends here, the next sign-in links the user by the address.
      return await this.link(user.id, identity, 'registration');
    } catch (error) {
      if (!(error instanceof EmailTaken)) throw error;
      // The same person in two tabs, or a registration meanwhile.
      return this.findOrCreateUser(identity);
    }
  }

  /** @param check throws when the locked user must not be linked */
  private async link(
    userId: string,
    identity: ProviderIdentity,
    by: LinkedBy,
    check: (user: UserEntity) => void = requireActive,
  ): Promise<UserEntity> {
    const { issuer, subject } = identity;
    const linked = await this.transactions.run(async (transaction) => {
      const user = await this.users.getLocked(userId, transaction);
      check(user);
      if (await this.identities.insert(userId, issuer, subject, transaction)) {
        await this.audit.record(
          { action: 'identity.linked', userId, actorId: userId, details: { by } },
          transaction,
        );
        return user;
      }
      const linkedId = await this.identities.findUserId(issuer, subject, transaction);
      if (linkedId === userId) return user;
      throw new OidcRefused(linkedId ? 'oidc-identity-taken' : 'oidc-already-linked', { userId });
    });
    await this.identities.recordUse(issuer, subject);
    return linked;
  }
}

function requireActive(user: UserEntity): UserEntity {
  if (!user.isActive || user.deletionRequestedAt)
    throw new OidcRefused('account-inactive', { userId: user.id });
  return user;
}
