import type { Random } from './random';

/** Values that pass the same validators as real ones, and belong to no person. */

/** A card number of a known issuer range with its Luhn digit, grouped as people write it. */
export function cardNumber(random: Random): string {
  const known = [
    '4111 1111 1111 1111',
    '5555-5555-5555-4444',
    '378282246310005',
    '6011111111111117',
    '4242424242424242',
  ];
  if (random.chance(0.4)) return random.pick(known);
  const body = `${random.pick(['4', '51', '53', '2221'])}${random.digits(15)}`.slice(0, 15);
  const digits = body + luhnDigit(body);
  const separator = random.pick([' ', '-', '']);
  return (digits.match(/.{4}/g) as string[]).join(separator);
}

function luhnDigit(body: string): string {
  let sum = 0;
  [...body].reverse().forEach((digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return String((10 - (sum % 10)) % 10);
}

/** An IBAN with valid check digits (ISO 13616), spaced or not. */
export function iban(random: Random): string {
  const [country, bban] = random.pick([
    ['FR', frenchBban(random)],
    ['DE', random.digits(18)],
    ['BE', random.digits(12)],
    ['GB', `NWBK${random.digits(14)}`],
  ] as const);
  const check = String(98 - mod97(`${bban}${country}00`)).padStart(2, '0');
  const plain = `${country}${check}${bban}`;
  return random.chance(0.6) ? (plain.match(/.{1,4}/g) as string[]).join(' ') : plain;
}

/** Bank, branch, account and the RIB key (97 − (89·bank + 15·branch + 3·account) mod 97). */
function frenchBban(random: Random): string {
  const bank = `1${random.digits(4)}`;
  const branch = random.digits(5);
  const account = random.digits(11);
  const key = 97n - ((89n * BigInt(bank) + 15n * BigInt(branch) + 3n * BigInt(account)) % 97n);
  return `${bank}${branch}${account}${String(key).padStart(2, '0')}`;
}

function mod97(text: string): number {
  const digits = [...text].map((char) => (/\d/.test(char) ? char : String(char.charCodeAt(0) - 55))).join('');
  return Number(BigInt(digits) % 97n);
}

/** A French social security number with its key, Corsica included. */
export function frenchNir(random: Random): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const sex = random.pick(['1', '2']);
  const department = random.chance(0.1) ? random.pick(['2A', '2B']) : two(random.between(1, 19));
  const body = `${sex}${two(random.between(40, 99))}${two(random.between(1, 12))}${department}${String(random.between(1, 500)).padStart(3, '0')}${String(random.between(1, 900)).padStart(3, '0')}`;
  const key = two(97 - Number(BigInt(body.replace('2A', '19').replace('2B', '18')) % 97n));
  if (random.chance(0.4)) return `${body}${key}`;
  return `${body.slice(0, 1)} ${body.slice(1, 3)} ${body.slice(3, 5)} ${body.slice(5, 7)} ${body.slice(7, 10)} ${body.slice(10)} ${key}`;
}

export function frenchPhone(random: Random): string {
  const kind = random.pick(['6', '7', '1', '4']);
  const rest = [
    kind === '7'
      ? `${random.between(3, 9)}${random.digits(1)}`
      : kind === '6'
        ? random.digits(2)
        : `4${random.digits(1)}`,
    random.digits(2),
    random.digits(2),
    random.digits(2),
  ];
  return random.pick([
    `0${kind} ${rest.join(' ')}`,
    `0${kind}${rest.join('')}`,
    `+33 ${kind} ${rest.join(' ')}`,
    `0${kind}.${rest.join('.')}`,
  ]);
}

/** A sentence that gives a password away, in English or French. */
export function passwordSentence(random: Random): string {
  const value = `${random.pick(['Soleil', 'Dragon', 'Maison', 'Winter'])}${random.digits(3)}${random.pick(['!', '#', '$', '_x'])}`;
  return random.pick([
    `Password: ${value}`,
    `Votre mot de passe est ${value}`,
    `mdp : ${value}`,
    `login: demo / pwd=${value}`,
  ]);
}
