import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encryptedFile, PASSPHRASE } from './support/encryption/encrypted-mail';

const MIB = 1024 * 1024;
const ROOT = join(__dirname, '..');
const CLI = join(ROOT, 'dist/src/cli/main.js');
const ACCENTED = ' cr\u00e8me br\u00fbl\u00e9e \u{1f36e} ';

interface Ended {
  readonly code: number | null;
  readonly output: Buffer;
  readonly errors: string;
}

/** Runs the command line with no environment at all. */
function cli(directory: string, args: readonly string[], input: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [CLI, 'decrypt', ...args],
      { cwd: directory, env: {}, encoding: 'buffer', maxBuffer: 512 * MIB },
      (error, stdout, stderr) =>
        resolve({
          code: error ? ((error as { code?: number }).code ?? null) : 0,
          output: stdout as unknown as Buffer,
          errors: (stderr as unknown as Buffer).toString(),
        }),
    );
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}

describe('Decrypting files without the service', () => {
  const mail = Buffer.from('Subject: Gr\xfc\xdfe\r\n\r\nsecret words\0', 'latin1');
  let directory: string;

  const at = (...names: string[]): string => join(directory, ...names);
  const write = (name: string, bytes: Buffer): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), bytes);
  };
  const decrypt = (...args: string[]): Promise<Ended> => cli(directory, args, `${PASSPHRASE}\nmore\n`);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mailroom-decrypt-'));
    write('mail.eml', encryptedFile(mail, PASSPHRASE));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('should write the mail beside the encrypted one, for its owner only', async () => {
    const { code, errors, output } = await decrypt('mail.eml');
    expect([code, output.toString()]).toEqual([0, '']);
    expect(errors).toBe('Decrypted mail.eml to mail.decrypted.eml\n');
    expect(readFileSync(at('mail.decrypted.eml')).equals(mail)).toBe(true);
    expect(statSync(at('mail.decrypted.eml')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).sort()).toEqual(['mail.decrypted.eml', 'mail.eml']);
  });

  it('should leave nothing after a wrong passphrase or a damaged file', async () => {
    const altered = encryptedFile(mail, PASSPHRASE);
    altered.writeUInt8(altered.readUInt8(70) ^ 1, 70);
    write('altered.eml', altered);
    for (const [file, passphrase] of [
      ['mail.eml', 'wrong passphrase'],
      ['altered.eml', PASSPHRASE],
    ] as const) {
      for (const output of [[], ['--output', 'out.eml'], ['-o', '-']]) {
        const ended = await cli(directory, [file, ...output], passphrase);
        expect(ended).toEqual({
          code: 1,
          output: Buffer.alloc(0),
          errors: `${file}: the passphrase is wrong, or the file is damaged.\n`,
        });
      }
    }
    expect(readdirSync(directory).sort()).toEqual(['altered.eml', 'mail.eml']);
  });

  it('should write to standard output, a file or a folder', async () => {
    expect((await decrypt('mail.eml', '-o', '-')).output.equals(mail)).toBe(true);
    expect((await decrypt('mail.eml', '-o', 'new/out.eml')).code).toBe(0);
    expect(readFileSync(at('new/out.eml')).equals(mail)).toBe(true);
    expect((await decrypt('mail.eml', '-o', 'new')).code).toBe(0);
    expect(readFileSync(at('new/mail.decrypted.eml')).equals(mail)).toBe(true);
  });

  it('should not overwrite anything unless told to', async () => {
    write('mail.decrypted.eml', Buffer.from('mine'));
    expect(await decrypt('mail.eml')).toMatchObject({
      code: 1,
      errors: 'mail.decrypted.eml exists already; --force overwrites it.\n',
    });
    expect(readFileSync(at('mail.decrypted.eml')).toString()).toBe('mine');
    expect((await decrypt('mail.eml', '--force')).code).toBe(0);
    expect(readFileSync(at('mail.decrypted.eml')).equals(mail)).toBe(true);
  });

  it('should decrypt all encrypted mails of a folder and pass over the rest', async () => {
    const salt = randomBytes(32);
    for (const name of ['in/a/1.eml', 'in/a/2.eml', 'in/b/c/3.eml']) {
      write(name, encryptedFile(Buffer.from(name), PASSPHRASE, salt));
    }
    write('in/plain.eml', mail);
    write('in/empty', Buffer.alloc(0));
    expect((await decrypt('in', '-o', 'out')).code).toBe(0);
    for (const name of ['a/1', 'a/2', 'b/c/3']) {
      expect(readFileSync(at('out', `${name}.decrypted.eml`)).toString()).toBe(`in/${name}.eml`);
    }
    expect(readdirSync(at('out')).sort()).toEqual(['a', 'b']);
    // What has been decrypted is no encrypted mail: it can be done again.
    expect((await decrypt('in')).code).toBe(0);
    expect((await decrypt('in', '--force')).code).toBe(0);
  });

  it('should go on when one of several cannot be opened, and say so', async () => {
    write('in/1.eml', encryptedFile(mail, PASSPHRASE));
    write('in/2.eml', encryptedFile(mail, 'another passphrase'));
    const { code, errors } = await decrypt('in');
    expect(code).toBe(2);
    expect(errors).toContain('in/2.eml: the passphrase is wrong, or the file is damaged.\n');
    expect(errors).toMatch(/1 of 2 files could not be decrypted\.\n$/);
    expect(readFileSync(at('in/1.decrypted.eml')).equals(mail)).toBe(true);
    expect(existsSync(at('in/2.decrypted.eml'))).toBe(false);
  });

  it.each([
    ['a missing file', ['none.eml'], 'none.eml: there is no such file.\n'],
    ['a plain mail', ['plain.eml'], 'plain.eml is not an encrypted mail.\n'],
    ['a folder without encrypted mails', ['empty'], 'There is no encrypted mail.\n'],
    ['several to standard output', ['mail.eml', 'other.eml', '-o', '-'], 'Standard output takes one mail'],
    ['two that would become one', ['mail.eml', 'x/mail.eml', '-o', 'out'], 'Several mails would be written'],
  ])('should end with one line on %s', async (_what, args, expected) => {
    write('plain.eml', mail);
    write('empty/plain.eml', mail);
    write('other.eml', encryptedFile(mail, PASSPHRASE));
    write('x/mail.eml', encryptedFile(mail, PASSPHRASE));
    const { code, errors } = await decrypt(...args);
    expect(code).toBe(1);
    expect(errors).toContain(expected);
    expect(errors.split('\n')).toHaveLength(2);
    expect(errors).not.toMatch(/ at |Error:/);
  });

  it('should end when no passphrase comes', async () => {
    expect(await cli(directory, ['mail.eml'], '')).toMatchObject({
      code: 1,
      errors: 'No passphrase was given.\n',
    });
  });

  it('should take accents, emoji and spaces at the ends, however they are typed', async () => {
    write('accents.eml', encryptedFile(mail, ACCENTED));
    for (const typed of [ACCENTED, ACCENTED.normalize('NFD')]) {
      const { code, output } = await cli(directory, ['accents.eml', '-o', '-'], `${typed}\r\n`);
      expect([code, output.equals(mail)]).toEqual([0, true]);
    }
    expect((await cli(directory, ['accents.eml', '-o', '-'], ACCENTED.trim())).code).toBe(1);
  });

  it('should take no more memory for a large mail', async () => {
    const large = randomBytes(200 * MIB);
    write('large.eml', encryptedFile(large, PASSPHRASE));
    const measured = `process.on('exit', () => require('node:fs').writeFileSync('peak', String(process.resourceUsage().maxRSS)));`;
    writeFileSync(at('measure.cjs'), measured);
    const peakOf = (file: string): number => {
      const args = ['-r', './measure.cjs', CLI, 'decrypt', file, '--force'];
      const { status } = spawnSync(process.execPath, args, { cwd: directory, env: {}, input: PASSPHRASE });
      expect(status).toBe(0);
      return Number(readFileSync(at('peak'), 'utf8')) / 1024;
    };
    const small = peakOf('mail.eml');
    expect(peakOf('large.eml') - small).toBeLessThan(60);
    expect(readFileSync(at('large.decrypted.eml')).equals(large)).toBe(true);
  });

  describe('by the recipes of the documentation', () => {
    const recipe = (language: string, mark: string): string => {
      const text = readFileSync(join(ROOT, 'docs/encryption.md'), 'utf8');
      const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
        ([, code]) => code!,
      );
      return blocks.find((code) => code.includes(mark))!;
    };
    const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

    it.each([
      ['Node.js', 'js', 'createDecipheriv', process.execPath, 'open.mjs', true],
      ['Python', 'python', 'AESGCM', 'python3', 'open.py', hasPython],
    ])('should open a mail with %s alone', (_what, language, mark, command, file, isThere) => {
      const code = recipe(language, mark);
      expect(code.trim().split('\n').length).toBeLessThanOrEqual(22);
      if (!isThere) return;
      write('accents.eml', encryptedFile(mail, ACCENTED));
      write(file, Buffer.from(code));
      const run = (input: string) =>
        execFileSync(command, [file, 'accents.eml'], { cwd: directory, input, stdio: 'pipe' });
      expect(run(`${ACCENTED}\n`).equals(mail)).toBe(true);
      expect(run(ACCENTED.normalize('NFD')).equals(mail)).toBe(true);
      expect(() => run('wrong passphrase\n')).toThrow();
    });
  });
});
