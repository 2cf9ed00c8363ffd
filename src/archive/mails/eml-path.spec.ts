import { emlPath } from './eml-path';

const id = '7b0c6e4e-0d3c-4e0f-9a55-1f2e3d4c5b6a';
const date = new Date('2024-03-05T23:30:00Z');
const nameOf = (subject: string): string => emlPath({ id, subject, date });

describe('emlPath', () => {
  it.each([
    ['Quarterly report', 'Quarterly report'],
    ['Cafe\u0301', 'Café'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
    ['../../etc/passwd', 'etc passwd'],
    ['tabs\tand\r\nbreaks\0', 'tabs and breaks'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['lone \ud800 half', 'lone half'],
    ['  ..dots.. ', 'dots'],
    ['CON', 'CON-'],
    ['', 'no subject'],
    ['...', 'no subject'],
    ['日本', '日本'],
  ])('should make %j safe', (subject, expected) => {
    expect(nameOf(subject)).toBe(`2024-03/2024-03-05_${expected}_3d4c5b6a.eml`);
  });

  it('should stay short, cut between characters', () => {
    const name = nameOf('😀'.repeat(500)).slice('2024-03/'.length);
    expect(Buffer.byteLength(name)).toBeLessThan(200);
    expect(name).toMatch(/^2024-03-05_(?:😀)+_3d4c5b6a\.eml$/u);
    expect(nameOf(`${'x'.repeat(119)}. y`)).toBe(`2024-03/2024-03-05_${'x'.repeat(119)}_3d4c5b6a.eml`);
  });

  it.each([null, new Date(NaN), new Date('+012345-01-01T00:00:00Z')])(
    'should name a mail dated %s',
    (undated) => {
      expect(emlPath({ id, subject: 's', date: undated })).toBe('undated/undated_s_3d4c5b6a.eml');
    },
  );
});
