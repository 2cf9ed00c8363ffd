/**
 * The texts that a text tree of English needs in French: the same ones, and for each number of things a third form. French has
 * `_one` for 0 and 1, `_many` for whole millions, which take “de”, and `_other`.
 */
export type French<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : French<Texts[Key]>;
} & {
  readonly [Key in keyof Texts as Key extends `${infer Name}_other` ? `${Name}_many` : never]: string;
};
