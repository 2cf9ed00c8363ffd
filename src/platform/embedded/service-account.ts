import { readFile } from 'node:fs/promises';

/** The operating-system user that a private server runs as. */
export interface ServiceAccount {
  uid: number;
  gid: number;
  /** False when the server runs as the user of this process, which then needs no change of identity. */
  switched: boolean;
}

interface PasswdEntry {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Picks the user for the servers: this process's own, or, because PostgreSQL refuses to run as root,
 * the owner of data that exists already, else `postgres`, else `nobody`.
 */
export async function chooseServiceAccount(existingOwner: number | null): Promise<ServiceAccount> {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? -1, switched: false };
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const chosen =
    users.find((user) => existingOwner !== null && existingOwner !== 0 && user.uid === existingOwner) ??
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody');
  return { uid: chosen?.uid ?? 65534, gid: chosen?.gid ?? 65534, switched: true };
}

/** Reads passwd(5) lines; malformed ones are left out. */
export function parsePasswd(text: string): PasswdEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
