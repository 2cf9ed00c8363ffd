import { formatScryptHash, parseScryptHash } from './scrypt-hash';

describe('stored scrypt hashes', () => {
  const hash = {
    cost: { ln: 15, r: 8, p: 3 },
    salt: Buffer.from('0123456789abcdef'),
    key: Buffer.from('f'.repeat(32)),
  };

  it('should describe themselves and be readable again', () => {
    const text = formatScryptHash(hash);
    expect(text).toBe(
      '$scrypt$ln=15,r=8,p=3$MDEyMzQ1Njc4OWFiY2RlZg$ZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmY',
    );
    expect(parseScryptHash(text)).toEqual(hash);
  });

  it.each([
    '',
    'plain',
    '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$a2V5',
    '$scrypt$ln=15,r=8$c2FsdA$a2V5',
    '$scrypt$ln=15,r=8,p=3$$',
  ])('should refuse anything else: %j', (text) => expect(parseScryptHash(text)).toBeNull());
});
