import { ValidationFailed } from '../../../platform/http/domain-error';
import { offsetIn } from './upload-offset';

describe(offsetIn, () => {
  it.each([
    ['0', 0],
    ['16777216', 16_777_216],
    ['999999999999999', 999_999_999_999_999],
  ])('should read %s', (value, offset) => expect(offsetIn([value])).toBe(offset));

  it.each([
    [undefined],
    [[]],
    [['']],
    [['-1']],
    [['1.5']],
    [['1e3']],
    [['0x10']],
    [['1'.repeat(16)]],
    [['1', '1']],
  ])('should refuse %j', (values) => expect(() => offsetIn(values)).toThrow(ValidationFailed));
});
