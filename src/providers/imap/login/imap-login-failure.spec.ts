import { EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';
import { imapLoginFailure } from './imap-login-failure';

const refusal = (serverResponseCode: string | undefined, responseText: string) => ({
  authenticationFailed: true,
  responseStatus: 'NO',
  serverResponseCode,
  responseText,
});

describe('imapLoginFailure', () => {
  it.each([
    // Errors of names, addresses and ports.
    ['unavailable', 'imap-host-unknown', 'host', new HostUnknown()],
    ['refused', 'imap-host-refused', 'host', new EgressRefused('Out of bounds.')],
    ['unavailable', 'imap-port-closed', 'port', { code: 'ECONNREFUSED' }],
    ['unavailable', 'imap-host-unreachable', null, { code: 'EHOSTUNREACH' }],
    ['unavailable', 'imap-host-unreachable', null, { code: 'CONNECT_TIMEOUT' }],
    ['unavailable', 'imap-not-imap', 'port', { code: 'GREETING_TIMEOUT' }],
    // TLS
    ['unavailable', 'imap-tls-failed', 'security', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    ['unavailable', 'imap-tls-failed', 'security', { code: 'ECONNRESET' }],
    ['refused', 'imap-certificate-untrusted', 'certificateSha256', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    [
      'refused',
      'imap-certificate-untrusted',
      'certificateSha256',
      { code: 'CERT_HAS_EXPIRED', tlsFailed: true },
    ],
    ['refused', 'imap-starttls-missing', 'security', { tlsFailed: true }],
    ['refused', 'imap-starttls-unsafe', 'security', { code: 'STARTTLS_INJECTION', tlsFailed: true }],
    // Answers of servers to a login.
    [
      'unauthorized',
      'imap-login-failed',
      'password',
      refusal('AUTHENTICATIONFAILED', 'Authentication failed.'),
    ],
    ['unauthorized', 'imap-login-failed', 'password', refusal(undefined, 'LOGIN failed')],
    [
      'unauthorized',
      'imap-login-failed',
      'password',
      refusal('ALERT', 'Application-specific password required'),
    ],
    ['unauthorized', 'imap-login-expired', 'password', refusal('EXPIRED', 'Password expired')],
    ['unauthorized', 'imap-login-not-allowed', 'username', refusal('AUTHORIZATIONFAILED', 'No IMAP for you')],
    [
      'refused',
      'imap-password-not-taken',
      'password',
      { authenticationFailed: true, message: 'Login is disabled' },
    ],
    ['refused', 'imap-password-not-taken', 'password', refusal('PRIVACYREQUIRED', 'No')],
    ['unavailable', 'imap-unavailable', null, refusal('UNAVAILABLE', 'Temporary authentication failure.')],
    ['unavailable', 'imap-unavailable', null, refusal('INUSE', 'Locked')],
    ['unavailable', 'imap-unavailable', null, refusal('SERVERBUG', 'Oops')],
    ['concurrency', 'imap-too-many-connections', null, refusal('LIMIT', 'Enough')],
    // Dovecot
    [
      'concurrency',
      'imap-too-many-connections',
      null,
      refusal(
        'UNAVAILABLE',
        'Maximum number of connections from user+IP exceeded (mail_max_userip_connections=2)',
      ),
    ],
    // Gmail
    [
      'concurrency',
      'imap-too-many-connections',
      null,
      refusal('ALERT', 'Too many simultaneous connections. (Failure)'),
    ],
    [
      'rateLimited',
      'imap-rate-limited',
      null,
      refusal('ALERT', 'Account exceeded command or bandwidth limits.'),
    ],
    ['rateLimited', 'imap-rate-limited', null, refusal(undefined, 'Too many login attempts, slow down')],
    ['unavailable', 'imap-unavailable', null, { responseStatus: 'BAD', responseText: 'What?' }],
    // BYE, and ends without a word.
    [
      'concurrency',
      'imap-too-many-connections',
      null,
      { code: 'ClosedAfterConnectTLS', reason: 'Too many connections' },
    ],
    ['unavailable', 'imap-connection-lost', null, { code: 'ClosedAfterConnectTLS', reason: 'Going down' }],
    ['unavailable', 'imap-connection-lost', null, { code: 'NoConnection' }],
    ['unavailable', 'imap-connection-lost', null, null],
  ])('should classify as %s: %s of %s', (kind, code, field, error) => {
    const failure = imapLoginFailure(error, true);
    expect(failure).toMatchObject({ kind, problem: { code, field } });
    expect(failure.problem.detail).toMatch(/\.$/);
  });

  it('should wait as long as a throttling server requests', () => {
    const error = { code: 'ETHROTTLE', throttleReset: 92_415, responseText: 'Request is throttled.' };
    expect(imapLoginFailure(error, true, 1_000)).toMatchObject({ kind: 'rateLimited', retryAt: 93_415 });
  });

  it('should wait a quarter of an hour for a mailbox that has used up its bytes', () => {
    const said = 'Account exceeded command or bandwidth limits. (Failure)';
    expect(imapLoginFailure(refusal('OVERQUOTA', said), true, 1_000)).toMatchObject({
      kind: 'rateLimited',
      retryAt: 901_000,
    });
    expect(imapLoginFailure(refusal('ALERT', 'Too many logins'), true, 1_000).retryAt).toBeNull();
  });

  it('should return a server’s message as one short line', () => {
    const said = imapLoginFailure(refusal(undefined, `\u0007 a\r\n* OK b\u202e${'x'.repeat(500)}`), true);
    expect(said.problem.serverText).toMatch(/^a \* OK b x+$/);
    expect(said.problem.serverText).toHaveLength(200);
    expect(imapLoginFailure(refusal(undefined, `${'x'.repeat(199)}😀`), true).problem.serverText).toBe(
      'x'.repeat(199),
    );
    expect(imapLoginFailure(refusal(undefined, ' \r\n '), true).problem.serverText).toBeNull();
    expect(imapLoginFailure({ code: 'NoConnection' }, true).problem.serverText).toBeNull();
  });

  it('should keep texts of servers and users out of the log', () => {
    const error = Object.assign(new Error('Command failed'), {
      ...refusal('AUTHENTICATIONFAILED', 'no such user alice@secret.example'),
      executedCommand: 'A1 LOGIN "alice@secret.example" "(* value hidden *)"',
    });
    const failure = imapLoginFailure(error, true);
    const logged = [
      failure.message,
      failure.error.message,
      String(failure.error.cause),
      failure.error.detail,
    ];
    expect(logged.join()).not.toContain('secret.example');
    expect(failure.reason).toBe('AUTHENTICATIONFAILED');
    expect(imapLoginFailure(refusal('X-SECRET', 'no'), true).reason).toBe('imap-login-failed');
  });
});
