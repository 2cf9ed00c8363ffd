import { csvRecord } from './csv';

describe('csvRecord', () => {
  it.each([
    [['a', 1, null, ''], 'a,1,,\r\n'],
    [
      ['a,b', 'say "yes"', 'two\nlines', 'two\r\nlines'],
      '"a,b","say ""yes""","two\nlines","two\r\nlines"\r\n',
    ],
    [['Größe', ' spaces '], 'Größe, spaces \r\n'],
  ])('should write %j as RFC 4180 has it', (values, record) => {
    expect(csvRecord(values)).toBe(record);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\n=1', `"'\n=1"`],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])('should keep %j from being run as a formula', (value, written) => {
    expect(csvRecord([value])).toBe(`${written}\r\n`);
  });

  it('should leave numbers and harmless texts as they are', () => {
    expect(csvRecord([-2, 'a=b', 'session.opened'])).toBe('-2,a=b,session.opened\r\n');
  });
});
