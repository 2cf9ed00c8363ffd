import { formatAddress, parseAddressList } from './address-list';

describe('parseAddressList', () => {
  it.each<[string, string[]]>([
    ['a@b.c', ['a@b.c']],
    ['Alice <a@b.c>, b@c.d', ['Alice <a@b.c>', 'b@c.d']],
    ['"Doe, John" <j@d.e>', ['"Doe, John" <j@d.e>']],
    ['=?utf-8?q?Doe=2C_Jos=C3=A9?= <j@d.e>', ['"Doe, José" <j@d.e>']],
    ['"=?utf-8?q?Ren=C3=A9?=" <r@d.e>', ['René <r@d.e>']],
    ['j@d.e (John Doe)', ['John Doe <j@d.e>']],
    ['Team: a@b.c, B <b@b.c>;, c@b.c', ['a@b.c', 'B <b@b.c>', 'c@b.c']],
    ['undisclosed-recipients:;', []],
    ["'a@b.c' <a@b.c>", ['a@b.c']],
    ['<<a@b.c>>', ['a@b.c']],
    ['<@relay.example:a@b.c>', ['a@b.c']],
    ['Only A Name', ['Only A Name']],
    ['"say \\"hi\\"" <a@b.c>', ['"say \\"hi\\"" <a@b.c>']],
    ['A <a@b.c', ['A <a@b.c>']],
    ['=?utf-8?Q?J=C3=B6rg_Held_=3Cjh=40b=2Ec=3E?=', ['Jörg Held <jh@b.c>']],
    ['=?utf-8?Q?A_=3Ca=40b=2Ec=3E=2C_B_=3Cb=40b=2Ec=3E?=, c@b.c', ['A <a@b.c>', 'B <b@b.c>', 'c@b.c']],
    ['"Jörg Held <jh@b.c>, B <b@b.c>', ['Jörg Held <jh@b.c>', 'B <b@b.c>']],
    ['Held, Joerg <jh@b.c>, Doe, Jane <d@b.c>', ['"Held, Joerg" <jh@b.c>', '"Doe, Jane" <d@b.c>']],
    ['Somebody, a@b.c', ['Somebody', 'a@b.c']],
    ['Somebody, "x" y, B <b@b.c>', ['Somebody', '"x y, B" <b@b.c>']],
    [' , ;, ', []],
  ])('should read %s', (field, expected) => {
    expect(parseAddressList(field).map(formatAddress)).toEqual(expected);
  });

  it('should read no more than 1,000 addresses', () => {
    expect(parseAddressList('a@b,'.repeat(5_000))).toHaveLength(1_000);
  });
});
