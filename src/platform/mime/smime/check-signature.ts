import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { type BerElement, NotBer, octetsOf, oidOf, readBer } from './ber';
import type { SignedData, Signer } from './cms';

/** Reasons why a signature cannot be checked. */
export type UncheckedReason = 'no-signer' | 'no-certificate' | 'unknown-algorithm' | 'unreadable';

/**
 * The state of a signature. `intact`: digest and signature fit the content and the certificate in the message, which is not
 * compared with any authority. `altered`: they do not.
 */
export type SignatureState =
  | { readonly state: 'intact' | 'altered'; readonly reason: null }
  | { readonly state: 'unchecked'; readonly reason: UncheckedReason };

export type CheckedSignature = SignatureState & {
  /** The name in the certificate of the signer; null without one. */
  readonly signer: string | null;
  /** E-mail addresses in that certificate, in lower case. */
  readonly addresses: readonly string[];
  /** Name of the certificate's issuer. */
  readonly issuer: string | null;
  /** Whether the certificate names itself as its issuer, so that no authority stands behind it. */
  readonly isSelfSigned: boolean;
  /** Whether the digest is one for which forgeries are known (MD5, SHA-1). */
  readonly isWeak: boolean;
};

const DIGESTS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** The digests that names of signature algorithms contain (RFC 3279, RFC 4055, RFC 5758). */
const SIGNATURES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
/** Names of algorithms that leave the digest to the signer's: RSA, and keys on elliptic curves. */
const WITH_SIGNER_DIGEST = new Set(['1.2.840.113549.1.1.1', '1.2.840.10045.2.1']);
const PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';
const WEAK = new Set(['md5', 'sha1']);
/** RFC 4055 §3.1: what the parameters of RSASSA-PSS leave out. */
const PSS_DIGEST = 'sha1';
const PSS_SALT_LENGTH = 20;
const KEY_IDENTIFIER = '2.5.29.14';

/**
 * Checks every signature of a message against its content. Never throws because of their content.
 * @param contents forms in which the content may have been signed: one that fits is enough
 */
export function checkSignatures(signed: SignedData, contents: readonly Buffer[]): CheckedSignature[] {
  if (signed.signers.length === 0) return [describeSignature(unchecked('no-signer'), null, '')];
  const certificates = signed.certificates.flatMap((der) => readCertificate(der) ?? []);
  return signed.signers.map((signer) => {
    const certificate = certificates.find((candidate) => isNamedBy(candidate, signer)) ?? null;
    const digest = DIGESTS[signer.digestAlgorithm] ?? '';
    const state = certificate ? checkSigner(signer, certificate.x509, contents) : unchecked('no-certificate');
    return describeSignature(state, certificate?.x509 ?? null, digest);
  });
}

const unchecked = (reason: UncheckedReason): SignatureState => ({ state: 'unchecked', reason });

function describeSignature(
  state: SignatureState,
  certificate: X509Certificate | null,
  digest: string,
): CheckedSignature {
  const subject = certificate ? nameOf(certificate.subject) : null;
  return {
    ...state,
    signer: subject,
    addresses: certificate ? addressesOf(certificate) : [],
    issuer: certificate ? nameOf(certificate.issuer) : null,
    isSelfSigned: certificate !== null && certificate.subject === certificate.issuer,
    isWeak: WEAK.has(digest),
  };
}

function checkSigner(
  signer: Signer,
  certificate: X509Certificate,
  contents: readonly Buffer[],
): SignatureState {
  const digest = DIGESTS[signer.digestAlgorithm];
  if (digest === undefined) return unchecked('unknown-algorithm');
  try {
    const { signedAttributes, messageDigest } = signer;
    if (signedAttributes === null) {
      const fits = contents.map((content) => verifies(signer, digest, certificate.publicKey, content));
      if (fits.includes(null)) return unchecked('unknown-algorithm');
      return { state: fits.includes(true) ? 'intact' : 'altered', reason: null };
    }
    const fits = verifies(signer, digest, certificate.publicKey, signedAttributes);
    if (fits === null) return unchecked('unknown-algorithm');
    const isOfContent = contents.some(
      (content) => messageDigest?.equals(createHash(digest).update(content).digest()) ?? false,
    );
    return { state: fits && isOfContent ? 'intact' : 'altered', reason: null };
  } catch {
    // Keys and signatures of any kind of nonsense end here: OpenSSL has many errors for them.
    return unchecked('unreadable');
  }
}

