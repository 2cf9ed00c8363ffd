import { codeChallengeOf, newCodeVerifier } from './consent-states';

describe('PKCE', () => {
  it('should derive the challenge of RFC 7636, appendix B', () => {
    expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('should create verifiers of the length and alphabet that the RFC requires, never twice', () => {
    const verifiers = Array.from({ length: 50 }, newCodeVerifier);
    for (const verifier of verifiers) expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(verifiers).size).toBe(50);
  });
});
