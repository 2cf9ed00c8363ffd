import { validateSync } from 'class-validator';
import { MaxCharacters } from './field-rules';

class Sample {
  @MaxCharacters(3) text: unknown;
}

const accepts = (text: unknown): boolean => validateSync(Object.assign(new Sample(), { text })).length === 0;

describe('MaxCharacters', () => {
  it.each<[string, unknown, boolean]>([
    ['nothing', '', true],
    ['as many as there may be', 'été', true],
    ['one more', 'abcd', false],
    ['characters beyond the basic plane, each as one', '😀😀😀', true],
    ['one of them too many', '😀😀😀😀', false],
    ['variation selectors, which take room too', '\u2764\uFE0F\u2764\uFE0F', false],
    ['line breaks among them', 'a\nb', true],
    ['a value that is not text', 12, false],
  ])('should check %s', (_what, text, expected) => {
    expect(accepts(text)).toBe(expected);
  });
});
