import { canonicalCode, isTotpCode, newRecoveryCodes, newTotpSecret, otpauthUrl, stepOfCode } from './totp';

/** RFC 6238, appendix B: the SHA-1 secret is the ASCII text 12345678901234567890; its codes cut to six digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const RFC_CODES: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

describe('one-time codes', () => {
  it.each(RFC_CODES)('should be those of RFC 6238 at %d s', (seconds, code) => {
    expect(stepOfCode(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('should be valid one step before and after their own, and no further', () => {
    const step = Math.floor(1_234_567_890 / 30);
    const at = (steps: number): number | null => stepOfCode(RFC_SECRET, '005924', (step + steps) * 30_000);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
  });

  it('should consist of six digits', () => {
    const codes = ['005924', '05924', '0059241', '00592x', '', ' 005924', '٠٠٥٩٢٤'];
    expect(codes.map(isTotpCode)).toEqual([true, false, false, false, false, false, false]);
    expect(codes.map((code) => stepOfCode(RFC_SECRET, code, 1_234_567_890_000) !== null)).toEqual(
      codes.map(isTotpCode),
    );
  });

  it('should have secrets of 160 bits, each different', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
  });

  it('should be offered to authenticator apps as a URL', () => {
    const url = new URL(otpauthUrl(RFC_SECRET, 'ada+mail@example.org'));
    expect(url.protocol + url.host).toBe('otpauth:totp');
    expect(decodeURIComponent(url.pathname)).toBe('/Mailroom:ada+mail@example.org');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Mailroom',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('should be ten different codes of 80 bits, in groups of four', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  });

  it('should be accepted with blanks, any dash and small letters', () => {
    for (const typed of [
      'abcd-efgh-ijkl-mn2p',
      ' ABCD EFGH IJKL MN2P\n',
      'Abcd–Efgh—ijkl‑mn2p',
      'ABCDEFGHIJKLMN2P',
    ]) {
      expect(canonicalCode(typed)).toBe('ABCDEFGHIJKLMN2P');
    }
    expect(canonicalCode('123 456')).toBe('123456');
  });
});
