import { readMailboxClaims } from './id-token';

const tokenOf = (claims: unknown): string =>
  `e30.${Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)).toString('base64url')}.`;

describe('readMailboxClaims', () => {
  it('should return the address in lower case, and the user name as the issuer writes it', () => {
    const claims = { aud: 'client', email: 'Ada@Outlook.com', preferred_username: 'Ada.L@contoso.example' };
    expect(readMailboxClaims(tokenOf(claims), 'client')).toEqual({
      email: 'ada@outlook.com',
      username: 'Ada.L@contoso.example',
    });
  });

  it('should use either claim for both when the other is missing', () => {
    const email = { email: 'ada@outlook.com', username: 'ada@outlook.com' };
    expect(readMailboxClaims(tokenOf({ aud: ['x', 'client'], email: 'ada@outlook.com' }), 'client')).toEqual(
      email,
    );
    expect(
      readMailboxClaims(tokenOf({ aud: 'client', preferred_username: 'ada@outlook.com' }), 'client'),
    ).toEqual(email);
  });

  it.each([
    ['no token', undefined],
    ['a text without parts', 'token'],
    ['a token that is not JSON', tokenOf('{')],
    ['a token of null', tokenOf('null')],
    ['a token for another client', tokenOf({ aud: 'other', email: 'ada@outlook.com' })],
    ['a token without an audience', tokenOf({ email: 'ada@outlook.com' })],
    ['a token without an address', tokenOf({ aud: 'client', preferred_username: '+33 6 00' })],
    ['an address with a line end', tokenOf({ aud: 'client', email: 'ada@outlook.com\r\nA1 LOGOUT' })],
  ])('should return null for %s', (_name, token) => {
    expect(readMailboxClaims(token, 'client')).toBeNull();
  });
});
