import { Command } from 'commander';
import { execFileSync, spawnSync } from 'node:child_process';
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
import { PassThrough } from 'node:stream';
import { addDecryptCommand, DecryptionFailed } from '../../../../src/operations/cli/decrypt-command';
import { encryptedFile, PASSPHRASE } from '../../../support/encryption/encrypted-mail';
import { nightly } from '../../../support/nightly';

const MIB = 1024 * 1024;
const ROOT = join(__dirname, '../../../..');
const CLI = join(ROOT, 'dist/src/cli/main.js');
const ACCENTED = ' cr\u00e8me br\u00fbl\u00e9e \u{1f36e} ';

interface Ended {
  readonly code: number | null;
  readonly output: Buffer;
  readonly errors: string;
}

/** Runs the command in this process, with what the person types and sees. */
async function command(args: readonly string[], typed: string): Promise<Ended> {
  const output = new PassThrough();
  const shown: string[] = [];
  const terminal = {
    print: (line: string) => void shown.push(line),
    askPassphrase: async () => typed,
    output,
  };
  const program = new Command();
  addDecryptCommand(program, terminal);
  let code = 0;
  try {
    await program.parseAsync(['node', 'mailroom', 'decrypt', ...args]);
  } catch (error) {
    expect(error).toBeInstanceOf(DecryptionFailed);
    code = (error as DecryptionFailed).exitCode;
    shown.push((error as DecryptionFailed).message);
  }
  const written = (output.read() ?? Buffer.alloc(0)) as Buffer;
  return { code, output: written, errors: shown.map((line) => `${line}\n`).join('') };
}

/** Runs the built command line with no environment at all. */
function built(args: readonly string[], input: string): Ended {
  const child = spawnSync(process.execPath, [...args], { env: {}, input });
  return { code: child.status, output: child.stdout, errors: child.stderr.toString() };
}

// A process takes seconds to start on a busy machine.
jest.setTimeout(120_000);

describe('Decrypting files without the service', () => {
  const mail = Buffer.from('Subject: Gr\xfc\xdfe\r\n\r\nsecret words\0', 'latin1');
  let directory: string;

  const at = (...names: string[]): string => join(directory, ...names);
  const write = (name: string, bytes: Buffer): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), bytes);
  };
  const decrypt = (...args: string[]): Promise<Ended> => command(args, PASSPHRASE);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mailroom-decrypt-'));
    process.chdir(directory);
    write('mail.eml', encryptedFile(mail, PASSPHRASE));
  });

  afterEach(() => {
    process.chdir(ROOT);
    rmSync(directory, { recursive: true, force: true });
  });

  it('should need only the file, and read the first line of standard input', () => {
    const { code, output, errors } = built([CLI, 'decrypt', 'mail.eml'], `${PASSPHRASE}\r\nmore\n`);
    expect([code, output.toString(), errors]).toEqual([0, '', 'Decrypted mail.eml to mail.decrypted.eml\n']);
    expect(readFileSync(at('mail.decrypted.eml')).equals(mail)).toBe(true);
    expect(built([CLI, 'decrypt', 'mail.eml', '-o', '-'], PASSPHRASE).output.equals(mail)).toBe(true);
    expect(built([CLI, 'decrypt', 'mail.eml', '-o', '-'], 'wrong passphrase')).toEqual({
      code: 1,
      output: Buffer.alloc(0),
      errors: 'mail.eml: the passphrase is wrong, or the file is damaged.\n',
    });
  });

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
        const ended = await command([file, ...output], passphrase);
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

  it('should not overwrite a file without --force', async () => {
    write('mail.decrypted.eml', Buffer.from('mine'));
    expect(await decrypt('mail.eml')).toMatchObject({
      code: 1,
      errors: 'mail.decrypted.eml exists already; --force overwrites it.\n',
    });
    expect(readFileSync(at('mail.decrypted.eml')).toString()).toBe('mine');
    expect((await decrypt('mail.eml', '--force')).code).toBe(0);
    expect(readFileSync(at('mail.decrypted.eml')).equals(mail)).toBe(true);
  });

  it('should decrypt all encrypted mails of a folder and skip the rest', async () => {
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
    // Decrypted files are no encrypted mails: the command can be repeated.
    expect((await decrypt('in')).code).toBe(0);
    expect((await decrypt('in', '--force')).code).toBe(0);
  });

  it('should continue when one of several cannot be decrypted, and report it', async () => {
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

  it('should end when no passphrase is entered', async () => {
    expect(await command(['mail.eml'], '')).toMatchObject({
      code: 1,
      errors: 'No passphrase was given.\n',
    });
  });

  it('should accept accents, emoji and spaces at the ends, however they are typed', async () => {
    write('accents.eml', encryptedFile(mail, ACCENTED));
    for (const typed of [ACCENTED, ACCENTED.normalize('NFD')]) {
      const { code, output } = await command(['accents.eml', '-o', '-'], typed);
      expect([code, output.equals(mail)]).toEqual([0, true]);
    }
    expect((await command(['accents.eml', '-o', '-'], ACCENTED.trim())).code).toBe(1);
  });

  nightly('should use no more memory for a large mail', async () => {
    const large = randomBytes(200 * MIB);
    write('large.eml', encryptedFile(large, PASSPHRASE));
    const measured = `process.on('exit', () => require('node:fs').writeFileSync('peak', String(process.resourceUsage().maxRSS)));`;
    writeFileSync(at('measure.cjs'), measured);
    const peakOf = (file: string): number => {
      const args = ['-r', './measure.cjs', CLI, 'decrypt', file, '--force'];
      expect(built(args, PASSPHRASE).code).toBe(0);
      return Number(readFileSync(at('peak'), 'utf8')) / 1024;
    };
    const small = peakOf('mail.eml');
    expect(peakOf('large.eml') - small).toBeLessThan(60);
    expect(readFileSync(at('large.decrypted.eml')).equals(large)).toBe(true);
  });

  describe('with the commands of the documentation', () => {
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
    ])('should decrypt a mail with only %s', (_what, language, mark, command, file, isThere) => {
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
