import { findPii } from './find-pii';

/** Findings in a text, each as `type:value`. */
const found = (text: string): string[] => findPii(text).map(({ type, value }) => `${type}:${value}`);

describe('findPii', () => {
  describe('credit cards', () => {
    it.each([
      ['My card is 4111 1111 1111 1111, exp 09/27', '4111 1111 1111 1111'],
      ['CB : 4111-1111-1111-1111', '4111-1111-1111-1111'],
      ['4111111111111111', '4111111111111111'],
      ['Amex 3782 822463 10005.', '3782 822463 10005'],
      ['carte 5555\u00a05555\u00a05555\u00a04444', '5555\u00a05555\u00a05555\u00a04444'],
      ['visa 4111\u2009 1111\u20091111\u20091111 cvv 123', '4111\u2009 1111\u20091111\u20091111'],
      ['Diners card 3056 930902 5904', '3056 930902 5904'],
      ['nom;4242424242424242;09/27', '4242424242424242'],
      ['card 4111 1111\n1111 1111', '4111 1111\n1111 1111'],
      ['4111 1111 1111 1111 12/27 123', '4111 1111 1111 1111'],
      ['Order paid by card 6011111111111117', '6011111111111117'],
      ['JCB: 3530111333300000', '3530111333300000'],
      ['Carte Maestro 6759649826438453', '6759649826438453'],
      ['pan=5105105105105100', '5105105105105100'],
      ['Visa (4012888888881881)', '4012888888881881'],
      ['card \uff14111 1111 1111 1111', '\uff14111 1111 1111 1111'],
    ])('should find %j', (text, value) => {
      expect(found(text)).toEqual([`credit_card:${value}`]);
    });

    it.each([
      'Order number 4111111111111111',
      'Commande n° 4242424242424242 expédiée',
      'Tracking: 4111111111111111',
      'card 4111 1111 1111 1112',
      'card 0000 0000 0000 0000, 4444 4444 4444 4444',
      'SIRET 732 829 320 00074',
      'SIRET 36252187900034',
      'IMEI 490154203237518, IMEI: 356938035643809',
      'https://shop.example/o/4111111111111111?x=4242424242424242',
      'Message-ID: <4111111111111111.4242424242424242@mail.example>',
      'a4111111111111111',
      '4111111111111111b',
      '14111111111111111',
      '0.4111111111111111',
      '4111 1111 1111 1111 1111 1111',
      '9999 4111 1111 1111 1111',
      '2024-4111111111111111-A',
      '**** **** **** 1111',
      'FR76 4111 1111 1111 1111 22',
      '4111\t1111\t1111\t1111',
      'timestamp 1700000000000, 1719878400123',
      'ISBN 9783161484100',
      'path/4111111111111111/x',
    ])('should find nothing in %j', (text) => {
      expect(found(text)).toEqual([]);
    });
  });

  describe('IBANs', () => {
    it.each([
      ['IBAN : FR76 3000 6000 0112 3456 7890 189', 'FR76 3000 6000 0112 3456 7890 189'],
      ['FR7630006000011234567890189', 'FR7630006000011234567890189'],
      ['iban fr76 3000 6000 0112 3456 7890 189 merci', 'fr76 3000 6000 0112 3456 7890 189'],
      ['IBAN: GB29NWBK60161331926819BIC', 'GB29NWBK60161331926819'],
      ['IBANDE89370400440532013000', 'DE89370400440532013000'],
      ['DE89-3704-0044-0532-0130-00', 'DE89-3704-0044-0532-0130-00'],
      ['IBAN FR76 3000 6000\n0112 3456 7890 189', 'FR76 3000 6000\n0112 3456 7890 189'],
      ['> FR76 3000 6000\n> 0112 3456 7890 189', 'FR76 3000 6000\n> 0112 3456 7890 189'],
      ['NO93 8601 1117 947', 'NO93 8601 1117 947'],
      ['MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
      ['FR 76 3000 6000 0112 3456 7890 189', 'FR 76 3000 6000 0112 3456 7890 189'],
      ['BE68 5390 0754 7034.', 'BE68 5390 0754 7034'],
    ])('should find %j', (text, value) => {
      expect(found(text)).toEqual([`iban:${value}`]);
    });

    it.each([
      'FR76 3000 6000 0112 3456 7890 188',
      'FR76 XXXX XXXX XXXX XXXX XXXX 189',
      'XFR7630006000011234567890189',
      'FR76300060000112345678901891',
      'DE00 3704 0044 0532 0130 00',
      'ZZ89370400440532013000',
      'there are 12 of no12 and 45 in is24',
    ])('should find nothing in %j', (text) => {
      expect(found(text)).toEqual([]);
    });
  });

  describe('French social security numbers', () => {
    it.each([
      ['NIR 2 95 10 99 126 111 93', '2 95 10 99 126 111 93'],
      ['295109912611193', '295109912611193'],
      ['Numéro de sécurité sociale : 2951099126111 93', '2951099126111 93'],
      ['sécu 1 85 05 2A 123 456 14', ''],
      ['n° de sécu : 2 95 10 99 126 111', '2 95 10 99 126 111'],
      ['NIR : 2951099126111 clé 93', '2951099126111 clé 93'],
      ['2-95-10-99-126-111-93', '2-95-10-99-126-111-93'],
    ])('should find %j', (text, value) => {
      expect(found(text)).toEqual(value === '' ? [] : [`french_ssn:${value}`]);
    });

    it.each([
      'commande n° 295109912611193',
      '2 95 13 99 126 111 93',
      '2 95 10 99 126 111 94',
      '2951099126111',
      'x295109912611193',
      '2 95 10 99 126 111 93 12',
    ])('should find nothing in %j', (text) => {
      expect(found(text)).toEqual([]);
    });
  });

  describe('French telephone numbers', () => {
    it.each([
      ['Tél. 06 12 34 56 78', '06 12 34 56 78'],
      ['0612345678', '0612345678'],
      ['06.12.34.56.78', '06.12.34.56.78'],
      ['01-42-68-53-00', '01-42-68-53-00'],
      ['+33 6 12 34 56 78', '+33 6 12 34 56 78'],
      ['+33612345678', '+33612345678'],
      ['0033 6 12 34 56 78', '0033 6 12 34 56 78'],
      ['+33 (0)6 12 34 56 78', '+33 (0)6 12 34 56 78'],
      ['+33(0)612345678', '+33(0)612345678'],
      ['(+33) 1 42 68 53 00', '(+33) 1 42 68 53 00'],
      ['06\u00a012\u00a034\u00a056\u00a078', '06\u00a012\u00a034\u00a056\u00a078'],
      ['0612 34 56 78', '0612 34 56 78'],
      ['0800 123 456', '0800 123 456'],
      ['+262 692 12 34 56', '+262 692 12 34 56'],
      ['0590 12 34 56', '0590 12 34 56'],
      ['+590 690 12 34 56', '+590 690 12 34 56'],
      ['+687 24 12 34', '+687 24 12 34'],
      ['tel:+33612345678', '+33612345678'],
      ['Call 06 12 34 56 78.', '06 12 34 56 78'],
      ['75008 Paris 01 42 68 53 00', '01 42 68 53 00'],
      ['jean@x.fr;0612345678;Paris', '0612345678'],
      ['le 12/03 06 12 34 56 78', '06 12 34 56 78'],
      ['Service client : 01 42 68 53 00', '01 42 68 53 00'],
      // The plan has no such numbers yet.
      ['07 19 77 15 99', '07 19 77 15 99'],
      ['02.19.52.77.14', '02.19.52.77.14'],
      ['+33 7 29 11 25 06', '+33 7 29 11 25 06'],
      ['+33729112506', '+33729112506'],
      ['mobile 0719771599', '0719771599'],
      ['tel:0719771599', '0719771599'],
    ])('should find %j', (text, value) => {
      expect(found(text)).toEqual([`phone_fr:${value}`]);
    });

    it('should distinguish two numbers', () => {
      expect(found('01 42 68 53 00 / 06 12 34 56 78')).toHaveLength(2);
      expect(found('01 42 68 53 00/06 12 34 56 78')).toHaveLength(2);
      expect(found('01 42 68 53 00 06 12 34 56 78')).toHaveLength(2);
    });

    it.each([
      'commande 0612345678',
      'Réf. 06 12 34 56 78',
      '061234567',
      '06123456789',
      '00 12 34 56 78',
      // The plan has no such numbers yet, and they are not written as people write theirs.
      '0719771599',
      '0719 771 599',
      '0033719771599',
      '07 12 23 31 45',
      'commande 07 19 77 15 99',
      '12 06 12 34 56 78',
      '06 12 34 56 78 90',
      '06 12 34 56 78 €',
      '3,0612345678e',
      'https://wa.me/0612345678',
      'jean.0612345678@sfr.fr',
      'X-0612345678',
      '06-12-34-56-78-AB',
      '+44 6 12 34 56 78',
      '2024-06-12 34:56:78',
      '** ** ** 56 78',
    ])('should find nothing in %j', (text) => {
      expect(found(text)).toEqual([]);
    });
  });

  describe('passwords', () => {
    it.each([
      ['Password: Soleil123!', 'Soleil123!'],
      ['password=hunter2', 'hunter2'],
      ['Your password is Xk29fLp.', 'Xk29fLp'],
      ['Votre mot de passe est Tr0ub4dor&3', 'Tr0ub4dor&3'],
      ['mdp : Dragon42#', 'Dragon42#'],
      ['login: demo / pwd=Winter_2024', 'Winter_2024'],
      ['Le mdp du wifi : Maison75', 'Maison75'],
      ['mot de passe provisoire : "aB3$kk"', 'aB3$kk'],
      ['PIN: 4821', '4821'],
      ['Code PIN : 4821', '4821'],
      ['the passcode is 773311', '773311'],
      ['user: bob\npassword: monkeybars', 'monkeybars'],
      ['Mot de passe\tAbc123!x', 'Abc123!x'],
      ['Mot de passe :\nAbc123!x', 'Abc123!x'],
      ['use the password Abc123!x to log in', 'Abc123!x'],
      ["le mot de passe c'est Abc123!x", 'Abc123!x'],
      ['"password": "S3cr3t!x"', 'S3cr3t!x'],
      ['DB_PASSWORD=pR0d-9931', 'pR0d-9931'],
      ['password is azerty', 'azerty'],
      ['Identifiants : jean / Soleil12', 'Soleil12'],
      ['Mot de passe : <b>', ''],
    ])('should find %j', (text, value) => {
      expect(found(text)).toEqual(value === '' ? [] : [`password_plain:${value}`]);
    });

    it.each([
      'Password: ********',
      'Password: <password>',
      'Password: [your password]',
      'Password: xxxxx',
      'Mot de passe : ••••••••',
      'Forgot your password? It expires in 24 hours.',
      'Réinitialiser votre mot de passe : https://example.com/reset?token=abc123',
      'Reset your password: https://x.example/r/Abc123',
      'Your password is required.',
      'Your password must contain at least 8 characters',
      'password: 8 characters minimum',
      'Your password is 12 characters long',
      'Mot de passe oublié ?',
      'Password: string;',
      'password = os.environ["DB_PASSWORD"]',
      'password = process.env.DB_PASSWORD',
      'password: ${{ secrets.PASSWORD }}',
      'The password for your account was changed on 12/03/2024.',
      'Password:\n\nForgot it?',
      'Your password will expire in 14 days',
      'Password reset code',
      'https://x.example/login?password=Secret123',
      'mot de passe : (oublié ?)',
      'Password: required',
      'Never share your password: 12345 people did',
      'ping: 1234',
      'The password is case-sensitive',
      'votre mot de passe est valable 24h',
      'Password last changed: 2024-01-12',
    ])('should find nothing in %j', (text) => {
      expect(found(text)).toEqual([]);
    });
  });

  it('should mask the secret part of each', () => {
    const masked = (text: string): string[] => findPii(text).map((match) => match.masked);
    expect(masked('card 4111-1111-1111-1111')).toEqual(['****-****-****-1111']);
    expect(masked('FR76 3000 6000\n0112 3456 7890 189')).toEqual(['FR76 **** **** **** **** **** ***']);
    expect(masked('2 95 10 99 126 111 93')).toEqual(['* ** ** ** *** *** **']);
    expect(masked('+33 (0)6 12 34 56 78')).toEqual(['+** (*)* ** ** ** **']);
    expect(masked('password: Soleil123!')).toEqual(['********']);
  });

  it.each([
    ['digits', '4'.repeat(1_000_000)],
    ['card numbers', '4111 1111 1111 1111 ; '.repeat(45_000)],
    ['groups', '1 85 05 2A '.repeat(90_000)],
    ['groups of four', '4111 '.repeat(200_000)],
    ['telephone prefixes', '+33 0'.repeat(200_000)],
    ['at signs', '@'.repeat(1_000_000)],
    ['almost addresses', 'a@'.repeat(500_000)],
    ['a long word', 'a'.repeat(1_000_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['dashes', '-'.repeat(1_000_000)],
    ['spaced digits', '1 '.repeat(500_000)],
    ['dotted digits', '4.'.repeat(500_000)],
    ['almost IBANs', 'FR76'.repeat(250_000)],
    ['password words', 'password '.repeat(110_000)],
    ['password signs', 'password: '.repeat(100_000)],
    ['password verbs', 'pwd is '.repeat(140_000)],
    ['word starts', 'mot de '.repeat(140_000)],
    ['web addresses', 'http://'.repeat(140_000)],
    ['line ends', '\n'.repeat(1_000_000)],
    ['invisible', '4\u200b'.repeat(500_000)],
  ])('should scan a megabyte of %s quickly', (_, text) => {
    const startedAt = performance.now();
    findPii(text);
    const elapsed = performance.now() - startedAt;
    expect(elapsed).toBeLessThan(3_000);
  });
});
