import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../../platform/crypto/secret-box';
import type { Transaction } from '../../../platform/database/transactions';
import type { AppConfig } from '../../../platform/config/app-config';
import type { InstallationKeysRepository, PublicKey, SealedKey } from './installation-keys.repository';
import { InstallationKeysService } from './installation-keys.service';
import { isSignatureOf } from './signatures';

const TRANSACTION = {} as Transaction;

const boxOf = (encryptionKey: Buffer): SecretBox =>
  new SecretBox({ secrets: { encryptionKey } } as unknown as AppConfig);

class Keys {
  readonly rows: (SealedKey & PublicKey)[] = [];
  readonly list = async (): Promise<PublicKey[]> => this.rows;
  readonly lockSealed = async (): Promise<SealedKey[]> => this.rows.toReversed();
  readonly insert = async (key: SealedKey & Pick<PublicKey, 'publicKey'>): Promise<void> => {
    this.rows.push({ ...key, createdAt: new Date() });
  };
}

describe('InstallationKeysService', () => {
  const keys = new Keys();
  const service = (key: Buffer): InstallationKeysService =>
    new InstallationKeysService(keys as unknown as InstallationKeysRepository, boxOf(key));
  const [first, second] = [randomBytes(32), randomBytes(32)];

  it('should sign with one key, and with a new one once ENCRYPTION_KEY changes', async () => {
    const signer = await service(first).ensureSigner(TRANSACTION);
    expect(signer.installation).toBe(signer.keyId);
    const signed = signer.sign('text');
    expect(isSignatureOf('text', keys.rows[0]!.publicKey, signed.signature)).toBe(true);
    expect((await service(first).ensureSigner(TRANSACTION)).keyId).toBe(signer.keyId);
    expect(keys.rows).toHaveLength(1);

    const later = await service(second).ensureSigner(TRANSACTION);
    expect(later.keyId).not.toBe(signer.keyId);
    // The installation is the same, and what was signed before holds.
    expect(later.installation).toBe(signer.keyId);
    expect(keys.rows.map(({ keyId }) => keyId)).toEqual([signer.keyId, later.keyId]);
    expect(isSignatureOf('text', keys.rows[0]!.publicKey, signed.signature)).toBe(true);
  });

  it('should keep private keys sealed', () => {
    for (const { sealedPrivateKey } of keys.rows) expect(sealedPrivateKey).not.toContain('PRIVATE KEY');
  });
});
