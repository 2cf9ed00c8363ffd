import { ValidationFailed } from '../../../platform/http/domain-error';
import { validationPipe } from '../../../platform/validation/validation.pipe';
import { LoginDto, RegisterDto } from './auth.dto';

const validate = (metatype: typeof RegisterDto | typeof LoginDto, body: unknown): Promise<RegisterDto> =>
  validationPipe.transform(body, { type: 'body', metatype }) as Promise<RegisterDto>;

describe('registration', () => {
  const good = { email: 'ada@example.org', password: 'long enough' };

  it('should normalise addresses', async () => {
    const dto = await validate(RegisterDto, { ...good, email: '  Ada@Example.ORG ' });
    expect(dto.email).toBe('ada@example.org');
  });

  it.each([
    ['no fields', {}, ['email', 'password']],
    ['no body', undefined, ['email', 'password']],
    ['no address', { ...good, email: 'ada' }, ['email']],
    ['an address with half of a surrogate pair', { ...good, email: '\ud800' }, ['email']],
    ['an address with one in it', { ...good, email: 'a\ud800@example.org' }, ['email']],
    ['an address with one in its domain', { ...good, email: 'a@ex\udfffample.org' }, ['email']],
    ['an address with a NUL', { ...good, email: 'a\0@example.org' }, ['email']],
    ['an address that is too long', { ...good, email: `${'a'.repeat(50_000)}@example.org` }, ['email']],
    ['an address that is not text', { ...good, email: { $ne: null } }, ['email']],
    ['7 characters', { ...good, password: '1234567' }, ['password']],
    ['129 characters', { ...good, password: 'x'.repeat(129) }, ['password']],
    ['a password that is not text', { ...good, password: 12345678 }, ['password']],
    ['an empty name', { ...good, name: '' }, ['name']],
    ['a name with a NUL', { ...good, name: 'a\u0000b' }, ['name']],
    ['a name of 201 characters', { ...good, name: 'x'.repeat(201) }, ['name']],
    ['a name of 101 characters and as many selectors', { ...good, name: '❤️'.repeat(101) }, ['name']],
  ])('should refuse %s, naming the fields', async (_case, body, fields) => {
    const failure = await validate(RegisterDto, body).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ValidationFailed);
    expect((failure as ValidationFailed).errors?.map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    ['8 characters', { ...good, password: '12345678' }],
    ['128 characters', { ...good, password: 'x'.repeat(128) }],
    ['no name', { ...good, name: null }],
  ])('should accept %s', async (_case, body) => {
    await expect(validate(RegisterDto, body)).resolves.toMatchObject(body);
  });

  it('should drop unknown fields', async () => {
    expect(await validate(RegisterDto, { ...good, role: 'admin' })).toEqual(good);
  });

  it('should not check the length of a password at sign-in', async () => {
    await expect(validate(LoginDto, { ...good, password: 'x' })).resolves.toBeDefined();
  });
});
