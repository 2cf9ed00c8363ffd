/** Cost parameters of scrypt (RFC 7914): N = 2^ln, block size r, parallelisation p. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

export interface ScryptHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const PATTERN = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const encodeUnpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, the PHC string format: a hash says how it was made. */
export function formatScryptHash({ cost, salt, key }: ScryptHash): string {
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${encodeUnpadded(salt)}$${encodeUnpadded(key)}`;
}

/** null when the text is not such a hash. */
export function parseScryptHash(text: string): ScryptHash | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [, ln, r, p, salt, key] = match as unknown as [string, string, string, string, string, string];
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}
