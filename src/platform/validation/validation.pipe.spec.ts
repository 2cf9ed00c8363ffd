import { Type } from 'class-transformer';
import { IsArray, IsNotEmpty, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import { ValidationFailed } from '../http/domain-error';
import { IsEmailAddress, IsPlainText } from './field-rules';
import { validationPipe } from './validation.pipe';

class Inner {
  @IsString() @IsNotEmpty() @MaxLength(3) value: string;
}

class Sample {
  @IsEmailAddress() @IsString() @MaxLength(320) email: string;
  @IsArray() @Matches(/^\w+$/, { each: true }) ids: string[];
  @ValidateNested({ each: true }) @Type(() => Inner) inner: Inner[];
  @IsString() @IsPlainText() name: string;
}

const failures = async (body: object): Promise<unknown> => {
  try {
    await validationPipe.transform(body, { type: 'body', metatype: Sample });
  } catch (error) {
    if (error instanceof ValidationFailed) return error.errors;
    throw error;
  }
  return [];
};

const good = { email: 'a@b.test', ids: ['a'], inner: [{ value: 'abc' }], name: 'Été' };

describe('validationPipe', () => {
  it('should drop unknown fields', async () => {
    const sut: object = await validationPipe.transform(
      { ...good, extra: 1 },
      { type: 'body', metatype: Sample },
    );
    expect(sut).toBeInstanceOf(Sample);
    expect(sut).not.toHaveProperty('extra');
  });

  it('should report one problem per field, and a wrong type first', async () => {
    expect(await failures({ ...good, email: undefined, ids: 'x' })).toEqual([
      { field: 'email', message: 'email must be a string' },
      { field: 'ids', message: 'ids must be an array' },
    ]);
  });

  it('should name nested fields by their path', async () => {
    expect(await failures({ ...good, inner: [{ value: 'abc' }, { value: '' }] })).toEqual([
      { field: 'inner.1.value', message: 'value should not be empty' },
    ]);
  });

  it.each(['a\0b', 'a\nb', '\ud800'])('should refuse %j as plain text', async (name) => {
    expect(await failures({ ...good, name })).toEqual([
      { field: 'name', message: 'name must not hold control characters' },
    ]);
  });
});
