import { relyingPartyOf } from './relying-party';

describe('relyingPartyOf', () => {
  it.each([
    ['https://mail.example.org', { id: 'mail.example.org', origin: 'https://mail.example.org' }],
    [
      'https://mail.example.org:8443/mail',
      { id: 'mail.example.org', origin: 'https://mail.example.org:8443' },
    ],
    ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://mailroom.localhost', { id: 'mailroom.localhost', origin: 'http://mailroom.localhost' }],
  ])('should be the host of %s', (appUrl, expected) => expect(relyingPartyOf(appUrl)).toEqual(expected));

  it.each([
    'http://mail.example.org',
    'https://192.0.2.7',
    'http://127.0.0.1:3000',
    'https://[2001:db8::1]:8443',
  ])('should not exist at %s', (appUrl) => expect(relyingPartyOf(appUrl)).toBeNull());
});
