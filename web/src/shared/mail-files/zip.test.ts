import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zipOf } from './zip';

/** Reads an archive with another program's reader. */
const READER = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[info.filename, archive.read(info).decode()] for info in archive.infolist()]))
`;

describe('a ZIP archive', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('should be read by others, with each file once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-zip-'));
    const path = join(folder, 'a.zip');
    writeFileSync(
      path,
      zipOf([
        { name: 'invoice.pdf', bytes: bytes('one') },
        { name: 'Invoice.pdf', bytes: bytes('two') },
        { name: '../résumé №1', bytes: bytes('') },
        { name: '', bytes: bytes('x'.repeat(100_000)) },
      ]),
    );
    expect(JSON.parse(execFileSync('python3', ['-c', READER, path], { encoding: 'utf8' }))).toEqual([
      ['invoice.pdf', 'one'],
      ['Invoice (2).pdf', 'two'],
      ['__résumé №1', ''],
      ['_', 'x'.repeat(100_000)],
    ]);
    rmSync(folder, { recursive: true });
  });
});
