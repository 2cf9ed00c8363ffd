import { Injectable } from '@nestjs/common';
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { AppConfig } from '../../platform/config/app-config';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { type Proof, Reauthentication } from '../two-factor/reauthentication';
import { NoLocalPassword } from '../two-factor/two-factor.errors';
import { UserLocks } from '../users/user-locks';
import { UsersService } from '../users/users.service';
import { CHALLENGE_SECONDS, challengeIn, PasskeyChallenges } from './passkey-challenges';
import { MAX_PASSKEYS, PasskeyInvalid, PasskeyLimit, PasskeysUnavailable } from './passkeys.errors';
import { type PasskeyRecord, PasskeysRepository } from './passkeys.repository';
import { type RelyingParty, relyingPartyOf } from './relying-party';

/** Passkeys of a user: list, add, rename, delete. */
@Injectable()
export class PasskeysService {
  private readonly relyingParty: RelyingParty | null;

  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly challenges: PasskeyChallenges,
    private readonly users: UsersService,
    private readonly userLocks: UserLocks,
    private readonly reauthentication: Reauthentication,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    config: AppConfig,
  ) {
    this.relyingParty = relyingPartyOf(config.http.appUrl);
  }

  /** Newest first. */
  list(userId: string): Promise<PasskeyRecord[]> {
    return this.passkeys.listOwned(userId);
  }

  /**
   * The options with which a browser makes a passkey. The device has to check who uses it, by fingerprint, face or PIN: the passkey
   * alone signs in, also users with one-time codes.
   * @throws PasskeysUnavailable, NoLocalPassword, PasskeyLimit, PasswordInvalid, TotpInvalid, TooManyRequests
   */
  async beginAdding(user: SessionUser, proof: Proof): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { id: rpID } = this.requireRelyingParty();
    const known = await this.users.get(user.id);
    // Their identity provider decides who signs in.
    if (known.passwordHash === null) throw new NoLocalPassword();
    if ((await this.passkeys.countOwned(user.id)) >= MAX_PASSKEYS) throw new PasskeyLimit();
    await this.reauthentication.require(known, proof);
    const credentials = await this.passkeys.credentialsOf(user.id);
    const options = await generateRegistrationOptions({
      rpName: 'Mailroom',
      rpID,
      userID: new TextEncoder().encode(user.id),
      userName: known.email,
      userDisplayName: known.name ?? known.email,
      timeout: CHALLENGE_SECONDS * 1000,
      attestationType: 'none',
      excludeCredentials: credentials.map(({ credentialId, transports }) => ({
        id: credentialId.toString('base64url'),
        transports,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.challenges.save(options.challenge, {
      adding: { userId: user.id, sessionId: user.sessionId },
    });
    return options;
  }

  /**
   * Adds the passkey that a browser has made.
   * @throws PasskeysUnavailable, PasskeyInvalid, PasskeyLimit
   */
  async add(user: SessionUser, name: string, response: RegistrationResponseJSON): Promise<PasskeyRecord> {
    const { credential, isSynced } = await this.verify(user, response);
    return this.transactions.run(async (transaction) => {
      await this.userLocks.lock(user.id, transaction);
      const added = await this.passkeys.insertBelow(
        MAX_PASSKEYS,
        {
          id: newId(),
          userId: user.id,
          name,
          credentialId: Buffer.from(credential.id, 'base64url'),
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: [...(credential.transports ?? [])],
          isSynced,
        },
        transaction,
      );
      if (!added) throw new PasskeyLimit();
      await this.audit.record(
        { action: 'passkey.added', userId: user.id, target: { type: 'passkey', id: added.id } },
        transaction,
      );
      return added;
    });
  }

  /** @throws ResourceNotFound */
  rename(userId: string, passkeyId: string, name: string): Promise<PasskeyRecord> {
    return this.transactions.run(async (transaction) => {
      const renamed = await this.passkeys.renameOwned(userId, passkeyId, name, transaction);
      if (!renamed) throw new ResourceNotFound('passkey');
      return renamed;
    });
  }

  /** Deletes a passkey. Sessions that it has opened stay until they are ended. @throws ResourceNotFound */
  async delete(userId: string, passkeyId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await this.passkeys.deleteOwned(userId, passkeyId, transaction)))
        throw new ResourceNotFound('passkey');
      await this.audit.record(
        { action: 'passkey.deleted', userId, target: { type: 'passkey', id: passkeyId } },
        transaction,
      );
    });
  }

  private async verify(
    user: SessionUser,
    response: RegistrationResponseJSON,
  ): Promise<{ credential: NewCredential; isSynced: boolean }> {
    const { id: expectedRPID, origin: expectedOrigin } = this.requireRelyingParty();
    const expectedChallenge = challengeIn(response.response.clientDataJSON);
    const purpose = await this.challenges.take(expectedChallenge);
    // The same user in the same session has to answer.
    if (purpose?.adding?.userId !== user.id || purpose.adding.sessionId !== user.sessionId)
      throw new PasskeyInvalid();
    let verified: VerifiedRegistrationResponse;
    try {
      verified = await verifyRegistrationResponse({
        response,
        expectedOrigin,
        expectedRPID,
        expectedChallenge,
      });
    } catch (error) {
      throw new PasskeyInvalid(error);
    }
    if (!verified.verified) throw new PasskeyInvalid();
    const { credential, credentialBackedUp } = verified.registrationInfo;
    return { credential, isSynced: credentialBackedUp };
  }

  private requireRelyingParty(): RelyingParty {
    if (!this.relyingParty) throw new PasskeysUnavailable();
    return this.relyingParty;
  }
}

type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>['credential'];
