import type { ArgumentMetadata } from '@nestjs/common';
import { SomeFieldsPipe } from './some-fields.pipe';

describe('SomeFieldsPipe', () => {
  const sut = new SomeFieldsPipe();
  const body = { type: 'body' } as ArgumentMetadata;

  it.each([[{ name: 'x' }], [{ name: undefined, icon: null }]])('should accept %j', (value) => {
    expect(sut.transform(value, body)).toBe(value);
  });

  it.each([[{}], [{ name: undefined }], [undefined], [null]])('should refuse %j', (value) => {
    expect(() => sut.transform(value, body)).toThrow(
      expect.objectContaining({ code: 'no-fields', status: 400 }),
    );
  });

  it('should apply to bodies only', () => {
    expect(sut.transform({}, { type: 'query' })).toEqual({});
  });
});
