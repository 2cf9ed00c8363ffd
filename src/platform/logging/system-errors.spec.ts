import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { isDependencyUnavailable } from './system-errors';

const withFields = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);

describe('isDependencyUnavailable', () => {
  it.each([
    withFields('connect', { code: 'ECONNREFUSED' }),
    withFields('terminating', { code: '57P01' }),
    withFields('getaddrinfo ENOTFOUND postgres', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
    withFields('getaddrinfo EAI_AGAIN postgres', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
    withFields('cannot execute INSERT in a read-only transaction', { code: '25006' }),
    withFields('deadlock detected', { code: '40P01' }),
    withFields('Command timed out'),
    withFields('Connection is closed.'),
    withFields('Connection terminated unexpectedly'),
    withFields('Connection terminated due to connection timeout'),
    withFields('timeout exceeded when trying to connect'),
    withFields('reached the max retries', { name: 'MaxRetriesPerRequestError' }),
    new QueryRunnerAlreadyReleasedError(),
    new QueryRunnerProviderAlreadyReleasedError(),
    new QueryFailedError('SELECT 1', [], withFields('Connection terminated unexpectedly')),
    new Error('outer', { cause: withFields('x', { code: 'ECONNRESET' }) }),
  ])('should recognise %s', (error) => {
    expect(isDependencyUnavailable(error)).toBe(true);
  });

  it.each([
    withFields('duplicate key', { code: '23505' }),
    withFields('queryTxt ENOTFOUND example.org', { code: 'ENOTFOUND', syscall: 'queryTxt' }),
    // A statement of ours that takes too long would take as long the next time.
    withFields('canceling statement due to statement timeout', { code: '57014' }),
    new TypeError('Cannot read properties of undefined'),
    'Command timed out',
    undefined,
    null,
  ])('should ignore %s', (error) => {
    expect(isDependencyUnavailable(error)).toBe(false);
  });
});
