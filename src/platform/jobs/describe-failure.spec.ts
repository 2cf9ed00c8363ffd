import { DomainError } from '../http/domain-error';
import { describeFailure } from './jobs.errors';

describe('describeFailure', () => {
  it('should pass on the message of a domain error', () => {
    const error = new DomainError({ code: 'quota-exceeded', status: 409, detail: 'The archive is full.' });
    expect(describeFailure(error)).toEqual({
      error: 'The archive is full.',
      errorCode: 'quota-exceeded',
      unexpected: false,
      transient: false,
    });
  });

  it.each([new Error('password=hunter2'), 'hunter2', null])('should reveal %j only in the log', (thrown) => {
    const failure = describeFailure(thrown);
    expect(failure).toMatchObject({ errorCode: 'internal-error', unexpected: true, transient: false });
    expect(failure.error).not.toContain('hunter2');
  });

  it('should report that a dependency is unavailable', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(describeFailure(refused)).toMatchObject({ errorCode: 'service-unavailable', transient: true });
  });
});
