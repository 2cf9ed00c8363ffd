import { EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';
import { ImapLoginFailure, imapLoginFailure } from '../login/imap-login-failure';
import { imapFailure, ImapProtocolError, unavailable } from '../session/imap-failures';
import { FolderMissing } from '../session/imap-session';
import {
  describeCommandFailure,
  describeLoginFailure,
  ImapServerFailure,
  isAnswered,
  refusalReason,
} from './imap-server-failure';

const codeOf = (failure: unknown): string => (failure as ImapServerFailure).code;

describe('describeLoginFailure', () => {
  const describeLogin = (error: unknown, isTls = true): ImapServerFailure =>
    describeLoginFailure(imapLoginFailure(error, isTls), isTls) as ImapServerFailure;

  it.each<[string, object, string]>([
    ['an unknown name', new HostUnknown(), 'imap-host-unreachable'],
    ['a closed port', { code: 'ECONNREFUSED' }, 'imap-host-unreachable'],
    ['an unreachable host', { code: 'EHOSTUNREACH' }, 'imap-host-unreachable'],
    ['silence', { code: 'CONNECT_TIMEOUT' }, 'imap-host-unreachable'],
    ['no greeting', { code: 'GREETING_TIMEOUT' }, 'imap-host-unreachable'],
    ['a self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'imap-tls-failed'],
    ['an expired certificate', { code: 'CERT_HAS_EXPIRED' }, 'imap-tls-failed'],
    ["another host's certificate", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'imap-tls-failed'],
    ['plain text instead of TLS', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'imap-tls-failed'],
    ['a reset handshake', { code: 'ECONNRESET' }, 'imap-tls-failed'],
    ['a failed STARTTLS', { tlsFailed: true }, 'imap-tls-failed'],
    [
      'a refused login',
      { authenticationFailed: true, serverResponseCode: 'AUTHENTICATIONFAILED' },
      'imap-login-failed',
    ],
    [
      'a login while the server is down',
      { authenticationFailed: true, serverResponseCode: 'UNAVAILABLE' },
      'imap-unavailable',
    ],
    ['too many connections', { serverResponseCode: 'LIMIT', responseStatus: 'NO' }, 'imap-unavailable'],
    [
      'a login beyond the bytes of a day',
      { authenticationFailed: true, responseText: 'Account exceeded command or bandwidth limits.' },
      'imap-throttled',
    ],
    ['a login cut off', { code: 'NoConnection' }, 'imap-connection-lost'],
    ['a goodbye instead of a greeting', { code: 'ClosedAfterConnectText' }, 'imap-connection-lost'],
  ])('should recognise %s', (_name, error, code) => {
    expect(describeLogin(error).code).toBe(code);
  });

  it('should distinguish a server that requires TLS from one that accepts no passwords at all', () => {
    const error = { authenticationFailed: true, message: 'Login is disabled' };
    expect(describeLogin(error, false).code).toBe('imap-tls-required');
    expect(describeLogin(error, true)).toMatchObject({
      code: 'imap-login-failed',
      detail: 'The server takes no passwords.',
    });
  });

  it('should not change refused addresses', () => {
    expect(describeLoginFailure(new ImapLoginFailure('imap-host-refused'), true)).toBeInstanceOf(
      EgressRefused,
    );
  });

  it('should not change a programming error', () => {
    const fault = new TypeError('ours');
    expect([describeLoginFailure(fault, true), describeCommandFailure(fault)]).toEqual([fault, fault]);
  });
});

describe('describeCommandFailure', () => {
  const refusal = (code: string): object => ({ responseStatus: 'NO', serverResponseCode: code });
  const missing = (code: string): FolderMissing =>
    new FolderMissing('missing', { cause: imapFailure(refusal(code)) });

  it.each<[string, unknown, string]>([
    ['a missing folder', missing('NONEXISTENT'), 'imap-folder-not-found'],
    ['a folder that is refused without a reason', missing(''), 'imap-folder-not-found'],
    ['a forbidden folder', missing('NOPERM'), 'imap-folder-refused'],
    ['a folder in use', missing('INUSE'), 'imap-unavailable'],
    ['a server that cannot for now', imapFailure(refusal('SERVERBUG')), 'imap-unavailable'],
    [
      'the bytes of a day used up',
      imapFailure({
        ...refusal('ALERT'),
        responseText: 'Account exceeded command or bandwidth limits. (Failure)',
      }),
      'imap-throttled',
    ],
    ['a lost connection', imapFailure({ code: 'EConnectionClosed' }), 'imap-connection-lost'],
    ['a reset connection', imapFailure({ code: 'ECONNRESET' }), 'imap-connection-lost'],
    ['a connection that was closed before', unavailable('connection'), 'imap-connection-lost'],
    ['an answer that took too long', unavailable('timeout', { code: 'NoConnection' }), 'imap-too-slow'],
    ['nonsense', imapFailure({ code: 'ParserError' }), 'imap-protocol-error'],
    ['an answer too long', imapFailure({ code: 'LiteralTooLarge' }), 'imap-protocol-error'],
    ['an impossible failure', imapFailure(new ImapProtocolError('SEARCH')), 'imap-protocol-error'],
    ['a refusal without a reason', imapFailure(refusal('')), 'imap-protocol-error'],
  ])('should recognise %s', (_name, error, code) => {
    expect(codeOf(describeCommandFailure(error))).toBe(code);
  });

  it.each<[string, unknown, string | null, boolean]>([
    ['a full mailbox', imapFailure(refusal('OVERQUOTA')), 'overquota', true],
    ['a folder that is not there', missing('TRYCREATE'), 'trycreate', true],
    ['a server that cannot for now', imapFailure(refusal('INUSE')), null, true],
    ['a server that throttles', imapFailure({ ...refusal(''), code: 'ETHROTTLE' }), null, true],
    ['a lost connection', imapFailure({ code: 'EConnectionClosed' }), null, false],
    ['an answer that took too long', unavailable('timeout'), null, false],
    ['a fault of ours', new TypeError('ours'), null, false],
  ])('should know whether the server has answered: %s', (_name, error, reason, answered) => {
    expect([refusalReason(error), isAnswered(error)]).toEqual([reason, answered]);
  });

  it("should never repeat the server's words", () => {
    const error = { ...refusal(''), responseText: 'secret words', code: 'secret words' };
    const failure = describeCommandFailure(imapFailure(error)) as ImapServerFailure;
    expect(JSON.stringify([failure, failure.message, failure.detail, String(failure.cause)])).not.toContain(
      'secret',
    );
  });

  it('should distinguish temporary failures from permanent ones', () => {
    expect(new ImapServerFailure('imap-connection-lost').mayPass).toBe(true);
    expect(new ImapServerFailure('imap-login-failed').mayPass).toBe(false);
    // A job waits for the end of the pause instead of connecting again.
    expect(new ImapServerFailure('imap-throttled').mayPass).toBe(false);
  });
});
