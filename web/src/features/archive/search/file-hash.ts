import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** The largest file that is read: no attachment is larger. */
export const MAX_FILE_BYTES = 1024 ** 3;

/**
 * The SHA-256 of a file, in hexadecimal digits. It is read piece by piece and stays on this computer. The browser's own function needs the
 * whole file in memory, and HTTPS.
 */
export async function hashOfFile(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = sha256.create();
  await file
    .stream()
    .pipeTo(new WritableStream({ write: (piece: Uint8Array) => void hash.update(piece) }), { signal });
  return bytesToHex(hash.digest());
}
