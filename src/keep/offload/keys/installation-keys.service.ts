import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '../../../platform/crypto/secret-box';
import type { Transaction } from '../../../platform/database/transactions';
import { InstallationKeysRepository, PublicKey, SealedKey } from './installation-keys.repository';
import { newKeyPair, signatureOf } from './signatures';

export interface Signature {
  /** Ed25519 signature of the UTF-8 bytes of the text, in base64. */
  readonly signature: string;
  readonly keyId: string;
}

/** The installation and the key with which it signs. */
export interface Signer {
  /** Id of the installation: the id of its first key, also when it has others now. */
  readonly installation: string;
  readonly keyId: string;
  sign(text: string): Signature;
}

interface OpenedKey {
  readonly privateKey: string;
}

/** Context that the sealed private key is bound to. */
const contextOf = (keyId: string): string => `installation-key ${keyId}`;

/** Signs on behalf of the installation. */
@Injectable()
export class InstallationKeysService {
  private readonly logger = new Logger(InstallationKeysService.name);

  constructor(
    private readonly keys: InstallationKeysRepository,
    private readonly secrets: SecretBox,
  ) {}

  /** Public keys, oldest first. */
  list(): Promise<PublicKey[]> {
    return this.keys.list();
  }

  /**
   * The installation's newest key. A new one is made for the first signature, and when the `ENCRYPTION_KEY` has changed since
   * the key was sealed. Signatures with earlier keys stay valid.
   */
  async ensureSigner(transaction: Transaction): Promise<Signer> {
    const [newest] = await this.keys.lockSealed(transaction);
    const opened = newest && this.openKey(newest);
    const { keyId, privateKey } = opened ?? (await this.add(transaction));
    const [first] = await this.keys.list(transaction);
    return {
      installation: first!.keyId,
      keyId,
      sign: (text) => ({ signature: signatureOf(text, privateKey), keyId }),
    };
  }

  private openKey({ keyId, sealedPrivateKey }: SealedKey): (OpenedKey & { keyId: string }) | undefined {
    try {
      return { keyId, ...this.secrets.open<OpenedKey>(sealedPrivateKey, contextOf(keyId)) };
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.warn(`The signing key ${keyId} was sealed with another ENCRYPTION_KEY: creating a new one`);
      return undefined;
    }
  }

  private async add(transaction: Transaction): Promise<OpenedKey & { keyId: string }> {
    const { keyId, publicKey, privateKey } = newKeyPair();
    const sealedPrivateKey = this.secrets.seal({ privateKey } satisfies OpenedKey, contextOf(keyId));
    await this.keys.insert({ keyId, publicKey, sealedPrivateKey }, transaction);
    return { keyId, privateKey };
  }
}
