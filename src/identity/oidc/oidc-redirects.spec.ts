import { returnPathOf } from './oidc-redirects';

describe('the path to return to', () => {
  it.each([
    '/',
    '/archive',
    '/archive/search?q=a%20b&from=%C3%A9t%C3%A9#top',
    '/settings?next=%2Farchive',
    '/a//b',
    '/a:b@c',
    '/apiary',
  ])('should be allowed to be %s', (path) => {
    expect(returnPathOf(path)).toBe(path);
  });

  it.each<unknown>([
    undefined,
    ['/a', '/b'],
    '',
    'archive',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    '/%252Fevil.example',
    '/%25252Fevil.example',
    '/%5Cevil.example',
    '/%255Cevil.example',
    '/%09/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/%zz',
    `/${'%25'.repeat(6)}2F`,
    `/${'a'.repeat(2_000)}`,
    '/api/auth/oidc/login',
    '/API/auth/oidc/login',
    '/x/../api/auth/oidc/login',
    '/%61pi/auth/oidc/login',
  ])('should be the start page instead of %p', (wanted) => {
    expect(returnPathOf(wanted)).toBe('/');
  });
});
