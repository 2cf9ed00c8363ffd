import { parseStructuredValue } from './header-text';

describe('parseStructuredValue', () => {
  it.each<[string, string, Record<string, string>]>([
    ['text/plain', 'text/plain', {}],
    ['Text/HTML; Charset="UTF-8"', 'text/html', { charset: 'UTF-8' }],
    ['attachment; filename="a;b.txt"', 'attachment', { filename: 'a;b.txt' }],
    [
      'attachment; filename=my report (final).pdf; size=3',
      'attachment',
      { filename: 'my report (final).pdf', size: '3' },
    ],
    ['attachment; filename="say \\"hi\\".txt"', 'attachment', { filename: 'say "hi".txt' }],
    ['attachment; filename="C:\\temp\\x.doc"', 'attachment', { filename: 'C:\\temp\\x.doc' }],
    ["attachment; filename*=utf-8'en'%e2%82%ac%20rates.txt", 'attachment', { filename: '€ rates.txt' }],
    [
      "attachment; filename*1*=%AC.txt; filename*0*=UTF-8''%E2%82; filename=fallback.txt",
      'attachment',
      { filename: '€.txt' },
    ],
    ['attachment; filename*0="long"; filename*1="name.txt"', 'attachment', { filename: 'longname.txt' }],
    ['attachment; filename="=?utf-8?q?caf=C3=A9.txt?="', 'attachment', { filename: 'café.txt' }],
    ['attachment; filename="caf\xe9.txt"', 'attachment', { filename: 'café.txt' }],
    ['text/plain (a comment; x=y); charset=utf-8', 'text/plain', { charset: 'utf-8' }],
    ['text/plain; broken; charset=a; charset=b', 'text/plain', { charset: 'a' }],
    ['text/html charset=utf-8', 'text/html', { charset: 'utf-8' }],
    ['text/html, charset="utf-8"', 'text/html', { charset: 'utf-8' }],
    ['text/html charset=utf-8; format=flowed', 'text/html', { charset: 'utf-8', format: 'flowed' }],
    ['attachment filename="a b.txt"', 'attachment', { filename: 'a b.txt' }],
    ['"text/html"; charset=utf-8', 'text/html', { charset: 'utf-8' }],
    ['text / plain; charset=utf-8', 'text/plain', { charset: 'utf-8' }],
    ['charset=utf-8', '', { charset: 'utf-8' }],
    ['', '', {}],
  ])('should read %s', (field, value, parameters) => {
    const parsed = parseStructuredValue(field);
    expect(parsed.value).toBe(value);
    expect(Object.fromEntries(parsed.parameters)).toEqual(parameters);
  });

  it('should keep literals as written, since boundaries are compared with bytes', () => {
    expect(parseStructuredValue('multipart/mixed; boundary="a  \xe9 b"').literals.get('boundary')).toBe(
      'a  \xe9 b',
    );
  });
});
