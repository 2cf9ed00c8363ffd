import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a key and a self-signed certificate for `localhost`, both PEM. */
export function makeCertificate(keyPath: string, certificatePath: string): void {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', keyPath, '-out', certificatePath];
  execFileSync('openssl', ['req', ...kind, ...name, ...files], { stdio: 'ignore' });
}

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

export function testCertificate(): TestCertificate {
  const directory = mkdtempSync(join(tmpdir(), 'mailroom-certificate-'));
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
    makeCertificate(key, cert);
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** SHA-256 of a certificate (PEM), 64 hex digits. */
export const fingerprintOf = (cert: string): string =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
