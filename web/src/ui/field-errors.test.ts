import { MailroomError } from '@mailroom/sdk';
import { describe, expect, it } from 'vitest';
import '../i18n';
import { fieldErrors } from './field-errors';

const refused = (code: string, fields: readonly string[]): MailroomError =>
  new MailroomError('PATCH /api/example', new Response(null, { status: 400 }), {
    code,
    detail: 'no',
    errors: fields.map((field) => ({ field, message: `${field} is wrong` })),
  });

describe('the errors of fields', () => {
  it('should use our text for known reasons, and the service’s for others', () => {
    const error = new MailroomError('POST /api/x', new Response(null, { status: 400 }), {
      code: 'validation-failed',
      detail: 'Wrong.',
      errors: [
        { field: 'password', message: 'password is common', reason: 'password-common' },
        { field: 'email', message: 'email is odd', reason: 'something-new' },
      ],
    });
    expect(fieldErrors(error)).toEqual({
      password: 'Everybody tries this password first. Choose another one.',
      email: 'email is odd',
    });
  });

  it('should be the text of the service when there are several', () => {
    expect(fieldErrors(refused('validation-failed', ['current', 'next']))).toEqual({
      current: 'current is wrong',
      next: 'next is wrong',
    });
  });

  it('should be our text for a problem of one field', () => {
    expect(fieldErrors(refused('password-invalid', ['current']))).toEqual({
      current: 'This is not your password.',
    });
  });

  it('should be empty without a problem, or for one without fields', () => {
    expect(fieldErrors(null)).toEqual({});
    expect(fieldErrors(new TypeError('Failed to fetch'))).toEqual({});
  });
});
