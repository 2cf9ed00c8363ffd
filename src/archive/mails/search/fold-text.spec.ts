import { foldText, searchTokens } from './fold-text';

describe('foldText', () => {
  it.each([
    ['Réunion', 'reunion'],
    ['Re\u0301union', 'reunion'],
    ['STRASSE Straße ẞ', 'strasse strasse ss'],
    ['Œuvre Æther Ørsted Łódź Đorđe ısı İstanbul', 'oeuvre aether orsted lodz dorde isi istanbul'],
    ['ﬁn ① Ａ', 'fin 1 a'],
    ['Ёлка Йод', 'елка иод'],
    ['Ὀδυσσεύς', 'οδυσσευσ'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['が ガ', 'が ガ'],
    ['한국어', '한국어'],
    ['हिन्दी', 'हिन्दी'],
  ])('should fold %s', (text, expected) => {
    expect(foldText(text)).toBe(expected);
  });
});

describe('searchTokens', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['!!! -- 😀', []],
    ['Hello, World-wide_web 1,234.5', ['hello', 'world', 'wide', 'web', '1', '234', '5']],
    ['alice@example.com', ['alice', 'example', 'com']],
    ["l'été", ['l', 'ete']],
    ['東京タワー2024年', ['東', '京', 'タ', 'ワ', 'ー', '2024', '年']],
    ['한국어 문서', ['한국어', '문서']],
    ['ไทย', ['ไ', 'ท', 'ย']],
    ['in東京now', ['in', '東', '京', 'now']],
    ['𝒳𠀀𠀁', ['x', '𠀀', '𠀁']],
    ['w'.repeat(100), ['w'.repeat(64)]],
  ])('should split %s', (text, expected) => {
    expect(searchTokens(text)).toEqual(expected);
  });
});
