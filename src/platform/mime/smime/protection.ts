import { cmsBytes, isCmsPart, MAX_CONTENT_BYTES } from '../contained-parts';
import { firstField } from '../header-block';
import { parseAddressList } from '../address-list';
import type { MimeEntity } from '../mime-tree';
import { bodyOf } from '../body-text';
import { decodeBounded } from '../transfer-decoder';
import { type CheckedSignature, checkSignatures } from './check-signature';
import { readCms } from './cms';

const SIGNATURE_TYPE = /^application\/(?:x-)?pkcs7-signature$/;
const MAX_SIGNATURE_BYTES = 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/** S/MIME (RFC 8551) around a message, or around one of its parts. */
export interface Protection {
  /** Whether content is encrypted, which only the recipient's key opens. */
  readonly isEncrypted: boolean;
  /** Whether all of the message is protected, not only one part, below which others may stand. */
  readonly coversMessage: boolean;
  readonly signatures: readonly MessageSignature[];
}

export type MessageSignature = CheckedSignature & {
  /** Whether the certificate has the address that the message names as its sender. */
  readonly isOfSender: boolean;
};

/**
 * Reads the outermost S/MIME of a message, and checks its signatures; null without any. Messages in parts do not count. Never
 * throws because of the content of a message.
 * @param root read by `readMessage`
 */
export function readProtection(root: MimeEntity): Protection | null {
  const found = findProtected(root);
  const checked = found && checkProtected(found);
  if (!found || !checked) return null;
  const senders = parseAddressList(firstField(root.fields, 'from') ?? '').map(({ address }) =>
    address.toLowerCase(),
  );
  return {
    isEncrypted: checked.isEncrypted,
    coversMessage: found === root,
    signatures: checked.signatures.map((signature) => ({
      ...signature,
      isOfSender: senders.length > 0 && senders.every((address) => signature.addresses.includes(address)),
    })),
  };
}

function findProtected(entity: MimeEntity): MimeEntity | null {
  if (isClearSigned(entity) || (!entity.children && isCmsPart(entity))) return entity;
  for (const child of entity.children ?? []) {
    const found = findProtected(child);
    if (found) return found;
  }
  return null;
}

/** Content with a signature in a part behind it (RFC 1847 §2.1). */
function isClearSigned({ mediaType, children }: MimeEntity): boolean {
  if (mediaType !== 'multipart/signed' || children?.length !== 2) return false;
  return SIGNATURE_TYPE.test(children[1]?.mediaType ?? '');
}

function checkProtected(
  entity: MimeEntity,
): { isEncrypted: boolean; signatures: readonly CheckedSignature[] } | null {
  if (entity.children) return { isEncrypted: false, signatures: checkClearSigned(entity.children) };
  const cms = readCms(cmsBytes(entity), MAX_CONTENT_BYTES);
  if (cms?.kind === 'encrypted') return { isEncrypted: true, signatures: [] };
  // Certificates are sent in such a structure too; then nothing is signed.
  if (cms?.kind !== 'signed' || cms.content === null || cms.signers.length === 0) return null;
  return { isEncrypted: false, signatures: checkSignatures(cms, [cms.content]) };
}

function checkClearSigned([content, signature]: readonly MimeEntity[]): readonly CheckedSignature[] {
  if (!content || !signature) return [];
  const bytes = decodeBounded(bodyOf(signature), signature.encoding, MAX_SIGNATURE_BYTES);
  const cms = readCms(bytes, MAX_CONTENT_BYTES);
  const signed = signedBytes(content, signature);
  const isReadable = cms?.kind === 'signed' && signed.length <= MAX_CONTENT_BYTES;
  return isReadable
    ? checkSignatures(cms, [withCrLf(signed), signed])
    : checkSignatures({ kind: 'signed', content: null, certificates: [], signers: [] }, []);
}

/** The signed entity with its header, without the line end that belongs to the delimiter behind it. */
function signedBytes({ source, start }: MimeEntity, signature: MimeEntity): Buffer {
  const delimiter = source.lastIndexOf(LF, signature.start - 2);
  const end = source[delimiter - 1] === CR ? delimiter - 1 : delimiter;
  return source.subarray(start, Math.max(start, end));
}

/** Text is signed with the line ends it has on the way (RFC 8551 §3.1.1), however it is kept. */
function withCrLf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}
