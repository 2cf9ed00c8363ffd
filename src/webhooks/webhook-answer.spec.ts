import { EgressRefused, HostUnknown } from '../common/egress/egress-guard';
import { failureOf, retryAfterMs, UnreadableAnswer } from './webhook-client';

describe('failureOf', () => {
  it.each([
    [new EgressRefused('x'), 'address-refused'],
    [new HostUnknown(), 'host-unknown'],
    [new UnreadableAnswer(), 'answer-unreadable'],
    [{ code: 'ECONNREFUSED' }, 'connection-refused'],
    [{ code: 'ECONNRESET' }, 'connection-lost'],
    [{ code: 'EHOSTUNREACH' }, 'host-unreachable'],
    [{ code: 'ETIMEDOUT' }, 'timed-out'],
    [{ code: 'HPE_HEADER_OVERFLOW' }, 'answer-unreadable'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'answer-unreadable'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'tls-failed'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'tls-failed'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls-failed'],
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'tls-failed'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'tls-failed'],
    [{ code: 'EPROTO' }, 'tls-failed'],
    [{}, 'connection-failed'],
  ])('should call %j %s', (error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-11-22T10:00:00Z');

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
    ['2027', 2_027_000],
    ['0', 0],
    ['120', 120_000],
    ['Sun, 22 Nov 2026 10:01:30 GMT', 90_000],
    ['Sunday, 22-Nov-26 10:01:30 GMT', 90_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['Sun, 99 Nov 2026 09:00:00 GMT', undefined],
  ])('should read %j as %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
