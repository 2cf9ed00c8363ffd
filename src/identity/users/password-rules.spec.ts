import { ValidationFailed } from '../../platform/http/domain-error';
import { passwordWeakness, requireUncommonPassword } from './password-rules';

const EMAIL = 'ada.lovelace+mail@example.org';

describe('passwordWeakness', () => {
  it.each([
    ['password', 'password-common'],
    ['PASSWORD', 'password-common'],
    ['Password1!', 'password-common'],
    ['password2026', 'password-common'],
    ['ｐａｓｓｗｏｒｄ', 'password-common'],
    ['12345678', 'password-common'],
    ['qwertyuiop', 'password-common'],
    ['iloveyou', 'password-common'],
    ['motdepasse', 'password-common'],
    ['dragon!2026', 'password-common'],
    ['11111111', 'password-common'],
    ['!qaz2wsx', 'password-common'],
    ['xxxxxxxx', undefined],
    ['mailroom', 'password-product'],
    ['Mailroom2026!', 'password-product'],
    ['Mail-Room', 'password-product'],
    ['123mailroom', 'password-product'],
    ['ada.lovelace+mail@example.org', 'password-address'],
    ['Ada.Lovelace+Mail@Example.org', 'password-address'],
    ['ada.lovelace+mail', 'password-address'],
    ['AdaLovelaceMail99', 'password-address'],
    ['correct horse battery', undefined],
    ['mailroom of the north', undefined],
    ['Tr0ub4dor&3', undefined],
    ['a1b2c3d4-unlisted', undefined],
    ['lovelace of ada', undefined],
  ])('should explain %j: %s', (password, weakness) => {
    expect(passwordWeakness(password, EMAIL)).toBe(weakness);
  });

  it('should not object to a local part of one or two letters', () => {
    expect(passwordWeakness('jo9172635', 'jo@example.org')).toBeUndefined();
  });

  it('should recognise an address of digits', () => {
    expect(passwordWeakness('4915123456789', '4915123456789@sms.example')).toBe('password-address');
  });
});

describe('requireUncommonPassword', () => {
  it('should name the field and the reason', () => {
    const field = { field: 'next', email: EMAIL };
    expect(() => requireUncommonPassword('correct horse battery', field)).not.toThrow();
    try {
      requireUncommonPassword('letmein1', field);
      throw new Error('accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationFailed);
      expect((error as ValidationFailed).errors).toEqual([
        {
          field: 'next',
          message: 'next is one of the passwords that everybody tries first',
          reason: 'password-common',
        },
      ]);
    }
  });
});
