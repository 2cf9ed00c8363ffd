import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';

/** An Ed25519 key pair (RFC 8032), both halves in PEM: SPKI and PKCS #8 (RFC 8410). */
export interface KeyPair {
  readonly keyId: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Id of a public key: the first 16 bytes of the SHA-256 of its DER form, in hex. @param publicKey PEM */
export function keyIdOf(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex').slice(0, 32);
}

export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { keyId: keyIdOf(publicKey), publicKey, privateKey };
}

/** Ed25519 signature of the UTF-8 bytes of the text, in base64. @param privateKey PEM */
export function signatureOf(text: string, privateKey: string): string {
  return sign(null, Buffer.from(text, 'utf8'), createPrivateKey(privateKey)).toString('base64');
}

/**
 * Whether the signature is of the text and was made with the private half of the key. @param publicKey PEM. @param signature
 * base64
 */
export function isSignatureOf(text: string, publicKey: string, signature: string): boolean {
  const key = createPublicKey(publicKey);
  // Only Ed25519 keys are accepted: with a key of another kind, `verify` would check another algorithm.
  if (key.asymmetricKeyType !== 'ed25519') return false;
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
}
