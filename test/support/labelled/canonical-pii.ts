/** One spelling per value, so that the separators and prefixes of a text do not matter; a password stays as it is. */
export function canonicalPii(type: string, value: string): string {
  if (type === 'password_plain') return value;
  // A French social security number is often written with the word for its key: "… 451 089 clé 46".
  const plain = value
    .normalize('NFKC')
    .replace(/cl[ée]/i, '')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase();
  return type === 'phone_fr' ? asDialledInFrance(plain) : plain;
}

function asDialledInFrance(digits: string): string {
  const [, national] = /^(?:00)?(?:33|262|590|594|596|508)0?(\d{9})$/.exec(digits) ?? [];
  return national === undefined ? digits : `0${national}`;
}
