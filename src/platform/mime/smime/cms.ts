import { inflateSync } from 'node:zlib';
import { type BerElement, NotBer, octetsOf, oidOf, readBer } from './ber';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const COMPRESSED_DATA = '1.2.840.113549.1.9.16.1.9';
const ENVELOPED = new Set(['1.2.840.113549.1.7.3', '1.2.840.113549.1.9.16.1.23']);
const SEQUENCE = 0x30;
const SET = 0x31;
const FIRST_CONTEXT = 0xa0;
/** Most signatures that are read of a message; honest mail has one or two. */
const MAX_SIGNERS = 10;
const MAX_CERTIFICATES = 50;

/** A structure of the Cryptographic Message Syntax (RFC 5652) in a part. */
export type Cms =
  | SignedData
  | { readonly kind: 'encrypted' }
  /** RFC 3274. */
  | { readonly kind: 'compressed'; readonly content: Buffer };

export interface SignedData {
  readonly kind: 'signed';
  /** The signed bytes; null when they stand outside, or nothing is signed. */
  readonly content: Buffer | null;
  /** Certificates in DER. */
  readonly certificates: readonly Buffer[];
  readonly signers: readonly Signer[];
}

/** A SignerInfo (RFC 5652 §5.3). */
export interface Signer {
  /** The name of the certificate: by issuer and serial number, or by the identifier of its key. */
  readonly certificateId:
    | { readonly issuer: Buffer; readonly serialNumber: Buffer }
    | { readonly keyIdentifier: Buffer };
  readonly digestAlgorithm: string;
  /** Signed attributes as the signature covers them: a SET OF; null without them. */
  readonly signedAttributes: Buffer | null;
  /** The digest that the signed attributes have of the content; null without it. */
  readonly messageDigest: Buffer | null;
  readonly signatureAlgorithm: string;
  readonly signatureParameters: BerElement | null;
  readonly signature: Buffer;
}

/**
 * Reads a CMS structure in BER. Null when the bytes are none, or of a kind that mail does not have. Never throws.
 * @param maxContent most bytes of decompressed content; a structure with more is none
 */
export function readCms(bytes: Buffer, maxContent: number): Cms | null {
  try {
    const [type, wrapped] = readBer(bytes).children;
    const oid = oidOf(type);
    if (ENVELOPED.has(oid)) return { kind: 'encrypted' };
    const body = wrapped?.children[0];
    if (!body) return null;
    if (oid === SIGNED_DATA) return readSignedData(body);
    return oid === COMPRESSED_DATA ? readCompressed(body, maxContent) : null;
  } catch (error) {
    if (error instanceof NotBer || isZlibError(error)) return null;
    throw error;
  }
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code);

function readCompressed({ children }: BerElement, maxContent: number): Cms | null {
  const compressed = children[2]?.children[1]?.children[0];
  if (!compressed) return null;
  return { kind: 'compressed', content: inflateSync(octetsOf(compressed), { maxOutputLength: maxContent }) };
}

function readSignedData({ children }: BerElement): SignedData {
  const [, , encapsulated, ...others] = children;
  const content = encapsulated?.children[1]?.children[0];
  const certificates = others.find(({ tag }) => tag === FIRST_CONTEXT)?.children ?? [];
  const signers = others.find(({ tag }) => tag === SET)?.children ?? [];
  return {
    kind: 'signed',
    content: content ? octetsOf(content) : null,
    certificates: certificates
      .filter(({ tag }) => tag === SEQUENCE)
      .slice(0, MAX_CERTIFICATES)
      .map(({ bytes }) => bytes),
    signers: signers.slice(0, MAX_SIGNERS).flatMap((signer) => readSigner(signer) ?? []),
  };
}

function readSigner({ children }: BerElement): Signer | null {
  const [, id, digest, ...others] = children;
  const attributes = others[0]?.tag === FIRST_CONTEXT ? others.shift() : undefined;
  const [algorithm, signature] = others;
  const certificateId = id && certificateIdOf(id);
  if (!certificateId || !digest || !algorithm || !signature) return null;
  return {
    certificateId,
    digestAlgorithm: oidOf(digest.children[0]),
    signedAttributes: attributes ? asSet(attributes) : null,
    messageDigest: attributes ? messageDigestOf(attributes) : null,
    signatureAlgorithm: oidOf(algorithm.children[0]),
    signatureParameters: algorithm.children[1] ?? null,
    signature: octetsOf(signature),
  };
}

function certificateIdOf(id: BerElement): Signer['certificateId'] | null {
  if (id.tag !== SEQUENCE) return { keyIdentifier: octetsOf(id) };
  const [issuer, serialNumber] = id.children;
  return issuer && serialNumber ? { issuer: issuer.bytes, serialNumber: serialNumber.content } : null;
}

/** Attributes are signed as a SET OF in DER, not with the tag they have in the structure (RFC 5652 §5.4). */
function asSet({ content }: BerElement): Buffer {
  const { length } = content;
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  const header = length < 0x80 ? [SET, length] : [SET, 0x80 | octets.length, ...octets];
  return Buffer.concat([Buffer.from(header), content]);
}

const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';

function messageDigestOf({ children }: BerElement): Buffer | null {
  const attribute = children.find((child) => oidOf(child.children[0]) === MESSAGE_DIGEST);
  const value = attribute?.children[1]?.children[0];
  return value ? octetsOf(value) : null;
}
