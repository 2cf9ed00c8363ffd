import { createGunzip } from 'node:zlib';
import { type ByteSource, MadeSource, PassingSource, smallPieces } from './byte-source';
import { inflate, INFLATE_OPTIONS, PACKED_PIECE } from './inflate';
import type { UnpackBudget } from './unpack-budget';

/** The bytes that a file compressed with gzip (RFC 1952, any number of members) unpacks to. */
export const gunzip = (packed: ByteSource, budget: UnpackBudget): ByteSource =>
  packed.canReopen ? new GzipSource(packed, budget) : passing(packed, budget);

class GzipSource extends MadeSource {
  readonly size = null;

  constructor(
    private readonly packed: ByteSource,
    private readonly budget: UnpackBudget,
  ) {
    super();
  }

  protected make(): AsyncGenerator<Buffer, void, undefined> {
    return unpack(this.packed, this.budget, this);
  }
}

function passing(packed: ByteSource, budget: UnpackBudget): ByteSource {
  const state: Pick<PassingSource, 'damage'> = { damage: null };
  const source: PassingSource = new PassingSource(unpack(packed, budget, state), null);
  return Object.defineProperty(source, 'damage', { get: () => state.damage });
}

async function* unpack(
  source: ByteSource,
  budget: UnpackBudget,
  state: Pick<PassingSource, 'damage'>,
): AsyncGenerator<Buffer, void, undefined> {
  let packed = 0;
  let unpacked = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of smallPieces(source, PACKED_PIECE)) {
      packed += piece.length;
      yield piece;
    }
  };
  state.damage = null;
  const inflater = createGunzip(INFLATE_OPTIONS);
  for await (const piece of inflate(counted(), inflater, (damage) => (state.damage = damage))) {
    unpacked += piece.length;
    budget.add(piece.length, unpacked, packed);
    yield piece;
  }
  state.damage ??= source.damage;
}
