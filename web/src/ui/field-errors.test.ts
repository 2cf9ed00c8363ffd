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

describe('what is wrong with fields', () => {
  it('should say a reason that has a text in our words, and others in those of the service', () => {
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

  it('should be what the service says when they are several', () => {
    expect(fieldErrors(refused('validation-failed', ['current', 'next']))).toEqual({
      current: 'current is wrong',
      next: 'next is wrong',
    });
  });

  it('should be our text of a problem that is of one field', () => {
    expect(fieldErrors(refused('password-invalid', ['current']))).toEqual({
      current: 'This is not your password.',
    });
  });

  it('should be nothing without a problem, or one without fields', () => {
    expect(fieldErrors(null)).toEqual({});
    expect(fieldErrors(new TypeError('Failed to fetch'))).toEqual({});
  });
});
