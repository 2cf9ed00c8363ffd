import { QueryFailedError } from 'typeorm';
import { describeError } from './describe-error';

describe('describeError', () => {
  it('should keep code, table, constraint and frames of a database error, and none of its data', () => {
    const driverError = Object.assign(new Error('duplicate key'), {
      code: '23505',
      table: 'users',
      constraint: 'users_email_key',
      detail: 'Key (email)=(ada@example.org) already exists.',
    });
    const error = new QueryFailedError('INSERT INTO users VALUES ($1)', ['ada@example.org'], driverError);
    const described = describeError(error);
    expect(described).toMatchObject({ code: '23505', table: 'users', constraint: 'users_email_key' });
    expect(described.stack).toContain('at ');
    expect(JSON.stringify(described)).not.toMatch(/ada@example|INSERT/);
  });

  it('should leave out the request that an HTTP client attaches to its errors', () => {
    const error = Object.assign(new Error('Request failed'), {
      code: 401,
      config: { headers: { authorization: 'Bearer secret' } },
    });
    expect(JSON.stringify(describeError(error))).not.toContain('secret');
  });

  it('should follow causes, but not forever', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    expect(describeError(error).cause).toMatchObject({ message: 'inner' });
    error.cause = error;
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
  });

  it.each([['a string'], [undefined], [7]])('should describe %p, which is not an error', (thrown) => {
    expect(describeError(thrown).message).toBe(String(thrown));
  });

  it('should cut endless messages', () => {
    expect(describeError(new Error('x'.repeat(10_000))).message).toHaveLength(500);
  });
});
