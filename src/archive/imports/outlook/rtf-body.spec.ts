import { readRtfBody } from './rtf-body';

/** The example of MS-OXRTFCP §4.1.1. */
const EXAMPLE =
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';

describe('readRtfBody', () => {
  it('should read the example of the specification', () => {
    expect(readRtfBody(Buffer.from(EXAMPLE, 'hex'))).toEqual({
      kind: 'rtf',
      rtf: Buffer.from('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n'),
    });
  });

  it('should read no more bytes than there are, whatever size the header claims', () => {
    const hostile = Buffer.from(EXAMPLE, 'hex').subarray(0, -4);
    hostile.writeUInt32LE(0x7fff_fff0, 0);
    const started = performance.now();
    expect(readRtfBody(hostile)).toMatchObject({ kind: 'rtf' });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('should read nothing from other bytes', () => {
    expect(readRtfBody(Buffer.alloc(40))).toBeNull();
    expect(readRtfBody(Buffer.alloc(3))).toBeNull();
  });
});
