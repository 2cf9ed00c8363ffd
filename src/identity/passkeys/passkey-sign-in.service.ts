import { Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  type VerifiedAuthenticationResponse,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { AppConfig } from '../../platform/config/app-config';
import { type SignedIn, SignInService } from '../auth/sign-in.service';
import type { Device } from '../sessions/device';
import { UsersService } from '../users/users.service';
import { CHALLENGE_SECONDS, challengeIn, PasskeyChallenges } from './passkey-challenges';
import { PasskeyRefused, PasskeysUnavailable } from './passkeys.errors';
import { PasskeysRepository, type VerifiableCredential } from './passkeys.repository';
import { type RelyingParty, relyingPartyOf } from './relying-party';

/** Signs users in with a passkey, which is a password and a second factor in one. */
@Injectable()
export class PasskeySignInService {
  private readonly relyingParty: RelyingParty | null;

  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly challenges: PasskeyChallenges,
    private readonly users: UsersService,
    private readonly signIn: SignInService,
    config: AppConfig,
  ) {
    this.relyingParty = relyingPartyOf(config.http.appUrl);
  }

  /**
   * The options with which a browser asks for a passkey. They name no user and no credential: the device offers those that it has
   * for this host.
   * @throws PasskeysUnavailable
   */
  async begin(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id: rpID } = this.requireRelyingParty();
    const options = await generateAuthenticationOptions({
      rpID,
      timeout: CHALLENGE_SECONDS * 1000,
      userVerification: 'required',
    });
    await this.challenges.save(options.challenge, { adding: null });
    return options;
  }

  /** @throws PasskeysUnavailable, PasskeyRefused */
  async complete(response: AuthenticationResponseJSON, device: Device): Promise<SignedIn> {
    const relyingParty = this.requireRelyingParty();
    const passkey = await this.passkeys.findByCredential(Buffer.from(response.id, 'base64url'));
    try {
      if (!passkey) throw new PasskeyRefused();
      const { newCounter, credentialBackedUp } = await this.verify(relyingParty, passkey, response);
      const user = await this.users.get(passkey.userId);
      if (!user.isActive) throw new PasskeyRefused();
      const use = { counter: newCounter, isSynced: credentialBackedUp };
      if (!(await this.passkeys.recordUse(passkey, use))) throw new PasskeyRefused();
      return await this.signIn.open(user, device, 'passkey');
    } catch (error) {
      if (error instanceof PasskeyRefused)
        await this.signIn.refuse(passkey?.userId ?? null, 'passkey', error.code);
      throw error;
    }
  }

  private async verify(
    { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
    passkey: VerifiableCredential,
    response: AuthenticationResponseJSON,
  ): Promise<VerifiedAuthenticationResponse['authenticationInfo']> {
    const { userHandle } = response.response;
    if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
      throw new PasskeyRefused();
    const expectedChallenge = challengeIn(response.response.clientDataJSON);
    const purpose = await this.challenges.take(expectedChallenge);
    if (purpose === null || purpose.adding !== null) throw new PasskeyRefused();
    let verified: VerifiedAuthenticationResponse;
    try {
      verified = await verifyAuthenticationResponse({
        response,
        expectedOrigin,
        expectedRPID,
        expectedChallenge,
        credential: {
          id: passkey.credentialId.toString('base64url'),
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
        },
      });
    } catch (error) {
      throw new PasskeyRefused(error);
    }
    if (!verified.verified) throw new PasskeyRefused();
    return verified.authenticationInfo;
  }

  private requireRelyingParty(): RelyingParty {
    if (!this.relyingParty) throw new PasskeysUnavailable();
    return this.relyingParty;
  }
}
