import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface GeneratedSecrets {
  jwtSecret: string;
  encryptionKey: string;
}

/**
 * Secrets of the quick start: generated on the first run into `DATA_DIR/secrets.json` (mode 0600) and read
 * from there ever after. Losing the file makes sealed provider tokens unreadable, so it is written atomically.
 */
export function loadOrCreateSecrets(dataDir: string): GeneratedSecrets {
  const file = join(dataDir, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GeneratedSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true });
  const secrets: GeneratedSecrets = {
    jwtSecret: randomBytes(48).toString('base64url'),
    encryptionKey: randomBytes(32).toString('base64'),
  };
  const temporary = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  writeSync(descriptor, JSON.stringify(secrets, null, 2));
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(temporary, file);
  return secrets;
}
