const ARABIC = /^\p{Script=Arabic}{3,}$/u;
/** The article, and the conjunctions and prepositions that are written together with it. */
const ARTICLE = /^(?:[وف]?(?:ال|بال|كال)|[وف]?لل)(?=.{2})/u;
const ARTICLES = ['ال', 'وال', 'بال', 'لل'];

/** An Arabic word without its article, and with each: `الكتاب` as `كتاب`, `والكتاب`, `بالكتاب` and `للكتاب`. None for other words. */
export function arabicSpellings(word: string): readonly string[] {
  if (!ARABIC.test(word)) return [];
  const bare = word.replace(ARTICLE, '');
  return [bare, ...ARTICLES.map((article) => article + bare)];
}
