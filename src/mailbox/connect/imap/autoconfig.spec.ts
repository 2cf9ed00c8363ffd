import { parseAutoconfig } from './autoconfig';

const server = (inner: string, type = 'imap'): string =>
  `<incomingServer type="${type}">${inner}</incomingServer>`;
const file = (...servers: string[]): string =>
  `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="example.org">${servers.join('')}</emailProvider></clientConfig>`;
const TLS = `<hostname>Imap.example.org</hostname><port>993</port><socketType>SSL</socketType>
  <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>`;
const EMAIL = 'ada.l@example.org';

describe('parseAutoconfig', () => {
  it('should find IMAP servers in order', () => {
    const starttls = TLS.replace('SSL', 'STARTTLS').replace('993', '143').replace('ADDRESS', 'LOCALPART');
    expect(parseAutoconfig(file(server(TLS, 'pop3'), server(TLS), server(starttls)), EMAIL)).toEqual([
      { host: 'imap.example.org', port: 993, security: 'tls', username: EMAIL },
      { host: 'imap.example.org', port: 143, security: 'starttls', username: 'ada.l' },
    ]);
  });

  it.each([
    ['no protection', TLS.replace('SSL', 'plain')],
    ['no host', TLS.replace('Imap.example.org', '')],
    ['an invalid host', TLS.replace('Imap.example.org', 'imap.example.org/x')],
    ['an invalid port', TLS.replace('993', '99999')],
    ['tokens only', TLS.replace('password-cleartext', 'OAuth2')],
    ['a login with control characters', TLS.replace('%EMAILADDRESS%', 'a\u0007b')],
  ])('should leave out a server with %s', (_what, inner) => {
    expect(parseAutoconfig(file(server(inner)), EMAIL)).toEqual([]);
  });

  it('should read names in place of the domain and standard entities, but no comments', () => {
    const inner = TLS.replace('Imap.example.org', 'imap.%EMAILDOMAIN%').replace('%EMAILADDRESS%', 'a&amp;b');
    expect(parseAutoconfig(file(`<!-- ${server(TLS)} -->`, server(inner)), EMAIL)).toEqual([
      { host: 'imap.example.org', port: 993, security: 'tls', username: 'a&b' },
    ]);
  });

  it('should ignore a file that declares entities', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';
    expect(parseAutoconfig(bomb + file(server(TLS)), EMAIL)).toEqual([]);
  });

  it('should be fast and small on input that is not a configuration', () => {
    const started = performance.now();
    expect(parseAutoconfig('<incomingServer type="imap">'.repeat(2_300), EMAIL)).toEqual([]);
    expect(parseAutoconfig(`<incomingServer ${'type '.repeat(13_000)}`, EMAIL)).toEqual([]);
    expect(parseAutoconfig(file(...Array.from({ length: 50 }, () => server(TLS))), EMAIL)).toHaveLength(5);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
