import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';

/** Passwords of the private servers, hexadecimal so that they need no escaping anywhere. */
export interface EmbeddedCredentials {
  postgresSuperuser: string;
  postgres: string;
  redis: string;
}

const FILE = 'credentials.json';

/** Reads the passwords kept in `directory`, or generates them on the first run (mode 0600). */
export async function loadCredentials(directory: string): Promise<EmbeddedCredentials> {
  const file = join(directory, FILE);
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as Partial<EmbeddedCredentials>;
    const { postgresSuperuser, postgres, redis } = stored;
    if (postgresSuperuser && postgres && redis) return { postgresSuperuser, postgres, redis };
    throw new EmbeddedServiceUnavailable(`The file ${file} is incomplete: restore it from a backup.`);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new EmbeddedServiceUnavailable(`The file ${file} is damaged: restore it from a backup.`);
    }
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  const password = (): string => randomBytes(24).toString('hex');
  const created = { postgresSuperuser: password(), postgres: password(), redis: password() };
  await writeFile(`${file}.new`, JSON.stringify(created, null, 2), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return created;
}