/** Whether the signature is one of the data by the key; null for an algorithm that is not known. */
function verifies(signer: Signer, digest: string, key: KeyObject, data: Buffer): boolean | null {
  const { signatureAlgorithm, signature } = signer;
  if (signatureAlgorithm === ED25519) return verify(null, data, key, signature);
  if (signatureAlgorithm === PSS) {
    const pss = pssParameters(signer.signatureParameters);
    return verify(pss.digest, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, ...pss }, signature);
  }
  const named = WITH_SIGNER_DIGEST.has(signatureAlgorithm) ? digest : SIGNATURES[signatureAlgorithm];
  return named === undefined ? null : verify(named, data, key, signature);
}

function pssParameters(parameters: BerElement | null): { digest: string; saltLength: number } {
  const field = (tag: number): BerElement | undefined =>
    parameters?.children.find((child) => child.tag === tag)?.children[0];
  const salt = field(0xa2)?.content;
  return {
    digest: DIGESTS[oidOf(field(0xa0)?.children[0])] ?? PSS_DIGEST,
    saltLength:
      salt && salt.length > 0 && salt.length <= 4 ? salt.readUIntBE(0, salt.length) : PSS_SALT_LENGTH,
  };
}

interface Certificate {
  readonly x509: X509Certificate;
  readonly issuer: Buffer;
  readonly serialNumber: Buffer;
  readonly keyIdentifier: Buffer | null;
}

function readCertificate(der: Buffer): Certificate | null {
  try {
    const fields = [...(readBer(der).children[0]?.children ?? [])];
    if (fields[0]?.tag === 0xa0) fields.shift();
    const [serialNumber, , issuer] = fields;
    if (!serialNumber || !issuer) return null;
    return {
      x509: new X509Certificate(der),
      issuer: issuer.bytes,
      serialNumber: serialNumber.content,
      keyIdentifier: keyIdentifierOf(fields.find(({ tag }) => tag === 0xa3)),
    };
  } catch {
    // Neither this reader nor OpenSSL takes it for a certificate.
    return null;
  }
}

function keyIdentifierOf(extensions: BerElement | undefined): Buffer | null {
  const extension = extensions?.children[0]?.children.find(
    ({ children }) => oidOf(children[0]) === KEY_IDENTIFIER,
  );
  const value = extension?.children.at(-1);
  if (!value) return null;
  try {
    return octetsOf(readBer(value.content));
  } catch (error) {
    if (error instanceof NotBer) return null;
    throw error;
  }
}

function isNamedBy(certificate: Certificate, { certificateId }: Signer): boolean {
  if ('keyIdentifier' in certificateId)
    return certificate.keyIdentifier?.equals(certificateId.keyIdentifier) ?? false;
  return (
    certificate.issuer.equals(certificateId.issuer) &&
    certificate.serialNumber.equals(certificateId.serialNumber)
  );
}

const MAX_NAME = 200;

/** The common name of a distinguished name in lines, as Node writes it; all of it when it has none. */
function nameOf(distinguished: string | null): string | null {
  if (distinguished === null) return null;
  const name = /^CN=(.*)$/m.exec(distinguished)?.[1] ?? distinguished.replaceAll('\n', ', ');
  return name.trim().slice(0, MAX_NAME) || null;
}

function addressesOf(certificate: X509Certificate): string[] {
  const { subject, subjectAltName } = textsOf(certificate);
  const named = [...subject.matchAll(/^emailAddress=(.*)$/gm)].map(([, address = '']) => address);
  const alternative = [...subjectAltName.matchAll(/(?:^|, )email:([^\s,"]+)/g)].map(
    ([, address = '']) => address,
  );
  const addresses = [...named, ...alternative].map((address) => address.trim().toLowerCase().slice(0, 320));
  return [...new Set(addresses)].slice(0, MAX_ADDRESSES);
}

const MAX_ADDRESSES = 20;

/** Names that OpenSSL cannot write as text are null, of which the types of Node do not know. */
function textsOf({ subject, subjectAltName }: X509Certificate): { subject: string; subjectAltName: string } {
  const texts: readonly (string | null | undefined)[] = [subject, subjectAltName];
  return { subject: texts[0] ?? '', subjectAltName: texts[1] ?? '' };
}
