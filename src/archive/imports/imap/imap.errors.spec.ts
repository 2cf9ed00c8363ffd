import { describeImapError, ImapFailure, ImapStage } from './imap.errors';

describe('describeImapError', () => {
  it.each<[string, object | null, ImapStage, string]>([
    ['an unknown name', { code: 'ENOTFOUND' }, 'connect', 'imap-host-unreachable'],
    ['a closed port', { code: 'ECONNREFUSED' }, 'connect', 'imap-host-unreachable'],
    ['no way there', { code: 'EHOSTUNREACH' }, 'connect', 'imap-host-unreachable'],
    ['silence', { code: 'CONNECT_TIMEOUT' }, 'connect', 'imap-host-unreachable'],
    ['no greeting', { code: 'GREETING_TIMEOUT' }, 'connect', 'imap-host-unreachable'],
    ['a self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'connect', 'imap-tls-failed'],
    ['an expired certificate', { code: 'CERT_HAS_EXPIRED' }, 'connect', 'imap-tls-failed'],
    ["another host's certificate", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'connect', 'imap-tls-failed'],
    ['plain text instead of TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'connect', 'imap-tls-failed'],
    ['a reset handshake', { code: 'ECONNRESET' }, 'connect', 'imap-tls-failed'],
    ['a failed STARTTLS', { tlsFailed: true }, 'connect', 'imap-tls-failed'],
    [
      'a refused login',
      { authenticationFailed: true, serverResponseCode: 'AUTHENTICATIONFAILED' },
      'connect',
      'imap-login-failed',
    ],
    [
      'a login while the server is down',
      { authenticationFailed: true, serverResponseCode: 'UNAVAILABLE' },
      'connect',
      'imap-unavailable',
    ],
    [
      'a login cut off',
      { authenticationFailed: true, code: 'NoConnection' },
      'connect',
      'imap-connection-lost',
    ],
    [
      'a login that wants TLS',
      { authenticationFailed: true, message: 'Login is disabled' },
      'connect',
      'imap-tls-required',
    ],
    [
      'a goodbye instead of a greeting',
      { code: 'ClosedAfterConnectText' },
      'connect',
      'imap-connection-lost',
    ],
    [
      'a missing folder',
      { responseStatus: 'NO', serverResponseCode: 'NONEXISTENT' },
      'open',
      'imap-folder-not-found',
    ],
    [
      'a forbidden folder',
      { responseStatus: 'NO', serverResponseCode: 'NOPERM' },
      'open',
      'imap-folder-refused',
    ],
    ['a folder in use', { responseStatus: 'NO', serverResponseCode: 'INUSE' }, 'open', 'imap-unavailable'],
    ['a lost connection', { code: 'EConnectionClosed' }, 'read', 'imap-connection-lost'],
    ['a reset connection', { code: 'ECONNRESET' }, 'read', 'imap-connection-lost'],
    ['nonsense', { code: 'ParserError' }, 'read', 'imap-protocol-error'],
    ['an answer too long', { code: 'LiteralTooLarge' }, 'read', 'imap-protocol-error'],
    ['nothing known', null, 'read', 'imap-protocol-error'],
  ])('should know %s', (_name, error, stage, code) => {
    expect(describeImapError(error, stage, true).code).toBe(code);
  });

  it("should never repeat the server's words", () => {
    const error = Object.assign(new Error('secret words'), {
      responseText: 'secret words',
      code: 'secret words',
    });
    const failure = describeImapError(error, 'open', true);
    expect(JSON.stringify([failure, failure.message, failure.detail, String(failure.cause)])).not.toContain(
      'secret',
    );
  });

  it('should distinguish passing failures from lasting ones', () => {
    expect(new ImapFailure('imap-connection-lost', '').mayPass).toBe(true);
    expect(new ImapFailure('imap-login-failed', '').mayPass).toBe(false);
  });
});
