import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnpackBudget, type UnpackLimits } from '../../../src/archive/imports/containers/unpack-budget';
import {
  BEGINNING,
  type ImportPosition,
  ImportWalk,
  type WalkedItem,
} from '../../../src/archive/imports/files/import-walk';
import { mailFormats } from '../../../src/archive/imports/files/mail-formats';
import type { OutlookRebuilder } from '../../../src/archive/imports/outlook/outlook-rebuilder';
import { closeExtents, extentOf } from './extents';

const MIB = 1024 * 1024;
const LIMITS: UnpackLimits = { maxUnpackedBytes: 1024 * MIB, maxFiles: 10_000 };
const spools: string[] = [];

/** The items of an upload from a position on. */
export async function walkItems(
  bytes: Buffer,
  from: ImportPosition = BEGINNING,
  limits = LIMITS,
): Promise<WalkedItem[]> {
  const extent = await extentOf(bytes);
  const spooled = mkdtempSync(join(tmpdir(), 'mailroom-spool-'));
  spools.push(spooled);
  const { signal } = new AbortController();
  const pathOf = (level: number): string => join(spooled, String(level));
  const spool = {
    pathOf,
    hasRoom: () => Promise.resolve(true),
    delete: (level: number) => rm(pathOf(level)),
  };
  const budget = new UnpackBudget(limits, bytes.length, signal);
  const formats = mailFormats({} as OutlookRebuilder);
  const items: WalkedItem[] = [];
  const walk = new ImportWalk({ file: extent }, { formats, budget, spool, signal });
  for await (const item of walk.items(from)) items.push(item);
  return items;
}

/** Closes the files of walks, and expects that they have left no copies. */
export async function closeWalks(): Promise<void> {
  await closeExtents();
  for (const spooled of spools.splice(0)) {
    expect(readdirSync(spooled)).toEqual([]);
    await rm(spooled, { recursive: true });
  }
}
