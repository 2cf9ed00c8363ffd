import { displayNameOf, verifiedEmailOf } from './openid-provider';

describe('claims of a provider', () => {
  it('should return an address only when the provider has verified it', () => {
    expect(verifiedEmailOf({ email: ' Ada@Example.ORG', email_verified: true })).toBe('ada@example.org');
    for (const email_verified of [undefined, false, null, 'true', 1, {}]) {
      expect(verifiedEmailOf({ email: 'ada@example.org', email_verified })).toBeNull();
    }
    for (const email of [
      undefined,
      null,
      7,
      '',
      'ada',
      ['ada@example.org'],
      `${'a'.repeat(320)}@example.org`,
    ]) {
      expect(verifiedEmailOf({ email, email_verified: true })).toBeNull();
    }
  });

  it('should return no address that becomes another one in lower case', () => {
    // The Kelvin sign, whose small letter is an ordinary k: at the provider it is the address of another person.
    expect(verifiedEmailOf({ email: 'mi\u212Ae@example.org', email_verified: true })).toBeNull();
    expect(verifiedEmailOf({ email: 'mike@\u212Aelvin.example', email_verified: true })).toBeNull();
    expect(verifiedEmailOf({ email: 'J\u00d6RG@example.org', email_verified: true })).toBe(
      'j\u00f6rg@example.org',
    );
  });

  it('should return a name that can be stored', () => {
    expect(displayNameOf({ name: ' Ada\u0000\nLovelace ' })).toBe('Ada Lovelace');
    expect(displayNameOf({ name: '😀'.repeat(201) })).toBe('😀'.repeat(200));
    for (const name of [undefined, null, 7, '', ' \n ', {}]) expect(displayNameOf({ name })).toBeNull();
  });
});
