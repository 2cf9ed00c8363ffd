import type { TransferDecoder } from './transfer-decoder';

const LF = 0x0a;
/** A data line has at most 62 characters and a length sign; anything much longer is no line of the format. */
const MAX_LINE = 256;

/** Uuencode (POSIX `uuencode`, traditional form): what stands between the `begin` line and `end`. */
export class UuencodeDecoder implements TransferDecoder {
  private line = '';
  private state: 'before' | 'inside' | 'after' = 'before';

  write(chunk: Buffer): Buffer {
    const decoded: Buffer[] = [];
    let start = 0;
    while (start < chunk.length && this.state !== 'after') {
      const lf = chunk.indexOf(LF, start);
      const end = lf === -1 ? chunk.length : lf;
      const room = MAX_LINE - this.line.length;
      this.line += chunk.toString('latin1', start, Math.min(end, start + room));
      if (lf === -1) break;
      decoded.push(this.endLine());
      start = lf + 1;
    }
    return Buffer.concat(decoded);
  }

  end(): Buffer {
    return this.line === '' ? Buffer.alloc(0) : this.endLine();
  }

  private endLine(): Buffer {
    const line = this.line.replace(/\r+$/, '');
    this.line = '';
    if (this.state === 'before') {
      if (/^begin [0-7]{3,4} /.test(line)) this.state = 'inside';
      return Buffer.alloc(0);
    }
    if (this.state === 'after') return Buffer.alloc(0);
    if (line === 'end') {
      this.state = 'after';
      return Buffer.alloc(0);
    }
    return decodeLine(line);
  }
}

function decodeLine(line: string): Buffer {
  if (line === '') return Buffer.alloc(0);
  const size = valueAt(line, 0);
  const out = Buffer.alloc(Math.ceil(size / 3) * 3);
  for (let group = 0; group * 3 < size; group++) {
    const at = 1 + group * 4;
    // Trailing blanks may have been stripped on the way: a missing character counts as a blank, i.e. zero.
    const bits =
      (valueAt(line, at) << 18) |
      (valueAt(line, at + 1) << 12) |
      (valueAt(line, at + 2) << 6) |
      valueAt(line, at + 3);
    out.writeUIntBE(bits, group * 3, 3);
  }
  return out.subarray(0, size);
}

function valueAt(line: string, index: number): number {
  return index < line.length ? (line.charCodeAt(index) - 0x20) & 0x3f : 0;
}
